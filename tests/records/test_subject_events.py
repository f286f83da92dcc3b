"""The file of a subject's events: many writers, crashes in the middle of a line, and damage."""

import datetime
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.kinds import HandGiven, Remark, Torn, Weighed
from rig.core.model.actions import Amount
from rig.records.subject.deliveries import DeliveredTotal, delivered_between, record_manual_delivery
from rig.records.subject_events import EVENTS, append_events, read_events
from tests.journal_lines import as_json, sealed_json

NOON = datetime.datetime(2026, 11, 21, 12)
DAY = NOON.replace(hour=0), NOON.replace(hour=23)

WRITER = """
import datetime, sys
from pathlib import Path
from rig.core.journal.kinds import HandGiven, Weighed
from rig.records.subject_events import append_events

folder, writer, events = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(events):
    amount = HandGiven(ul=1.5, pellets=0, access_s=0, reason=f"{writer}/{number}")
    event = amount if number % 2 else Weighed(weight_g=20 + number, when="before")
    append_events(folder, [event], writer, datetime.datetime(2026, 11, 21, 12))
"""


def weigh(folder: Path, weight_g: float = 24.0) -> None:
    append_events(folder, [Weighed(weight_g=weight_g, when="before")], "Ada", NOON)


def weights(folder: Path) -> list[float]:
    return [line.weight_g for line in read_events(folder).of_kind(Weighed)]


def tear(folder: Path, size: int) -> None:
    """Leave so many bytes of the last line."""
    path = folder / EVENTS
    whole, _, last = path.read_bytes()[:-1].rpartition(b"\n")
    path.write_bytes((whole + b"\n" if whole else b"") + last[:size])


def total(folder: Path) -> DeliveredTotal:
    return delivered_between(folder, *DAY)


