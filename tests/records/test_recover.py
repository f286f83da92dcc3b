"""After a crash: nothing whole is lost, nothing torn is thrown away, and a second time changes nothing."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.records.given import gifts
from rig.records.read import JOURNAL, read, rows_of
from rig.records.recover import REPORT, TORN, recover, unconfirmed
from rig.session.replay import compare
from tests.records.journals import Book, put, raw_of
from tests.session.stage import play, poke, script_for, setting


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    book.command(1, "left.light on")
    book.done(1)
    book.row(1, t_in=1.5, reward_ul=2.5)
    book.command(2, "left.light off", "pulse left.valve 40000 (2.5 ul)")
    return book


@pytest.fixture(scope="module")
def crashed() -> list[bytes]:
    """The bytes of a session with six trials."""
    pokes = []
    for trial in range(6):
        at_s = 2 + 3 * trial
        pokes += [poke("centre", at_s, 0.1), poke("left" if trial % 2 else "right", at_s + 0.4, 0.2)]
    return raw_of(play(setting(p_high=1, iti_min_s=0.5, stop_session_s=25), script_for(*pokes)))


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_crashed_session_gets_a_footer_that_says_what_is_known(tmp_path: Path, book: Book) -> None:
    book.edge("left.beam", 1)
    session = put(tmp_path, book.raw)
    recovery = recover(session)
    assert (recovery.lines, recovery.had_footer, recovery.trials, recovery.torn_bytes) == (6, False, 1, 0)
    lines = read(session)
    assert lines[:-1] == book.lines
    footer = lines[-1]
    assert (footer["k"], footer["reason"], footer["complete"]) == ("footer", "crash", False)
    assert (footer["seq"], footer["t"], footer["last_event"]) == (6, lines[-2]["t"], 1)
    assert (footer["trials"], footer["unconfirmed"], footer["damaged"]) == (1, 2, 0)
    assert footer["counts"] == {"header": 1, "command": 2, "done": 1, "trial": 1, "edge": 1}


def test_orders_that_were_not_confirmed_are_listed(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    assert recover(session).unconfirmed == ["left.light off", "pulse left.valve 40000 (2.5 ul)"]
    assert read(session)[-1]["rewards"] == 0


def test_what_an_acknowledgement_or_a_time_answer_confirms_is_not_in_doubt(book: Book) -> None:
    book.command(3, "right.light on")
    assert len(unconfirmed(book.lines)) == 3
    book.done(3)
    assert len(unconfirmed(book.lines)) == 2, "acknowledgements are repeated: one may be missing"
    book.time(3)
    assert unconfirmed(book.lines) == []


def test_behind_a_lease_nothing_of_the_epoch_before_is_in_doubt(book: Book) -> None:
    book.lease(2, executed=1)
    assert unconfirmed(book.lines) == [], "the board said how far it came, and forgot the rest"
    book.command(3, "centre.light on")
    assert unconfirmed(book.lines) == [], "made in ignorance of the lease: never sent"
    book.command(1, "right.light on", era=1)
    assert unconfirmed(book.lines) == ["right.light on"]


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_torn_line_is_put_aside_byte_by_byte(tmp_path: Path, book: Book, size: int) -> None:
    torn = book.raw[-1][:size]
    session = put(tmp_path, book.raw[:-1], torn)
    assert recover(session).torn_bytes == size
    assert (session / TORN).read_bytes() == torn
    assert read(session)[:-1] == book.lines[:-1]


def test_torn_bytes_of_an_earlier_recovery_are_kept(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw[:-1])
    (session / TORN).write_bytes(b"earlier")
    (session / JOURNAL).write_bytes((session / JOURNAL).read_bytes() + b"later")
    recover(session)
    assert (session / TORN).read_bytes() == b"earlierlater"


def test_a_session_that_ended_as_it_should_is_left_as_it_is(tmp_path: Path, crashed: list[bytes]) -> None:
    session = put(tmp_path, crashed)
    recovery = recover(session)
    assert (recovery.had_footer, recovery.unconfirmed, recovery.trials) == (True, [], 6)
    assert (session / JOURNAL).read_bytes() == b"".join(crashed)
    assert (session / "trials.csv").read_bytes().count(b"\n") == 7


def test_the_first_report_is_kept(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw, b"to")
    recover(session)
    report = json.loads((session / REPORT).read_text())
    assert report == {
        "lines": 5,
        "torn_bytes": 2,
        "damage": [],
        "had_footer": False,
        "reason": "crash",
        "trials": 1,
        "unconfirmed": ["left.light off", "pulse left.valve 40000 (2.5 ul)"],
    }
    recover(session)
    assert json.loads((session / REPORT).read_text()) == report


def test_damaged_lines_are_left_as_they_are_and_named(tmp_path: Path, book: Book) -> None:
    lines = list(book.raw)
    lines[2] = lines[2].replace(b"batch", b"bitch")
    session = put(tmp_path, lines)
    recovery = recover(session)
    assert [(item.line, item.why) for item in recovery.damage] == [(3, "its checksum does not fit")]
    data = (session / JOURNAL).read_bytes()
    assert data.startswith(b"".join(lines))
    assert json.loads(data.splitlines()[-1])["damaged"] == 1
    assert json.loads((session / REPORT).read_text())["damage"] == [{"line": 3, "why": "its checksum does not fit"}]
    assert recover(session).had_footer
    assert (session / JOURNAL).read_bytes() == data


def test_the_reserve_of_a_killed_session_is_given_back(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    (session / ".reserve").write_bytes(bytes(1000))
    recover(session)
    assert not (session / ".reserve").exists()


@pytest.mark.parametrize("data", [b"", b'{"seq":0,"t":0'])
def test_a_journal_without_one_whole_line_stays_unreadable(tmp_path: Path, data: bytes) -> None:
    session = put(tmp_path, data)
    with pytest.raises(RecordError, match="holds no whole line of a journal"):
        recover(session)
    assert everything_in(session) == {JOURNAL: data}
    with pytest.raises(RecordError, match="nothing can be made of it"):
        read(session)


def test_what_is_no_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is no session"):
        recover(tmp_path)
    assert list(tmp_path.iterdir()) == []


@given(st.data())
@settings(max_examples=60)
def test_a_session_cut_at_any_byte_is_recovered_whole_and_only_once(
    tmp_path_factory: pytest.TempPathFactory, crashed: list[bytes], data: st.DataObject
) -> None:
    whole = b"".join(crashed)
    kept = whole[: data.draw(st.integers(len(crashed[0]), len(whole)))]
    session = put(tmp_path_factory.mktemp("session"), kept)
    recovery = recover(session)
    torn = (session / TORN).read_bytes() if (session / TORN).exists() else b""
    left = (session / JOURNAL).read_bytes()
    assert left.startswith(kept.removesuffix(torn))
    assert recovery.torn_bytes == len(torn)
    assert recovery.had_footer == (kept == whole)
    lines = read(session)
    assert lines[-1]["k"] == "footer"
    assert len(rows_of(lines)) == recovery.trials == lines[-1]["trials"]
    assert (session / "trials.csv").read_bytes().count(b"\n") == 1 + recovery.trials
    given = [gift.ul for gift in gifts(lines)]
    assert (lines[-1]["rewards"], lines[-1]["ul"]) == (len(given), sum(given))
    assert compare(lines)[1] is None

    before = everything_in(session)
    assert recover(session).had_footer
    assert everything_in(session) == before
