"""What restricted animals are due, from the command line; and entries of an earlier time."""

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.journal.kinds import HandGiven
from rig.records.subject.deliveries import delivered_between
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig
from tests.records.journals import Book, put
from tests.report.found_markup import FoundMarkup

Clock = Callable[[str], None]
MOUSE = ("--species", "mouse", "--baseline-g", "24", "--baseline-date", "2026-11-01", "--restriction", "water")
SATURDAY, SUNDAY = "2026-11-28", "2026-11-29"
ONCE = ("--set", "stop.max_rewards=1")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Set the clock of the computer."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "160")

    def set_clock(text: str) -> None:
        monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime.fromisoformat(text))

    set_clock(f"{SATURDAY}T09:00")
    return set_clock


def flat(text: str) -> str:
    return " ".join(text.split())


def rows(rig: Rig) -> list[str]:
    return [flat(line) for line in rig("subject", "due").out.splitlines()]


def page(rig: Rig, day: str) -> tuple[str, str, list[str]]:
    """Return the verdict, the text and the reasons of a day's page."""
    (found,) = json.loads(rig("report", "--day", day, "--json").out)
    text = FoundMarkup(Path(found["file"]).read_text(encoding="utf-8")).text
    return found["verdict"], text, [reason["text"] for reason in found["reasons"]]


def given_ul(folder: Path, day: str) -> float:
    start = datetime.datetime.fromisoformat(day)
    return delivered_between(folder, start, start + datetime.timedelta(days=1)).amount.ul


def put_session(folder: Path, day: str) -> None:
    """Write a session that gave 5 ul."""
    book = Book()
    book.header(start=f"{day}T09:00:00")
    book.footer(ul=5.0)
    put(folder / day / "001", book.raw)


# --- an animal without a session ----------------------------------------------------------------------------------


def test_animals_that_nobody_gave_water_are_named_with_and_without_an_entry(rig: Rig, clock: Clock) -> None:
    for name in ("A", "B"):
        rig("subject", "add", name, *MOUSE)
    rig("subject", "weigh", "A", "23")
    assert rows(rig)[1:] == ["A 1200 ul today 0 of 1200 ul were given", "B 1200 ul today no entry on this day"]
    assert "due today 1200 ul" in flat(rig("subject", "show", "A").out)
    assert "B mouse - - 0 - 1200 ul -" in flat(rig("subject", "list").out)
    verdict, text, reasons = page(rig, SATURDAY)
    assert verdict == "suspicious"
    assert "B: 1200 ul due today: no entry on this day" in reasons
    clock("2026-11-30T08:00")
    verdict, text, reasons = page(rig, SATURDAY)
    assert verdict == "bad"
    assert "B: 1200 ul open, of 2026-11-28: no entry on this day" in reasons
    assert "A: 0 ul are less than daily_min_ul (1000 ul)" in reasons
    assert "B: 0 ul are less than daily_min_ul (1000 ul)" in reasons
    assert text.index("Due") < text.index("No real session is recorded.")
    assert "B mouse - - 0 - 1200 ul 2026-11-28: 1200 ul, 2026-11-29: 1200 ul" in flat(rig("subject", "list").out)


def test_a_record_that_was_merged_into_another_is_not_missed_on_the_page_of_a_day_before(
    rig: Rig, clock: Clock
) -> None:
    for name in ("M18", "M81"):
        rig("subject", "add", name, *MOUSE)
    rig("subject", "give", "M81", "1200ul")
    clock(f"{SUNDAY}T08:00")
    assert rig("subject", "merge", "M81", "into", "M18", "--reason", "mistyped").status == 0
    verdict, text, reasons = page(rig, SATURDAY)
    assert (verdict, reasons, "M81" in text) == ("good", [], False)


def test_an_animal_whose_record_is_damaged_is_named_wherever_what_is_due_is_listed(rig: Rig, data: Path) -> None:
    rig("subject", "add", "A", *MOUSE[:2])
    events = data / "A" / "events.jsonl"
    events.write_bytes(events.read_bytes().replace(b"mouse", b"house"))
    for words in (("due",), ("list",)):
        answer = rig("subject", *words)
        assert (answer.status, answer.out) == (1, "")
        assert "A: " in answer.err
        assert "what it is due is not known" in answer.err
    verdict, text, _ = page(rig, SATURDAY)
    assert (verdict, "what it is due is not known" in text) == ("bad", True)
    settled = rig("subject", "give", "A", "0ul", "--session", "events.jsonl", "--reason", "checked")
    assert "warning: A has no species, so nothing is due to it" in settled.out
    rig("subject", "set", "A", "--species", "mouse")
    assert rows(rig)[1:] == ["A 1200 ul today 0 of 1200 ul were given"]


def test_a_day_that_a_person_closed_with_less_is_not_called_given(rig: Rig, clock: Clock) -> None:
    for name, amount in (("A", "0ul"), ("B", "1200ul")):
        rig("subject", "add", name, *MOUSE)
        rig("subject", "give", name, amount, "--top-up")
    text = flat(page(rig, SATURDAY)[1])
    assert "closed, 1200 ul less" in text
    assert text.count("closed, ") == 1


