"""After a crash: nothing whole is lost, nothing torn is thrown away, and a second time changes nothing."""

import json
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.codec import MAX_LINE_BYTES, sealed
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.header import FORMAT, Footer
from rig.core.journal.kinds import SessionLine, StateLine
from rig.core.model.actions import Pulse, RewardAction, Set
from rig.core.model.line import LONGEST_US
from rig.records import recover as module
from rig.records.journal import unwritable_reason
from rig.records.journal.read import JOURNAL, DamagedLine, read_ends, read_journal, rows_of
from rig.records.recover import MAX_LISTED, REPORT, TORN, UnconfirmedOrders, recover
from rig.records.session.summary import SUMMARY
from rig.records.subject.deliveries import unknown_reason
from rig.session.replay import replay_lines
from tests.harness import poke, run_harness, scripted_subject
from tests.journal_lines import HEADER, as_json, event, sealed_json
from tests.records.journals import Book, on_this_machine, put, raw_of
from tests.session_specs import protocol_spec

PULSE = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header()
    book.command(1, Set("left.light", True))
    book.done(1)
    book.trial(1, t_in=1.5, reward_ul=2.5)
    book.gave(1, "pending")
    book.command(2, Set("left.light", False), PULSE)
    return book


@pytest.fixture(scope="module")
def crashed() -> list[bytes]:
    """The bytes of a session with six trials."""
    pokes = []
    for trial in range(6):
        at_s = 2 + 3 * trial
        pokes += [poke("center", at_s, 0.1), poke("left" if trial % 2 else "right", at_s + 0.4, 0.2)]
    return raw_of(run_harness(protocol_spec(p_high=1, iti_min_s=0.5, stop_session_s=25), scripted_subject(*pokes)))


def unconfirmed(lines: Iterable[SessionLine]) -> list[str]:
    following = UnconfirmedOrders()
    for line in lines:
        following.take(line)
    return [str(order) for order in following.orders]


def footer_of(session: Path) -> Footer:
    footer = read_ends(session / JOURNAL).footer
    assert footer is not None
    return footer


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_crashed_session_gets_a_footer_that_says_what_is_known(tmp_path: Path, book: Book) -> None:
    book.edge("left.beam", 1)
    session = put(tmp_path, book.raw)
    recovery = recover(session)
    assert (recovery.lines, recovery.had_footer, recovery.trials, recovery.torn_bytes) == (7, False, 1, 0)
    lines = read_journal(session)
    assert lines[:-1] == book.lines
    footer = footer_of(session)
    assert (footer.reason, footer.complete) == ("crash", False)
    assert read_ends(session / JOURNAL).last_seq == 7
    assert (footer.t_us, footer.last_event) == (lines[-2].t_us, 1)
    assert (footer.trials, footer.unconfirmed_rewards, footer.damaged) == (1, 1, 0)
    assert footer.counts == {"header": 1, "command": 2, "batch_done": 1, "trial": 1, "reward": 1, "edge": 1}


