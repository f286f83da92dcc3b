"""What a subject was given in a stretch of time, over all its sessions and what it was given by hand."""

import datetime
import os
import shutil
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.core.journal.kinds import Command, SessionLine
from rig.core.model.actions import Amount, Arm
from rig.records.recover import recover
from rig.records.subject.deliveries import (
    DeliveredTotal,
    Deliveries,
    declare_amount,
    delivered_between,
    record_manual_delivery,
)
from tests.harness import poke, run_harness, scripted_subject
from tests.journal_lines import as_json, sealed_json
from tests.records.journals import Book, on_this_machine, put, raw_of
from tests.session_specs import protocol_spec, session_spec

DAY = datetime.datetime(2026, 11, 21)
NEXT = DAY + datetime.timedelta(days=1)
NOON = DAY + datetime.timedelta(hours=12)


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    folder = tmp_path / "M1"
    folder.mkdir()
    return folder


def total(subject: Path, since: datetime.datetime = DAY, until: datetime.datetime = NEXT) -> DeliveredTotal:
    found = delivered_between(subject, since, until)
    assert Deliveries(subject).between(since, until) == found, "read once for many days, it is the same"
    return found


def unknown(subject: Path, since: datetime.datetime = DAY, until: datetime.datetime = NEXT) -> list[tuple[str, str]]:
    return [(one.name, one.reason) for one in total(subject, since, until).unknown]


def book_of(*volumes: float, start: str = "2026-11-21T09:00:00", ended: bool = True, **header: object) -> Book:
    """The journal of a session that gave drops; those it armed and never heard of are negative."""
    book = Book()
    book.header(start=start, **header)
    for group, volume in enumerate(volumes, start=1):
        book.gave(group, "pending", Amount(abs(volume)))
        if volume > 0:
            book.gave(group, "delivered", Amount(volume))
    if ended:
        book.footer(ul=sum(volumes))
    return book


def session(subject: Path, name: str, *volumes: float, start: str = "2026-11-21T09:00:00", ended: bool = True) -> Path:
    return put(subject / name, book_of(*volumes, start=start, ended=ended).raw)


def test_a_new_subject_was_given_nothing(tmp_path: Path) -> None:
    assert total(tmp_path / "missing") == DeliveredTotal(Amount())


def test_sessions_that_ended_and_that_crashed_and_hands_are_added_up(subject: Path) -> None:
    session(subject, "2026-11-21/001", 2.5, 4)
    session(subject, "2026-11-21/002", 1, 2, ended=False)
    record_manual_delivery(subject, Amount(ul=50), "Ada", "weak", NOON)
    record_manual_delivery(subject, Amount(pellets=3), "Ada", "a treat", NOON)
    assert total(subject) == DeliveredTotal(Amount(59.5, 3))


def test_what_is_armed_at_a_crash_counts_with_its_largest_reward(subject: Path) -> None:
    session(subject, "2026-11-21/001", 2.5, -8, ended=False)
    assert total(subject) == DeliveredTotal(Amount(10.5))
    recover(subject / "2026-11-21" / "001")
    assert total(subject) == DeliveredTotal(Amount(10.5)), "and recovering it changes nothing of the day"


def is_armed(line: SessionLine) -> bool:
    return isinstance(line, Command) and any(isinstance(order, Arm) for order in line.orders)


def test_a_host_killed_when_the_side_lights_are_on_discards_no_drop_that_the_chip_then_pays(subject: Path) -> None:
    lights_on = protocol_spec(p_high=1, p_low=1, allow_asymmetric="true", iti_min_s=0.5, stop_session_s=10)
    fell = 0
    for number in range(1, 9):
        script = session_spec(lights_on, number, start=datetime.datetime(2026, 11, 21, 9))
        harness = run_harness(script, scripted_subject(poke("center", 2), poke("left", 2.3)), seed=number)
        armed = next(place for place, line in enumerate(harness.journal) if is_armed(line))
        folder = put(subject / "2026-11-21" / f"{number:03d}", raw_of(harness)[: armed + 1])
        on_this_machine(folder)
        fell += len(harness.openings("left.valve"))
        before = total(subject)
        recover(folder)
        assert total(subject) == before == DeliveredTotal(Amount(2.5 * number))
    assert fell == 8