def test_a_sunday_without_a_session_names_its_eight_mice_and_the_five_open_top_ups_of_saturday(
    rig: Rig, data: Path, clock: Clock
) -> None:
    mice = [f"M{number}" for number in range(1, 9)]
    for name in mice:
        rig("subject", "add", name, *MOUSE)
    for name in mice[:6]:  # two have had no session yet
        put_session(data / name, SATURDAY)
    for name in (mice[5], *mice[6:]):
        rig("subject", "give", name, "1200ul", "--top-up")
    clock(f"{SUNDAY}T08:00")
    rig("subject", "weigh", "M1", "23")
    verdict, text, reasons = page(rig, SUNDAY)
    assert verdict == "bad"
    for name in mice:
        assert any(reason.startswith(f"{name}: 1200 ul due today") for reason in reasons), name
    for name in mice[:5]:
        assert f"{name}: 1195 ul open, of 2026-11-28: 5 of 1200 ul were given" in reasons
        assert rig("subject", "give", name, "1195ul", "--top-up", "yesterday").status == 0
    assert text.count("\u2610") == 13
    assert page(rig, SUNDAY)[0] == "suspicious"
    for name in mice:
        assert rig("subject", "give", name, "1200ul").status == 0
    assert page(rig, SUNDAY)[0] == "good"


def test_the_open_days_come_first_with_the_command_that_closes_them(rig: Rig, clock: Clock) -> None:
    rig("subject", "add", "A", *MOUSE)
    clock(f"{SUNDAY}T08:00")
    found = rows(rig)
    assert found[1:3] == [
        "A 1200 ul 2026-11-28 OPEN: no entry on this day",
        "A 1200 ul today no entry on this day",
    ]
    assert "If it was given on that day: rig subject give A 1200ul --top-up 2026-11-28" in found
    assert rig("subject", "give", "A", "0ul", "--top-up", "yesterday").status == 0
    assert "2026-11-28" not in " ".join(rows(rig))
    assert page(rig, SATURDAY)[0] == "suspicious", "closed with less than the target"
    assert rig("subject", "give", "A", "1200ul").status == 0
    assert rows(rig) == ["nothing is due"]


def test_scripts_read_what_is_due_as_json(rig: Rig) -> None:
    rig("subject", "add", "A", *MOUSE)
    rig("subject", "add", "H1", "--species", "human")
    assert json.loads(rig("subject", "due", "--json").out) == [
        {
            "subject": "A",
            "day": SATURDAY,
            "due": 1200.0,
            "unit": "ul",
            "target": 1200.0,
            "given": 0.0,
            "has_entry": False,
            "why": "no entry on this day",
        }
    ]