def test_a_session_that_could_not_write_its_end_keeps_the_reason(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    unwritable_reason.prepare(session)
    unwritable_reason.write_detail(
        session, "journal.jsonl: a line could not be written: No space left on device\x1b[2J"
    )
    assert recover(session).reason == "fault"
    footer = footer_of(session)
    detail = "recovered: journal.jsonl: a line could not be written: No space left on device[2J"
    assert (footer.reason, footer.detail) == ("fault", detail)
    assert not (session / unwritable_reason.NAME).exists()
    assert (recover(session).reason, recover(session).had_footer) == ("fault", True)


def test_a_session_that_was_killed_has_no_reason_of_its_own(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    unwritable_reason.prepare(session)
    assert recover(session).reason == "crash"


def test_orders_that_were_not_confirmed_are_listed(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw)
    assert [str(order) for order in recover(session).unconfirmed] == [
        "left.light off",
        "pulse left.valve 40000 (2.5 ul)",
    ]
    footer = footer_of(session)
    assert (footer.rewards, footer.ul, footer.uncertain_rewards) == (1, 2.5, 1), "counted: it may have fallen"


def test_orders_in_doubt_that_give_nothing_are_no_unconfirmed_rewards(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.command(1, *(Set(f"{side}.light", True) for side in ("left", "center", "right")))
    assert len(recover(put(tmp_path, book.raw)).unconfirmed) == 3
    footer = footer_of(tmp_path)
    assert (footer.unconfirmed_rewards, footer.rewards, footer.ul) == (0, 0, 0)


@pytest.mark.parametrize(("status", "count"), [("pending", 1), ("unconfirmed", 1), ("delivered", 0), ("refused", 0)])
def test_a_reward_without_an_order_in_doubt_is_unconfirmed_by_its_last_line(
    tmp_path: Path, status: str, count: int
) -> None:
    book = Book()
    book.header()
    book.gave(1, "pending")
    book.gave(1, status)
    assert recover(put(tmp_path, book.raw)).unconfirmed == []
    assert footer_of(tmp_path).unconfirmed_rewards == count
    assert json.loads((tmp_path / SUMMARY).read_text())["unconfirmed_rewards"] == count


def test_rewards_of_the_allowance_alone_are_uncertain_and_not_unconfirmed(tmp_path: Path) -> None:
    book = Book()
    book.header()
    book.gave(1, "pending")
    book.line("allowance", rewards=9, ul=22.5, pellets=0, access_s=0.0)
    recover(put(tmp_path, book.raw))
    footer = footer_of(tmp_path)
    assert (footer.rewards, footer.uncertain_rewards, footer.unconfirmed_rewards) == (9, 9, 1)


def test_what_an_acknowledgement_or_a_time_answer_confirms_is_not_in_doubt(book: Book) -> None:
    book.command(3, Set("right.light", True))
    assert len(unconfirmed(book.lines)) == 3
    book.done(3)
    assert len(unconfirmed(book.lines)) == 2, "acknowledgements are repeated: one may be missing"
    book.time(3)
    assert unconfirmed(book.lines) == []


def test_behind_a_lease_nothing_of_the_epoch_before_is_in_doubt(book: Book) -> None:
    book.lease(2, executed=1)
    assert unconfirmed(book.lines) == [], "the board said how far it came, and forgot the rest"
    book.command(3, Set("center.light", True))
    assert unconfirmed(book.lines) == [], "made in ignorance of the lease: never sent"
    book.command(1, Set("right.light", True), epoch=1)
    assert unconfirmed(book.lines) == ["right.light on"]


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_torn_line_is_put_aside_byte_by_byte(tmp_path: Path, book: Book, size: int) -> None:
    torn = book.raw[-1][:size]
    session = put(tmp_path, book.raw[:-1], torn)
    assert recover(session).torn_bytes == size
    assert (session / TORN).read_bytes() == torn
    assert read_journal(session)[:-1] == book.lines[:-1]


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
        "lines": 6,
        "torn_bytes": 2,
        "damage": [],
        "damaged": 0,
        "had_footer": False,
        "reason": "crash",
        "trials": 1,
        "unconfirmed": [
            {"do": "set", "output": "left.light", "on": False},
            {
                "do": "reward",
                "action": {"do": "pulse", "output": "left.valve", "us": 40_000},
                "source": "left",
                "ul": 2.5,
            },
        ],
        "unwritten": [],
        "undecided": 1,
        "confirmed": 0,
        "refused": 0,
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


@pytest.mark.parametrize("end", [bytes(40), b',"crc":"01234567"}'])
def test_an_end_that_is_no_torn_line_is_damage_also_where_an_earlier_try_only_put_it_aside(
    tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    def killed(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    session = on_this_machine(put(tmp_path, book.raw, end))
    with monkeypatch.context() as patched:
        patched.setattr(module, "_append_end", killed)
        with pytest.raises(KeyboardInterrupt):
            recover(session)
    assert recover(session).damage == [DamagedLine(7, "its end is no torn line")]
    assert footer_of(session).damaged == 1
    assert unknown_reason(session) == "one line of its journal is damaged"


def test_of_many_damaged_lines_all_are_counted_and_the_first_are_listed(tmp_path: Path, book: Book) -> None:
    session = put(tmp_path, book.raw, b"nonsense\n" * (MAX_LISTED + 5))
    recovery = recover(session)
    assert (len(recovery.damage), recovery.damaged) == (MAX_LISTED, MAX_LISTED + 5)
    assert recovery.damage[-1].line == 6 + MAX_LISTED
    report = json.loads((session / REPORT).read_text())
    assert (len(report["damage"]), report["damaged"]) == (MAX_LISTED, MAX_LISTED + 5)
    assert json.loads((session / JOURNAL).read_bytes().splitlines()[-1])["damaged"] == MAX_LISTED + 5


def test_a_column_may_be_called_as_the_number_of_an_event(tmp_path: Path) -> None:
    book = Book()
    book.header(columns=["number"])
    book.edge("left.beam", 1)
    for value in (None, "seven", 900):
        book.line("trial", number=value)
    session = put(tmp_path, book.raw)
    recover(session)
    assert footer_of(session).last_event == 1
    assert (session / "trials.csv").read_text().splitlines() == ["number", '""', "seven", "900"]


def test_a_header_behind_rows_names_no_tables_of_theirs(tmp_path: Path) -> None:
    rows, book = Book(), Book()
    rows.line("row", table="elsewhere", a=1)
    book.header()
    recovery = recover(put(tmp_path, rows.raw, book.raw))
    assert [item.line for item in recovery.damage] == [2]
    assert not list(tmp_path.glob("*.csv"))


def test_memory_does_not_grow_with_the_lines_that_are_no_rows(tmp_path: Path) -> None:
    few, many = (_memory_of_recovering(tmp_path / f"{times}", times) for times in (1_000, 4_000))
    assert many < few + 2_000_000, "each held line has about a kilobyte"


def _memory_of_recovering(session: Path, times: int) -> int:
    book = Book()
    book.header()
    for number in range(1, times + 1):
        book.edge("left.beam", number % 2)
        book.gave(number, "pending")
        book.gave(number)
        book.command(number, Set("left.light", True), PULSE)
        book.done(number)
        book.write(StateLine(number, "choose"))
        book.line("note", what="seen", text=f"{number:0400}")
        book.time(number)
    put(session, book.raw)
    tracemalloc.start()
    try:
        assert recover(session).lines == 1 + 8 * times
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


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
        read_journal(session)


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
    session = on_this_machine(put(tmp_path_factory.mktemp("session"), kept))
    recovery = recover(session)
    torn = (session / TORN).read_bytes() if (session / TORN).exists() else b""
    left = (session / JOURNAL).read_bytes()
    assert left.startswith(kept.removesuffix(torn))
    assert recovery.torn_bytes == len(torn)
    assert recovery.had_footer == (kept == whole)
    lines = read_journal(session)
    footer = footer_of(session)
    assert len(rows_of(lines)) == recovery.trials == footer.trials
    assert (session / "trials.csv").read_bytes().count(b"\n") == 1 + recovery.trials
    given = DeliveredRewards()
    for line in lines:
        given.take(line)
    doubt = given.uncertain.rewards
    assert footer.rewards == given.total.rewards
    assert 0 <= doubt <= 1, "a port may pay that was armed last"
    assert footer.ul == given.total.amount.ul == sum(row[1] for row in footer.given)
    assert replay_lines(lines)[1] is None

    before = everything_in(session)
    assert recover(session).had_footer
    assert everything_in(session) == before


@pytest.mark.parametrize(
    "name", ["../other/trials", "/tmp/rig_evil", "..", "trials", "a/b", "a.b", ".hidden", "a\x00b", ""]
)
def test_no_table_is_written_under_a_name_that_a_class_could_not_have(tmp_path: Path, book: Book, name: str) -> None:
    other = put(tmp_path / "other", book.raw) / "trials.csv"
    other.write_text("another animal's")
    header = {"seq": 0, "k": "header", "t": 0, "format": FORMAT, **HEADER, "tables": {name: ["a"]}}
    row = {"seq": 1, "k": "row", "t": 0, "table": name, "row": {"a": 1}}
    session = put(tmp_path / "session", sealed_json(header), sealed_json(row))
    before = sorted(tmp_path.parent.rglob("*"))
    recovery = recover(session)
    assert [item.line for item in recovery.damage][:1] == [1]
    assert sorted(path for path in tmp_path.parent.rglob("*") if session not in path.parents) == [
        path for path in before if session not in path.parents
    ]
    assert other.read_text() == "another animal's"


def test_a_journal_that_is_a_link_to_another_sessions_is_left_alone(tmp_path: Path, book: Book) -> None:
    other = put(tmp_path / "other", book.raw) / JOURNAL
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / JOURNAL).symlink_to(other)
    with pytest.raises(RecordError, match="is a link to"):
        recover(tmp_path / "mine")
    assert other.read_bytes() == b"".join(book.raw)


@pytest.mark.parametrize("name", [TORN, REPORT, "trials.csv", "summary.json", ".trials.csv.new"])
def test_a_recovery_writes_through_no_link(tmp_path: Path, book: Book, name: str) -> None:
    session, other = put(tmp_path / "session", book.raw, b'{"seq":'), tmp_path / "other"
    other.write_text("another's")
    (session / name).symlink_to(other)
    if name == TORN:
        with pytest.raises(RecordError, match="symbolic link"):
            recover(session)
    else:
        recover(session)
    assert other.read_text() == "another's"


@pytest.mark.parametrize("number", [[1], "many", 99])
def test_a_number_that_a_protocol_notes_is_no_event_of_the_board(tmp_path: Path, book: Book, number: object) -> None:
    book.edge("left.beam", 1)
    book.line("note", number=number)
    session = put(tmp_path, book.raw)
    recover(session)
    assert footer_of(session).last_event == 1


REWARD = {"source": "left", "unit": "ul", "delivered_by": "board", "cause": "order"}
FARTHEST = [
    ("reward", 0, {"id": 2, "amount": 1e12, "status": "delivered", **REWARD}),
    ("reward", LONGEST_US, {"id": 2, "amount": 2.5, "status": "pending", **REWARD}),
    ("allowance", 0, {"rewards": (1 << 63) - 1, "ul": 1e12, "pellets": (1 << 63) - 1, "access_s": 1e12}),
]


@pytest.mark.parametrize(("kind", "t_us", "fields"), FARTHEST)
def test_what_a_line_may_say_at_most_can_be_summed_up_in_an_end(
    tmp_path: Path, book: Book, kind: str, t_us: int, fields: dict[str, object]
) -> None:
    book.line("reward", id=9, amount=1e12, status="delivered", **REWARD)
    book.line(kind, t_us=t_us, **fields)
    session = put(tmp_path / "2026-11-21" / "001", book.raw)
    recover(session)
    footer = footer_of(session)
    assert footer.reason == "crash"
    assert footer.ul >= 1e12
    assert unknown_reason(session) is None


def test_a_line_with_a_number_that_no_end_could_follow_is_damage(tmp_path: Path, book: Book) -> None:
    far = sealed(b'{"seq":9999999999999999,"k":"state","t":0,"name":"x"')
    recovery = recover(put(tmp_path, book.raw, far))
    assert [item.why for item in recovery.damage] == ["its number is larger than that of any line"]


def test_a_line_dated_by_the_clock_is_none_of_a_session(tmp_path: Path, book: Book) -> None:
    given = event("given", 1_763_000_000_000_000, ul=1, pellets=0, access_s=0, by="me", reason="so", at="noon")
    odd = sealed_json({"seq": book.seq, **as_json(given)})
    recovery = recover(put(tmp_path, book.raw, odd))
    assert [item.why for item in recovery.damage] == ["it is no line of a journal: invalid value 'given' - at `$.k`"]


def test_a_journal_whose_end_would_be_too_long_is_left_as_it_is(tmp_path: Path, book: Book) -> None:
    book.footer(carry_over={"x": ""})
    least = len(book.raw.pop()[:-1])
    book.seq -= 1
    book.footer(carry_over={"x": "x" * (MAX_LINE_BYTES - least)})
    book.line("correction", uid="a", power_ons=0, source="a", kept=[])
    session = put(tmp_path, book.raw)
    before = (session / JOURNAL).read_bytes()
    for _ in range(2):
        with pytest.raises(RecordError, match=r"what no footer can say \(it is longer than"):
            recover(session)
    assert (session / JOURNAL).read_bytes() == before


def test_a_header_of_another_format_in_the_middle_is_one_damaged_line(tmp_path: Path, book: Book) -> None:
    book.raw.append(sealed(b'{"seq":%d,"k":"header","t":0,"format":1' % book.seq))
    book.raw.append(sealed(b'{"seq":%d,"t":0,"src":"host","k":"header","format":2' % (book.seq + 1)))
    recovery = recover(put(tmp_path, book.raw))
    assert [item.why for item in recovery.damage] == ["only the first line can be a header"] * 2