def write_at_once(folder: Path, writers: int, events: int) -> None:
    """Let several programs append events to one subject, and check that the file has all of them."""
    words = [sys.executable, "-c", WRITER, str(folder)]
    running = [subprocess.Popen([*words, f"writer{n}", str(events)]) for n in range(writers)]
    assert [each.wait() for each in running] == [0] * writers
    found = read_events(folder)
    assert found.damage == ()
    assert [line.seq for line in found.lines] == list(range(writers * events))
    assert Counter(line.by for line in found.lines) == {f"writer{n}": events for n in range(writers)}
    for name in {line.by for line in found.lines}:
        own = [line.weight_g for line in found.of_kind(Weighed) if line.by == name]
        assert own == sorted(own), "the events of one program keep their order"
    assert total(folder) == DeliveredTotal(Amount(ul=1.5 * writers * (events // 2)))


def test_programs_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    write_at_once(tmp_path / "M1", 4, 40)


@pytest.mark.campaign
def test_eight_programs_write_a_thousand_events_each(tmp_path: Path) -> None:
    write_at_once(tmp_path / "M1", 8, 1000)


def test_several_events_are_written_all_or_none(tmp_path: Path) -> None:
    both = [Remark(text="lively"), HandGiven(ul=50, pellets=0, access_s=0, reason="bait")]
    append_events(tmp_path, both, "Ada", NOON)
    assert [(line.seq, type(line)) for line in read_events(tmp_path).lines] == [(0, Remark), (1, HandGiven)]
    assert total(tmp_path) == DeliveredTotal(Amount(ul=50))


@pytest.mark.parametrize("size", range(1, 131, 7))
def test_a_torn_line_is_kept_and_marked_by_the_next_event(tmp_path: Path, size: int) -> None:
    for weight_g in (23, 24, 25):
        weigh(tmp_path, weight_g)
    tear(tmp_path, size)
    torn = (tmp_path / EVENTS).read_bytes().rpartition(b"\n")[2]
    assert weights(tmp_path) == [23, 24]
    weigh(tmp_path, 26)
    assert torn + b"\n" in (tmp_path / EVENTS).read_bytes()
    assert weights(tmp_path) == [23, 24, 26]
    assert [line.bytes for line in read_events(tmp_path).of_kind(Torn)] == [len(torn)]


def test_a_torn_weight_makes_no_amount_unknown(tmp_path: Path) -> None:
    record_manual_delivery(tmp_path, Amount(ul=10), "Ada", "bait", NOON)
    weigh(tmp_path)
    tear(tmp_path, 80)
    assert total(tmp_path) == DeliveredTotal(Amount(ul=10))
    weigh(tmp_path)
    assert read_events(tmp_path).damage == ()
    assert total(tmp_path) == DeliveredTotal(Amount(ul=10))


@pytest.mark.parametrize("size", [5, 80])
def test_a_torn_amount_is_unknown_also_behind_the_next_event(tmp_path: Path, size: int) -> None:
    for _ in range(2):
        record_manual_delivery(tmp_path, Amount(ul=10), "Ada", "bait", NOON)
    tear(tmp_path, size)
    assert total(tmp_path).unknown
    weigh(tmp_path)
    assert total(tmp_path).unknown
    assert total(tmp_path).amount == Amount(ul=10)


def test_a_line_that_lacks_only_its_newline_counts(tmp_path: Path) -> None:
    weigh(tmp_path, 23)
    path = tmp_path / EVENTS
    path.write_bytes(path.read_bytes()[:-1])
    assert weights(tmp_path) == [23]
    weigh(tmp_path, 24)
    assert (weights(tmp_path), read_events(tmp_path).damage) == ([23, 24], ())


def test_a_damaged_line_hides_none_of_the_others(tmp_path: Path) -> None:
    for weight_g in (23, 24, 25):
        weigh(tmp_path, weight_g)
    path = tmp_path / EVENTS
    path.write_bytes(path.read_bytes().replace(b":24,", b":42,", 1))
    weigh(tmp_path, 26)
    assert weights(tmp_path) == [23, 25, 26]
    assert read_events(tmp_path).damage == ("line 2: its checksum does not fit",)


def test_a_line_that_is_missing_is_noticed(tmp_path: Path) -> None:
    for weight_g in (23, 24, 25):
        weigh(tmp_path, weight_g)
    path = tmp_path / EVENTS
    first, _, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + third)
    assert weights(tmp_path) == [23, 25]
    assert read_events(tmp_path).damage == ("line 2: line 1 should come here, found 2",)


def test_an_event_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="say it in fewer words"):
        append_events(tmp_path, [Remark(text="x" * 20_000)], "Ada", NOON)
    assert not (tmp_path / EVENTS).exists()


def test_a_line_of_a_journal_is_no_event(tmp_path: Path) -> None:
    weigh(tmp_path)
    with (tmp_path / EVENTS).open("ab") as file:
        file.write(sealed_json({"k": "note", "t": 5, "seq": 1, "by": "Ada", "at": "2026-11-21T12:00:00"}))
    (damage,) = read_events(tmp_path).damage
    assert damage.startswith("line 2: it is no event of a subject")


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        ({"ul": -1}, "it is no event of a subject: expected `int` >= 0"),
        ({"ul": "1"}, "it is no event of a subject: expected `int | float`, got `str`"),
        ({"pellets": 1.9}, "it is no event of a subject: expected `int`, got `float`"),
        ({"access_s": None}, "it is no event of a subject: expected `int | float`, got `null`"),
        ({"reason": ""}, "it is no event of a subject: expected `str` of length >= 1"),
        ({"by": ""}, "it does not say who recorded it, and when"),
        ({"at": ""}, "it does not say who recorded it, and when"),
        ({"t": 1 << 62}, f"no time is {1 << 62}"),
    ],
)
def test_a_forged_amount_makes_what_was_given_unknown_and_is_told(
    tmp_path: Path, forged: dict[str, object], why: str
) -> None:
    record_manual_delivery(tmp_path, Amount(ul=10), "Ada", "bait", NOON)
    fields = {**as_json(read_events(tmp_path).lines[0]), "seq": 1, **forged}
    with (tmp_path / EVENTS).open("ab") as file:
        file.write(sealed_json(fields))
    (unknown,) = total(tmp_path).unknown
    assert unknown.reason.startswith(f"{EVENTS} is damaged: line 2: {why}")
    assert total(tmp_path).amount == Amount(ul=10)


def test_half_a_character_of_a_terminal_is_written_as_text(tmp_path: Path) -> None:
    append_events(tmp_path, [Remark(text="a b\udcffc")], "Ada\udcff", NOON)
    (line,) = read_events(tmp_path).of_kind(Remark)
    assert (line.text, line.by) == ("a b\\udcffc", "Ada\\udcff")


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / EVENTS).mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        weigh(tmp_path)