def test_an_animal_whose_session_runs_is_told(rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig("subject", "add", "A", *MOUSE)
    folder = (data / "A" / SATURDAY / "001").resolve()
    monkeypatch.setattr("rig.cli.subject.due.running_folders", lambda: frozenset({folder}))
    assert rows(rig)[1] == "A 1200 ul today no entry on this day; in a session now"


def test_records_that_cannot_be_read_are_named_and_hide_no_other_animal(rig: Rig, data: Path) -> None:
    rig("subject", "add", "A", *MOUSE)
    (data / "B").mkdir()
    (data / "B" / "subject.yaml").write_text("daily_target_ul: much\n")
    answer = rig("subject", "due")
    assert (answer.status, "A        1200 ul" in answer.out, "B: " in answer.err) == (1, True, True)
    assert page(rig, SATURDAY)[0] == "bad"


def test_the_start_screen_of_any_session_names_the_animals_of_yesterday(rig: Rig, real: Rig, clock: Clock) -> None:
    for name in ("M1", "M2", "M3"):
        rig("subject", "add", name, *MOUSE)
    rig("subject", "weigh", "M3", "23")
    started = flat(real(f"{SUNDAY}T09:00", *ONCE).err)
    assert "OPEN, of 2026-11-28: 1200 ul were never confirmed (no entry on this day). If it was given" in started
    assert "OPEN: M2, of 2026-11-28 (no entry); M3, of 2026-11-28. See `rig subject due`" in started


# --- when it was given --------------------------------------------------------------------------------------------


def test_water_of_last_evening_that_is_recorded_this_morning_counts_for_last_evening(
    rig: Rig, real: Rig, data: Path, clock: Clock
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "5ul")
    clock(f"{SUNDAY}T08:00")
    answer = rig("subject", "give", "M1", "1195ul", "--top-up", SATURDAY)
    assert "recorded as entry 2, and counted for 2026-11-28; the top-up of 2026-11-28 is closed" in answer.out
    assert "1200 ul are due today: the target is 1200 ul, 0 ul were given" in answer.out
    assert (given_ul(data / "M1", SATURDAY), given_ul(data / "M1", SUNDAY)) == (1200, 0)
    assert "0 of 2000 ul today" in flat(real(f"{SUNDAY}T09:00", *ONCE).err)
    assert not any("less" in reason for reason in page(rig, SATURDAY)[2])


@pytest.mark.parametrize("when", ["yesterday 18:30", "2026-11-28 18:30", "2026-11-28T18:30"])
def test_an_entry_keeps_when_it_was_given_and_when_it_was_written(
    rig: Rig, data: Path, clock: Clock, when: str
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    clock(f"{SUNDAY}T08:00")
    answer = rig("subject", "give", "M1", "1200ul", "--at", when, "--top-up")
    assert "counted for 2026-11-28; the top-up of 2026-11-28 is closed" in answer.out
    last = read_events(data / "M1").lines[-1]
    assert isinstance(last, HandGiven)
    assert datetime.datetime.fromtimestamp(last.t_us / 1e6) == datetime.datetime(2026, 11, 28, 18, 30)
    assert (last.at, last.top_up_for) == (f"{SUNDAY}T08:00:00", SATURDAY)


def test_water_of_an_earlier_time_that_leaves_a_day_open_says_so(rig: Rig, clock: Clock) -> None:
    rig("subject", "add", "M1", *MOUSE)
    clock(f"{SUNDAY}T08:00")
    answer = rig("subject", "give", "M1", "500ul", "--at", "yesterday 18:30")
    assert "recorded as entry 1, and counted for 2026-11-28\n" in answer.out
    assert "OPEN, of 2026-11-28: 700 ul were never confirmed (500 of 1200 ul were given)" in answer.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("give", "M1", "5ul", "--at", "18:30"), "--at 18:30: lies in the future"),
        (("give", "M1", "3g", "--at", "soon"), 'wanted "18:30", "yesterday 18:30" or "2026-11-28 18:30"'),
        (("weigh", "M1", "24", "--at", "tomorrow"), "--at tomorrow: is no time"),
        (("give", "M1", "5ul", "--at", "8:00", "--top-up", "2026-11-27"), "--at lies on 2026-11-28"),
    ],
)
def test_a_time_that_cannot_be_is_refused_and_nothing_is_written(
    rig: Rig, data: Path, words: tuple[str, ...], said: str
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    before = (data / "M1" / "events.jsonl").read_bytes()
    answer = rig("subject", *words)
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert (data / "M1" / "events.jsonl").read_bytes() == before


def test_a_weight_of_yesterday_is_not_the_last_one(rig: Rig, real: Rig, clock: Clock) -> None:
    rig("subject", "add", "M1", *MOUSE)
    clock(f"{SUNDAY}T08:00")
    rig("subject", "weigh", "M1", "22")
    answer = rig("subject", "weigh", "M1", "23", "--at", "yesterday 18:30")
    assert "M1: 23 g, 95.8 % of the baseline (24 g of 2026-11-01), before the session of 2026-11-28: recorded" in (
        answer.out
    )
    rig("subject", "weigh", "M1", "24", "--at", "7:30")
    assert "M1 mouse 22 g 91.7" in flat(rig("subject", "list").out)
    assert "2026-11-28 23 g" in flat(rig("subject", "show", "M1").out)
    rig("subject", "weigh", "M1", "21.5", "--at", "8:00")
    assert "M1 mouse 21.5 g" in flat(rig("subject", "list").out), "of one time, the one recorded last"


# --- a clock that is wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("give", "M1", "5ul"), ("give", "M1", "3g"), ("weigh", "M1", "24")])
def test_a_clock_before_the_newest_session_is_refused_as_a_session_refuses_it(
    rig: Rig, data: Path, clock: Clock, words: tuple[str, ...]
) -> None:
    clock("2026-11-19T09:00")
    rig("subject", "add", "M1", *MOUSE)
    put_session(data / "M1", "2026-11-21")
    clock("2026-11-20T09:00")
    answer = rig("subject", *words, "--at", "8:00")
    assert answer.status == 2
    assert "this computer's clock says 2026-11-20 09:00, but the newest session" in answer.err
    assert "if it is right, say so with --at and the date and time that it is now" in answer.err
    assert rig("subject", *words, "--at", "2026-11-20 09:00").status == 0


def test_a_clock_before_the_newest_entry_is_refused(rig: Rig, clock: Clock) -> None:
    rig("subject", "add", "M1", *MOUSE)
    assert rig("subject", "weigh", "M1", "24").status == 0
    clock(f"{SATURDAY}T08:56")  # clocks are set by small steps
    assert rig("subject", "weigh", "M1", "23.5").status == 0
    clock(f"{SATURDAY}T08:30")
    said = "but the newest entry of 'M1' is of 2026-11-28 09:00"
    given = rig("subject", "give", "M1", "5ul", "--reason", "bait")
    assert (given.status, said in given.err) == (2, True)
    assert "say so with --at and the date and time that it is now" in given.err