def test_other_days_do_not_count_wherever_a_folder_lies(subject: Path) -> None:
    session(subject, "2026-11-20/001", 4, start="2026-11-20T09:00:00")
    session(subject, "2026-11-20/002", 1)
    session(subject, "old/x", 2)
    assert total(subject) == DeliveredTotal(Amount(3))


def test_a_session_over_midnight_counts_where_its_drops_fell(subject: Path) -> None:
    book = Book()
    book.header(start="2026-11-20T23:58:30", stop={"session_s": 600, "min_trials": 1})
    book.footer(t_us=200_000_000, ul=7.0, given=[[0, 1.0, 0, 0], [1, 2.0, 0, 0], [2, 4.0, 0, 0]])
    put(subject / "2026-11-20" / "001", book.raw)
    assert total(subject).amount.ul == 4.0
    assert total(subject, DAY - datetime.timedelta(days=1), DAY).amount.ul == 3.0


def test_a_crashed_session_over_midnight_counts_where_its_drops_fell(subject: Path) -> None:
    book = Book()
    book.header(start="2026-11-20T23:59:00.5", stop={"session_s": 600, "min_trials": 1})
    for group, (t_us, ul) in enumerate([(59_400_000, 1), (59_600_000, 2)], start=1):
        book._t_us = t_us - 2000
        book.gave(group, "pending", Amount(ul))
        book.gave(group, "delivered", Amount(ul))
    folder = put(subject / "2026-11-20" / "001", book.raw)
    for _ in range(2):
        assert total(subject).amount.ul == 2
        assert total(subject, DAY - datetime.timedelta(days=1), DAY).amount.ul == 1
        recover(folder)


def test_a_crashed_session_counts_on_the_next_day_what_its_grace_gave_there(subject: Path) -> None:
    book = Book()
    book.header(start="2026-11-20T21:00:00", stop={"session_s": 3600, "grace_s": 14_400, "min_trials": 1})
    book._t_us = 12_600_000_000  # half past midnight
    book.gave(1)
    put(subject / "2026-11-20" / "001", book.raw)
    assert total(subject) == DeliveredTotal(Amount(2.5))


def test_what_is_in_doubt_around_midnight_counts_on_both_days(subject: Path) -> None:
    session(subject, "2026-11-20/001", -2, start="2026-11-20T23:59:30", ended=False)
    for _ in range(2):
        assert total(subject).amount.ul == 2
        assert total(subject, DAY - datetime.timedelta(days=1), DAY).amount.ul == 2
        recover(subject / "2026-11-20" / "001")


def test_a_start_with_an_offset_and_a_question_with_another_mean_instants(subject: Path) -> None:
    session(subject, "2026-11-21/001", 2, start="2026-11-21T01:00:00+03:00")
    utc = datetime.UTC
    assert total(subject, DAY.replace(tzinfo=utc), NEXT.replace(tzinfo=utc)) == DeliveredTotal(Amount())
    before = DAY.replace(tzinfo=utc) - datetime.timedelta(hours=3)
    assert total(subject, before, NEXT.replace(tzinfo=utc)) == DeliveredTotal(Amount(2))


def test_simulated_sessions_do_not_count(subject: Path) -> None:
    put(subject / "2026-11-21" / "001", book_of(4, simulated=True).raw)
    put(subject / "2026-11-21" / "002", book_of(2, simulated=False).raw)
    assert total(subject) == DeliveredTotal(Amount(2))


# --- what makes it unknown ------------------------------------------------------------------------------------


