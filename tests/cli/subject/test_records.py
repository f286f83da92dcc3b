"""Facts and events of an animal, from the command line."""

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.records.journal.read import read_journal
from rig.records.subject.deliveries import delivered_between
from rig.records.subject.known_subject import load_facts
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig
from tests.past_sessions import write_session

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)


pytestmark = pytest.mark.usefixtures("morning")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the clock of the computer."""
    return lambda text: monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime.fromisoformat(text))


def flat(text: str) -> str:
    return " ".join(text.split())


def kinds(folder: Path) -> list[str]:
    return [line["k"] for line in read_events(folder).lines]


def test_a_subject_is_added_with_its_facts_and_changed(rig: Rig, data: Path) -> None:
    assert rig("subject", "add", "M1", *MOUSE, "--strain", "C57BL/6N", "--sex", "female").status == 0
    assert load_facts(data / "M1").model_dump(mode="json", exclude_none=True) == {
        "species": "mouse",
        "sex": "female",
        "strain": "C57BL/6N",
        "baseline_g": 25.0,
        "baseline_date": "2026-11-01",
    }
    assert rig("subject", "set", "M1", "--baseline-g", "26.5").status == 0
    facts = load_facts(data / "M1")
    assert (facts.baseline_g, str(facts.baseline_date), facts.strain) == (26.5, "2026-11-21", "C57BL/6N")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "M1"), "is known already"),
        (("add", "m1"), "there is M1"),
        (("add", "M2", "--species", "cow"), "--species 'cow': wanted mouse, rat, pigeon or human"),
        (("add", "M2", "--birth", "2027-01-01"), "lies in the future"),
        (("add", "M2", "--baseline-g", "heavy"), "--baseline-g heavy: is no weight"),
        (("add", "../M2"), "cannot be a folder's name"),
        (("set", "M1"), "give at least one fact"),
        (("set", "M2", "--sex", "male"), "has no subject 'M2'"),
        (("weigh", "M1", "0"), "GRAMS 0: is no weight"),
        (("weigh", "M9", "24"), "has no subject 'M9'"),
        (("give", "M1", "5ul", "--session", "2026-11-21/001"), "how is the amount known? Give --reason WHY"),
        (
            ("give", "M1", "5ul", "--session", "2026-11-21/001", "--at", "8:00"),
            "--at: the amount counts for the session",
        ),
        (("give", "M1", "5g", "--session", "2026-11-21/001", "--reason", "so"), "a session gives no food by weight"),
        (("give", "M1", "0ul"), "nothing was given"),
        (("give", "M1", "5ul", "--reason", " "), "a reason is wanted"),
        (("give", "M1", "5ul", "--top-up", "soon"), "is no day"),
        (("give", "M1", "5ul", "--top-up", "2026-11-22"), "lies in the future"),
        (("give", "M1", "3000g"), "wanted at most 2000 g"),
        (("give", "M1", "5g", "6g"), "AMOUNT 6g: there is an amount of g already: give one of each kind"),
        (("note", "M1", " "), "a note is wanted"),
        (("rename", "M1", "M1", "--reason", "so"), "has this name already"),
        (("rename", "M1", "M2", "--reason", ""), "a reason is wanted"),
        (("rename", "M1", "con", "--reason", "so"), "cannot be a folder's name"),
        (("show", "M1", "--days", "0"), "wanted a number of days"),
        (("show", "M1", "--figure", "x.pdf"), "wanted a file that ends in .png"),
        (("show", "M1", "--figure", "nowhere/x.png"), "there is no folder nowhere"),
    ],
)
def test_nonsense_is_refused_and_nothing_is_written(rig: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    rig("subject", "add", "M1", *MOUSE)
    before = (data / "M1" / "events.jsonl").read_bytes()
    answer = rig("subject", *words)
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert (data / "M1" / "events.jsonl").read_bytes() == before
    assert [path.name for path in data.iterdir()] == ["M1"]


def test_every_mistake_of_the_facts_is_listed(rig: Rig) -> None:
    answer = rig("subject", "add", "M1", "--sex", "x", "--birth", "y", "--baseline-g", "z")
    assert len(answer.err.splitlines()) == 3


def test_an_event_needs_a_person(rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig("subject", "add", "M1", *MOUSE)
    monkeypatch.delenv("RIG_EXPERIMENTER")
    assert "Give --by NAME" in rig("subject", "weigh", "M1", "24").err
    assert rig("subject", "weigh", "M1", "24", "--by", "Bo").status == 0
    assert read_events(data / "M1").lines[-1]["by"] == "Bo"


def test_a_fact_that_the_animal_s_file_sets_is_changed_there(rig: Rig, data: Path) -> None:
    (data / "M1").mkdir(parents=True)
    (data / "M1" / "subject.yaml").write_text("baseline_g: 24\n")
    answer = rig("subject", "add", "M1", *MOUSE)
    assert (answer.status, "sets baseline_g already: change it there" in answer.err) == (2, True)


def test_a_weight_is_compared_with_the_baseline_and_taken_over_by_the_session(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    light = rig("subject", "weigh", "M1", "21")
    assert "84.0 % of the baseline" in light.out
    assert "below warn_pct (85 %)" in light.out
    rig("subject", "weigh", "M1", "24,5 g", "--yes")
    words = ["two_armed_bandit", "--subject", "M1", "--rig", data.parent / "rigs" / "far.yaml", "--yes"]
    answer = rig("run", *words)
    assert "24.5 g, 98.0 % of the baseline" in flat(answer.err), answer.err


def test_water_by_hand_counts_and_closes_the_top_up(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    answer = rig("subject", "give", "M1", "0.4ml")
    assert "800 ul are due today: the target is 1200 ul, 400 ul were given" in answer.out
    assert delivered_between(data / "M1", *DAY).amount.ul == 400
    rig("subject", "give", "M1", "700ul", "--top-up")
    last = read_events(data / "M1").lines[-1]
    assert (last["ul"], last["reason"], last["top_up_for"]) == (700, "top-up", "2026-11-21")


@pytest.mark.parametrize("day", ["2026-11-20", "yesterday"])
def test_water_that_closes_another_day_s_top_up_counts_for_that_day(rig: Rig, data: Path, day: str) -> None:
    rig("subject", "add", "M1", *MOUSE)
    answer = rig("subject", "give", "M1", "300ul", "--top-up", day)
    assert "recorded as entry 1, and counted for 2026-11-20; the top-up of 2026-11-20 is closed" in answer.out
    assert "1200 ul are due today: the target is 1200 ul, 0 ul were given" in answer.out
    assert "is closed" not in rig("subject", "give", "M1", "100ul").out


@pytest.mark.parametrize("words", [("show", "V1"), ("weigh", "V1", "24"), ("set", "V1", "--sex", "female")])
def test_the_records_of_an_animal_refuse_a_virtual_subject_without_naming_an_option_that_they_lack(
    rig: Rig, data: Path, words: tuple[str, ...]
) -> None:
    (data / "sim" / "V1").mkdir(parents=True)
    answer = rig("subject", *words)
    assert answer.status == 2
    assert f"{data / 'sim' / 'V1'} is there: this command is for real subjects only" in answer.err


def test_food_is_recorded_in_grams_or_pellets(rig: Rig, data: Path) -> None:
    rig("subject", "add", "R1", "--species", "rat", "--baseline-g", "400")
    rig("subject", "give", "R1", "100pellets")
    answer = rig("subject", "give", "R1", "5 g")
    assert "4.5 g are due today: the target is 14 g, 9.5 g were given" in answer.out


def test_a_pigeon_s_food_is_what_brings_it_to_its_weight(rig: Rig, data: Path) -> None:
    rig("subject", "add", "P1", "--species", "pigeon", "--baseline-g", "500")
    assert "above refuse_above_pct" not in rig("subject", "weigh", "P1", "425").out
    assert "above warn_above_pct (87 %)" in rig("subject", "weigh", "P1", "437").out
    assert "0 g are due today: the target is 425 g, 438 g are reached" in rig("subject", "give", "P1", "1g").out
    rig("subject", "weigh", "P1", "415", "--after")
    assert "7 g are due today: the target is 425 g, 418 g are reached" in rig("subject", "give", "P1", "3g").out


def test_a_pigeon_is_weighed_after_a_session_and_on_another_day_once(rig: Rig, data: Path) -> None:
    rig("subject", "add", "P1", "--species", "pigeon", "--baseline-g", "500")
    assert "unknown: weigh it: rig subject weigh P1 GRAMS\n" in rig("subject", "give", "P1", "1g").out
    write_session(data / "P1", 21)
    rig("subject", "weigh", "P1", "424")
    assert "unknown: weigh it: rig subject weigh P1 GRAMS --after" in rig("subject", "give", "P1", "1g").out


def test_a_sated_pigeon_does_not_run(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", "--species", "pigeon", "--baseline-g", "500")
    words = ["free_water", "--subject", "M1", "--rig", data.parent / "rigs" / "far.yaml", "--yes"]
    answer = rig("run", *words, "--weight-g", "445")
    assert (answer.status, "it is sated: no session" in flat(answer.err)) == (2, True), answer.err


def test_a_renamed_subject_keeps_its_records_and_its_old_name_in_its_history(rig: Rig, real: Rig, data: Path) -> None:
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    assert rig("subject", "rename", "M1", "M7", "--reason", "wrong card").status == 0
    assert not (data / "M1").exists()
    shown = rig("subject", "show", "M7")
    assert "renamed from M1 to M7: wrong card" in flat(shown.out)
    assert "2026-11-21/001 two_armed_bandit" in flat(shown.out)
    (data / "M8").mkdir()
    assert "is there already" in rig("subject", "rename", "M7", "M8", "--reason", "so").err


def test_a_renaming_that_was_killed_is_completed_by_the_same_command(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *words: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert rig("subject", "rename", "M1", "M7", "--reason", "so").status != 0
    assert rig("subject", "rename", "M1", "M7", "--reason", "so").status == 0
    assert kinds(data / "M7") == ["facts", "renamed"]


def test_the_report_shows_weights_water_sessions_and_notes(
    rig: Rig, real: Rig, data: Path, tmp_path: Path, clock: Callable[[str], None]
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "24")
    rig("subject", "note", "M1", "a", "scratch", "at the ear")
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    clock("2026-11-21T10:00")
    rig("subject", "give", "M1", "50ul")
    shown = flat(rig("subject", "show", "M1").out)
    assert "2026-11-21 24 g 96.0 " in shown
    assert "2.5 ul 50 ul 1147.5 ul" in shown
    assert "due today 1147.5 ul" in shown
    assert "Ada: a scratch at the ear" in shown
    figure = tmp_path / "M1.png"
    report = json.loads(rig("subject", "show", "M1", "--json", "--figure", figure).out)
    assert figure.read_bytes().startswith(b"\x89PNG")
    (day,) = report["days"]
    assert (day["earned_ul"], day["by_hand_ul"], day["percent"], day["due"]) == (2.5, 50.0, 96.0, 1147.5)
    assert day["sessions"][0]["session"] == "2026-11-21/001"
    listed = flat(rig("subject", "list").out)
    assert "M1 mouse 24 g 96.0 1 2026-11-21/001 1147.5 ul -" in listed
    assert [each["subject"] for each in json.loads(rig("subject", "list", "--json").out)] == ["M1"]


def test_the_last_weight_of_a_day_is_listed_whether_a_session_took_it_or_not(
    rig: Rig, real: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weigh(hour: int, grams: str) -> None:
        monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, hour))
        assert rig("subject", "weigh", "M1", grams).status == 0

    rig("subject", "add", "M1", *MOUSE)
    weigh(8, "24")
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1", "--weight-g", "23.5").status == 0
    assert "M1 mouse 23.5 g 94.0" in flat(rig("subject", "list").out)
    weigh(12, "23")
    assert "M1 mouse 23 g 92.0" in flat(rig("subject", "list").out)


def test_a_move_that_was_killed_is_told_at_the_start_and_in_the_report(
    rig: Rig, real: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = ("--set", "stop.max_rewards=1")
    assert real("2026-11-21T09:00", *once).status == 0
    rig("subject", "add", "M2", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr("os.rename", lambda *words: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status != 0
    said = "the move of M1/2026-11-21/001 to M2 was interrupted: complete it with `rig session reassign"
    assert said in flat(rig("subject", "show", "M1").out)
    assert said in flat(rig("subject", "show", "M2").out)
    assert said in flat(real("2026-11-22T09:00", *once).err)
    assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status == 0
    assert "interrupted: complete" not in flat(rig("subject", "show", "M1").out)


def test_a_subject_that_cannot_be_read_does_not_hide_the_others(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    (data / "M0").mkdir()
    (data / "M0" / "subject.yaml").write_text("baseline_g: light\n")
    answer = rig("subject", "list")
    assert (answer.status, "M1" in answer.out, "M0" in answer.err) == (1, True, True)


def test_a_top_up_that_was_never_confirmed_is_shown_at_the_next_start(
    rig: Rig, real: Rig, clock: Callable[[str], None]
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    once = ("--set", "stop.max_rewards=1")
    first = real("2026-11-21T09:00", *once)
    assert "OPEN, of 2026-11-21: 1197.5 ul were never confirmed" in flat(first.err)
    second = real("2026-11-22T09:00", *once)
    assert "OPEN, of 2026-11-21: 1197.5 ul were never confirmed" in flat(second.err)
    clock("2026-11-22T10:00")
    assert rig("subject", "give", "M1", "1197.5ul", "--top-up", "2026-11-21").status == 0
    third = real("2026-11-22T12:00", *once, "--override", "early=the first one was short")
    assert "OPEN, of 2026-11-21" not in flat(third.err)


def test_a_session_too_soon_after_the_last_one_needs_a_reason(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    once = ("--set", "stop.max_rewards=1")
    assert real("2026-11-21T09:00", *once).status == 0
    refused = real("2026-11-22T02:30", *once)
    assert refused.status == 2
    assert "began 17.5 hours ago (2026-11-21 09:00), and min_hours is 18: no session" in flat(refused.err)
    assert not (data / "M1" / "2026-11-22").exists()
    assert "--override early: a reason is wanted" in real("2026-11-22T02:30", *once, "--override", "early= ").err
    allowed = real("2026-11-22T02:30", *once, "--override", "early=the first one was short")
    assert allowed.status == 0
    assert read_journal(data / "M1" / "2026-11-22" / "001")[0]["early_allowed"] == "the first one was short"
    assert real("2026-11-22T21:00", *once).status == 0


def test_a_baseline_that_is_too_old_is_told_where_a_person_weighs(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE, "--birth", "2026-10-01")
    said = "the baseline weight of a growing animal is 30 days old, and holds for 28"
    assert "holds for 28" not in rig("subject", "weigh", "M1", "24").out
    assert said in flat(real("2026-12-01T09:00", "--set", "stop.max_rewards=1").err)


def test_the_baseline_of_the_start_screen_grows(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE, "--birth", "2026-09-20")
    (data / "M1" / "subject.yaml").write_text("growth_g: [[6, 20], [8, 23], [10, 25]]\n")
    weighed = rig("subject", "weigh", "M1", "24").out
    assert "24 g, 80.5 % of the baseline (29.82 g of 2026-11-01, grown with its strain since then)" in weighed
    shown = flat(rig("subject", "show", "M1").out)
    assert "baseline 29.82 g" in shown


def test_the_file_of_a_subject_sets_how_many_hours_are_too_few(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    (data / "M1" / "subject.yaml").write_text("min_hours: 2\n")
    once = ("--set", "stop.max_rewards=1")
    assert real("2026-11-21T09:00", *once).status == 0
    assert real("2026-11-21T10:30", *once).status == 2
    assert real("2026-11-21T11:00", *once).status == 0


def test_a_session_without_a_trial_does_not_count_for_the_hours(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    assert real("2026-11-21T09:00", "--set", "stop.session_s=1").status == 0
    assert read_journal(data / "M1" / "2026-11-21" / "001")[-1]["trials"] == 0
    assert real("2026-11-21T09:10", "--set", "stop.max_rewards=1").status == 0


@pytest.mark.parametrize(("answer", "ul"), [("y", 1197.5), ("1.1 ml", 1100.0), ("200ul", 200.0)])
def test_the_top_up_is_asked_for_and_recorded_after_the_session(
    rig: Rig, real: Rig, data: Path, typed: Callable[..., list[str]], answer: str, ul: float
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    asked = typed(answer)
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    assert asked[-1].startswith("M1 is due 1197.5 ul. Given?")
    last = read_events(data / "M1").lines[-1]
    assert (last["k"], last["ul"], last["top_up_for"]) == ("given", ul, "2026-11-21")
    assert "OPEN" not in rig("subject", "show", "M1").out


@pytest.mark.parametrize("answers", [("",), ("n",), ("perhaps", "12g", "much"), ()])
def test_a_top_up_without_an_answer_stays_open(
    rig: Rig, real: Rig, data: Path, typed: Callable[..., list[str]], answers: tuple[str, ...]
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    typed(*answers)
    ended = real("2026-11-21T09:00", "--set", "stop.max_rewards=1")
    assert "OPEN, of 2026-11-21" in flat(ended.err)
    assert "given" not in kinds(data / "M1")
    assert read_journal(data / "M1" / "2026-11-21" / "001")[-1]["k"] == "footer"