def test_a_folder_with_sources_and_no_journal_makes_the_day_unknown(subject: Path) -> None:
    session(subject, "2026-11-21/001", 2)
    (subject / "2026-11-21" / "002" / "config").mkdir(parents=True)
    assert unknown(subject) == [("2026-11-21/002", "it has no journal")]
    assert total(subject).amount.ul == 2
    assert unknown(subject, NEXT + datetime.timedelta(days=1), NEXT + datetime.timedelta(days=2))
    later = NEXT + datetime.timedelta(days=2)
    assert unknown(subject, later, later + datetime.timedelta(days=1)) == []


def zeros(raw: bytes) -> bytes:
    return bytes(len(raw))


def flipped(raw: bytes) -> bytes:
    return bytes(byte ^ (place % 200 == 199) for place, byte in enumerate(raw))


def carriage_returns(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def one_bit(raw: bytes) -> bytes:
    place = raw.index(b'"k":"reward"') + 20
    return raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]


def a_line_less(raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    return b"".join(lines[:2] + lines[3:])


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("spoil", [zeros, flipped, one_bit, a_line_less, lambda raw: b""])
def test_a_damaged_journal_makes_the_day_unknown_until_somebody_says_how_much(
    subject: Path, spoil: Callable[[bytes], bytes], ended: bool
) -> None:
    folder = session(subject, "2026-11-21/001", 2, 4, ended=ended)
    journal = folder / "journal.jsonl"
    journal.write_bytes(spoil(journal.read_bytes()))
    ((name, _),) = unknown(subject)
    assert name == "2026-11-21/001"
    with suppress(RecordError):
        recover(folder)
    assert [name for name, _ in unknown(subject)] == ["2026-11-21/001"], "recovering it makes no drop known"
    (one,) = total(subject).unknown
    declare_amount(one.folder, Amount(6), "Ada", "as the notebook says", NOON)
    assert total(subject) == DeliveredTotal(Amount(6))


@pytest.mark.parametrize("ended", [True, False])
def test_line_ends_of_another_system_make_no_drop_of_a_session_unknown(subject: Path, ended: bool) -> None:
    folder = session(subject, "2026-11-21/001", 2, 4, ended=ended)
    before = total(subject)
    journal = folder / "journal.jsonl"
    journal.write_bytes(carriage_returns(journal.read_bytes()))
    assert total(subject) == before


def end_in_zeros(raw: bytes) -> bytes:
    place = raw.index(b'{"seq":3')
    return raw[:place] + bytes(len(raw) - place)


def test_an_end_of_zeros_is_damage_where_no_power_cut_explains_it(subject: Path) -> None:
    folder = on_this_machine(session(subject, "2026-11-21/001", 2, 4, ended=False))
    journal = folder / "journal.jsonl"
    journal.write_bytes(end_in_zeros(journal.read_bytes()))
    assert total(subject).amount.ul == 2
    assert unknown(subject)
    recover(folder)
    assert unknown(subject)


def test_after_a_power_cut_all_that_was_allowed_counts(subject: Path) -> None:
    book = book_of(2, ended=False)
    book.line("allowance", rewards=9, ul=18.0, pellets=0, access_s=0.0)
    folder = put(subject / "2026-11-21" / "001", book.raw)
    for _ in range(2):
        assert total(subject) == DeliveredTotal(Amount(18))
        recover(folder)


def test_a_crash_on_a_machine_that_has_run_on_counts_what_its_lines_show(subject: Path) -> None:
    book = book_of(2, ended=False)
    book.line("allowance", rewards=9, ul=18.0, pellets=0, access_s=0.0)
    folder = on_this_machine(put(subject / "2026-11-21" / "001", book.raw))
    for _ in range(2):
        assert total(subject) == DeliveredTotal(Amount(2))
        recover(folder)


def test_a_journal_renamed_away_makes_the_day_unknown(subject: Path) -> None:
    folder = session(subject, "2026-11-21/001", 2)
    (folder / "config").mkdir()
    (folder / "journal.jsonl").rename(folder / "journal.old")
    assert unknown(subject) == [("2026-11-21/001", "it has no journal")]


@pytest.mark.parametrize(
    "given", [None, 3, [[0, -1, 0, 0]], [[0, 1, 0]], [[0, float("1e300"), "x", 0]], [[0.5, 1, 0, 0]]]
)
def test_a_footer_that_does_not_say_what_was_given_makes_the_day_unknown(subject: Path, given: object) -> None:
    book = Book()
    book.header()
    book.footer(ul=2)
    fields = {"seq": 1, **as_json(book.lines[1]), "given": given}
    put(subject / "2026-11-21" / "001", book.raw[0], sealed_json(fields))
    assert unknown(subject) == [("2026-11-21/001", "one line of its journal is damaged")]


def test_an_old_unknown_session_does_not_block_today(subject: Path) -> None:
    folder = session(subject, "2026-11-01/001", 2, start="2026-11-01T09:00:00")
    journal = folder / "journal.jsonl"
    journal.write_bytes(one_bit(journal.read_bytes()))
    assert total(subject) == DeliveredTotal(Amount())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"ul": -1, "pellets": 0, "access_s": 0, "by": "A", "reason": "B", "at": "C"}',
        '{"ul": 0, "pellets": 1.9, "access_s": 0, "by": "A", "reason": "B", "at": "C"}',
        '{"ul": NaN, "pellets": 0, "access_s": 0, "by": "A", "reason": "B", "at": "C"}',
    ],
)
def test_a_declaration_that_cannot_be_read_settles_nothing(subject: Path, text: str) -> None:
    (subject / "2026-11-21" / "001" / "config").mkdir(parents=True)
    (subject / "2026-11-21" / "001" / "declared.json").write_text(text)
    ((_, why),) = unknown(subject)
    assert why.startswith("it has no journal, and declared.json cannot be read: ")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.skipif(os.name != "posix", reason="there are no such pipes")
@pytest.mark.parametrize("put_there", [Path.mkdir, a_pipe])
def test_a_declaration_that_is_no_file_settles_nothing_and_is_not_waited_for(
    subject: Path, put_there: Callable[[Path], None]
) -> None:
    (subject / "2026-11-21" / "001" / "config").mkdir(parents=True)
    put_there(subject / "2026-11-21" / "001" / "declared.json")
    ((name, _),) = unknown(subject)
    assert name == "2026-11-21/001"


@pytest.mark.skipif(os.name != "posix", reason="there are no such pipes")
def test_amounts_given_by_hand_in_a_pipe_are_not_waited_for(subject: Path) -> None:
    a_pipe(subject / "events.jsonl")
    with pytest.raises(RecordError, match="is no file"):
        total(subject)


def test_half_a_character_in_a_declaration_does_not_make_it_unreadable(subject: Path) -> None:
    folder = subject / "2026-11-21" / "001"
    (folder / "config").mkdir(parents=True)
    declare_amount(folder, Amount(6), "Ada\udcff", "as the notebook says", NOON)
    assert total(subject) == DeliveredTotal(Amount(6))


def test_a_declaration_takes_nothing_from_a_session_whose_records_tell(subject: Path) -> None:
    folder = session(subject, "2026-11-21/001", 2, 4)
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"")
    declare_amount(folder, Amount(1), "Ada", "as the notebook says", NOON)
    assert total(subject) == DeliveredTotal(Amount(1))
    journal.write_bytes(whole)
    assert total(subject) == DeliveredTotal(Amount(6)), "it was found again"


@pytest.mark.parametrize("left", ["summary.json", "trials.csv", "config"])
def test_whatever_is_left_in_a_folder_says_that_a_session_was_there(subject: Path, left: str) -> None:
    folder = subject / "2026-11-21" / "001"
    folder.mkdir(parents=True)
    (folder / left).write_text("")
    assert unknown(subject) == [("2026-11-21/001", "it has no journal")]


@pytest.mark.parametrize("place", ["2026-11-21/.001", ".old/001", "old/2026-11-21/001", "old/of/anna/2026-11-21/001"])
def test_a_session_counts_wherever_in_its_subjects_folder_it_was_put(subject: Path, place: str) -> None:
    session(subject, place, 2, 4)
    assert total(subject) == DeliveredTotal(Amount(6))


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
def test_a_session_to_which_links_lead_counts_once(subject: Path) -> None:
    session(subject, "2026-11-21/001", 2, 4)
    (subject / "latest").symlink_to(subject / "2026-11-21")
    (subject / "2026-11-21" / "round").symlink_to(subject)
    assert total(subject) == DeliveredTotal(Amount(6))


def test_a_journal_whose_end_was_cut_off_after_its_session_had_ended_is_not_a_crash(subject: Path) -> None:
    folder = on_this_machine(session(subject, "2026-11-21/001", 2, 4))
    (folder / "summary.json").write_text("{}")
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    assert unknown(subject) == [("2026-11-21/001", "one line of its journal is damaged")]
    recover(folder)
    assert unknown(subject) == [("2026-11-21/001", "one line of its journal is damaged")]


@pytest.mark.parametrize(
    "spoil", [zeros, lambda raw: raw[:-3], lambda raw: raw[raw.index(b"\n") + 1 :], lambda raw: b""]
)
def test_damaged_amounts_given_by_hand_make_every_day_unknown_until_somebody_says_how_much(
    subject: Path, spoil: Callable[[bytes], bytes]
) -> None:
    for ul in (10, 20):
        record_manual_delivery(subject, Amount(ul), "Ada", "weak", NOON)
    path = subject / "events.jsonl"
    path.write_bytes(spoil(path.read_bytes()))
    (one,) = total(subject).unknown
    assert one.name == "events.jsonl"
    record_manual_delivery(subject, Amount(1), "Ada", "weak", NOON)
    assert total(subject).unknown, "a later amount does not tell what was lost"
    kept = total(subject).amount.ul
    declare_amount(one.folder, Amount(30), "Ada", "as the notebook says", NOON)
    assert total(subject) == DeliveredTotal(Amount(30 + kept))
    record_manual_delivery(subject, Amount(1), "Ada", "weak", NOON)
    assert total(subject) == DeliveredTotal(Amount(31 + kept))
    assert (subject / "events.damaged.1.jsonl").exists()


def test_a_folder_that_cannot_be_listed_is_said(subject: Path) -> None:
    shutil.rmtree(subject)
    subject.write_text("no folder")
    with pytest.raises(RecordError, match="what was given is not known without it"):
        total(subject)


def test_a_day_of_600_000_lines_is_summed_up_within_a_second(subject: Path) -> None:
    book = book_of(2.5, ended=False)
    filler = book.raw[-1]
    raw = b"".join(book.raw) + filler * 600_000
    end = Book()
    end.seq, end._t_us = 600_000, 80_000_000_000
    end.footer(ul=2.5, digest=f"{zlib.crc32(raw):08x}")
    put(subject / "2026-11-21" / "001", raw, end.raw)
    began = time.perf_counter()
    assert total(subject) == DeliveredTotal(Amount(2.5))
    assert time.perf_counter() - began < 1.0


def test_an_amount_is_written_down_though_its_lock_can_not_be_given_back(
    subject: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: object, **options: object) -> None:
        raise OSError(37, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr("filelock.FileLock.release", refused)
        record_manual_delivery(subject, Amount(ul=50), "Ada", "weak", NOON)
    assert total(subject) == DeliveredTotal(Amount(50))


def test_by_the_dates_of_folders_a_session_over_midnight_counts_and_a_far_one_is_not_read(subject: Path) -> None:
    session(subject, "2026-11-20/001", 2.5, start="2026-11-20T23:59:30")
    session(subject, "old/2026-11-21/001", 4)
    far = session(subject, "2026-11-18/001", 1)
    (far / "journal.jsonl").write_bytes(b"no journal\n")
    found = Deliveries(subject, (DAY.astimezone(), NEXT.astimezone()), by_folder=True)
    assert found.between(DAY, NEXT) == delivered_between(subject, DAY, NEXT)
