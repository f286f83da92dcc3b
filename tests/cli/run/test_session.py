"""`rig run` from the door to the end screen: what it shows, asks, refuses, and writes down."""

import datetime
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.run import session as run_module
from rig.cli.run.after import top_up_after
from rig.cli.run.real_time import KEYS
from rig.config.subject import SubjectFile
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import RecordError
from rig.records.subject.known_subject import KnownSubject
from rig.session.run import run_session as perform_module
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import posix
from tests.session.real_driver import RealBoardDriver
from tests.session_ends import header_of

MOUSE = ("run", *BANDIT, "--set", "stop.session_s=0.2")
"""A virtual mouse in real time, briefly."""


def facts(data: Path, subject: str = "sim/M1") -> dict[str, float | str]:
    """What a person decided at the start of the newest session."""
    return header_of(max((data / subject).rglob("journal.jsonl"))).facts


def flat(text: str) -> str:
    """A text without the folds of its lines."""
    return " ".join(text.split())


def environment(data: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(next(data.rglob("environment.json")).read_text())
    return facts


def subject_file(data: Path, text: str, subject: str = "sim/M1") -> None:
    (data / subject).mkdir(parents=True, exist_ok=True)
    (data / subject / "subject.yaml").write_text(text)


# --- the start screen -----------------------------------------------------------------------------------------


def test_a_virtual_mouse_needs_no_confirmation_and_its_screens_are_shown(rig: Rig, data: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--set", "params.p_high=0.9", "--experimenter", "AB")
    assert answer.status == 0, answer.err
    for words in ("M1, played by the model rflr", "p_high  0.9  (default 0.8)", "2.5 ul in 40.0 ms", "first session"):
        assert words in answer.err
    assert "experimenter  AB" in answer.err
    assert environment(data)["experimenter"] == "AB"
    assert answer.out.endswith(f"records: {data / 'sim' / 'M1' / '2026-11-21' / '001'}\n")


def test_the_end_screen_pastes_into_a_spreadsheet(rig: Rig, data: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--weight-g", "24,1 g")
    names, values = (line.split("\t") for line in answer.out.splitlines() if "\t" in line)
    row = dict(zip(names, values, strict=True))
    assert row == {
        "date": "2026-11-21",
        "subject": "M1",
        "grams": "24.1",
        "trials": "0",
        "rewards": "0",
        "ul": "0",
        "min": "0.0",
        "ended": "time_limit",
    }
    assert facts(data)["weight_g"] == 24.1


def test_with_json_standard_output_is_nothing_else(rig: Rig, data: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--json")
    assert json.loads(answer.out)["reason"] == "time_limit"
    assert "the time limit was reached" in answer.err


def test_no_line_of_the_screens_is_longer_than_the_terminal(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for _ in range(2):
        answer = rig(*MOUSE, "--subject", "M1", "--experimenter", "a person with a long name " * 8)
    lines = [line for line in (answer.out + answer.err).splitlines() if not line.startswith("records: ")]
    assert max(len(line.expandtabs()) for line in lines) <= 80


def test_the_last_session_is_named_and_one_that_is_not_long_ago_is_warned_about(rig: Rig, session: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--start", "2026-11-21T15:00")
    assert "2026-11-21 09:00 (6 hours ago), two_armed_bandit" in answer.err
    assert "the last session began less than 18 hours ago" in answer.err
    next_day = rig(*MOUSE, "--subject", "M1", "--start", "2026-11-23T15:00")
    assert "(2 days ago)" in next_day.err
    assert "18 hours" not in next_day.err


def test_a_crash_is_warned_about_with_what_to_do(rig: Rig, session: Path) -> None:
    lines = (session / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (session / "journal.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:10])
    answer = rig(*MOUSE, "--subject", "M1", "--start", "2026-11-22T09:00")
    assert answer.status == 0
    assert "the last session has no end" in flat(answer.err)
    assert f"\nrig recover {session}\n" in answer.err, "a command that can be copied"


def test_another_opening_for_the_same_reward_is_warned_about(rig: Rig, session: Path, tmp_path: Path) -> None:
    configs = tmp_path / "configs"
    for kind in ("rigs", "calibrations"):
        (configs / kind).mkdir(parents=True)
    shipped = Path(__file__).parents[3] / "configs"
    for side, ms in (("left", 60), ("right", 47)):
        text = (shipped / "calibrations" / f"sim_{side}.yaml").read_text()
        points = f"points: [{{open_ms: 10, ul: 0.4}}, {{open_ms: {ms}, ul: 2.5}}]\n"
        (configs / "calibrations" / f"sim_{side}.yaml").write_text(text.partition("points:")[0] + points)
    (configs / "rigs" / "new.yaml").write_text((shipped / "rigs" / "sim_nose_ports.yaml").read_text())
    answer = rig(*MOUSE, "--subject", "M1", "--start", "2026-11-22", "--rig", configs / "rigs" / "new.yaml")
    assert "left: the same 2.5 ul is 60.0 ms now, and was 40.0 ms" in flat(answer.err)
    assert "right: the same" not in answer.err, "47 ms is less than a fifth more"


# --- who is it? -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answered", ["M1", "m1", "y", "Yes"])
def test_its_name_or_y_begins(rig: Rig, data: Path, far: Path, typed: Callable[..., list[str]], answered: str) -> None:
    asked = typed(answered)
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--weight-g", "24")
    assert answer.status == 3, "the board is not there, but it was looked for"
    assert asked == ["Is it M1? [type M1 or y] "]


def test_enter_alone_asks_again(rig: Rig, far: Path, typed: Callable[..., list[str]]) -> None:
    asked = typed("", "", "y")
    assert rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--weight-g", "24").status == 3
    assert asked == ["Is it M1? [type M1 or y] "] * 3


@pytest.mark.parametrize("answered", [("n",), ("no",), ("M2",), ("", ""), ()])
def test_anything_else_stops_before_anything_is_touched(
    rig: Rig, data: Path, far: Path, typed: Callable[..., list[str]], answered: tuple[str, ...]
) -> None:
    typed(*answered)
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--weight-g", "24")
    assert answer.status == 2
    assert "Not confirmed" in answer.err
    assert not data.exists()


RAT = ("R1", "--species", "rat", "--by", "JD")
OF_MICE = "R1 is a rat; two_armed_bandit_90-10 is written for mice"


@pytest.fixture
def rat(rig: Rig, data: Path, far: Path) -> Sequence[str | Path]:
    """The words of a mouse's task for a rat."""
    assert rig("subject", "add", *RAT).status == 0
    return ("run", "two_armed_bandit_90-10", "--rig", far, "--subject", "R1", "--override", "weight=a test")


def test_a_task_that_is_unusual_for_the_subject_needs_a_reason(rig: Rig, rat: Sequence[str | Path]) -> None:
    refused = rig(*rat, "--yes")
    assert refused.status == 2
    assert f"warning {OF_MICE}" in flat(refused.err)
    assert f"{OF_MICE}: no session; or say why it may run with --override task='reason'" in flat(refused.err)
    assert "--override task: a reason is wanted" in rig(*rat, "--yes", "--override", "task= ").err
    assert rig(*rat, "--yes", "--override", "task=rats learn it too").status == 3


def test_at_a_terminal_the_reason_is_typed(
    rig: Rig, rat: Sequence[str | Path], typed: Callable[..., list[str]]
) -> None:
    asked = typed("rats learn it too", "r1")
    assert rig(*rat).status == 3
    assert [question.partition(" ")[0] for question in asked] == ["reason", "Is"]
    asked = typed("")
    answer = rig(*rat)
    assert (answer.status, len(asked)) == (2, 1)
    assert "no reason given; session not started" in answer.err


def test_the_reason_for_an_unusual_task_is_recorded(real: Rig, rig: Rig, data: Path) -> None:
    assert rig("subject", "add", "M1", *RAT[1:]).status == 0
    assert real("2026-11-21T09:00").status == 2
    assert real("2026-11-21T09:00", "--override", "task=rats learn it too").status == 0
    assert facts(data, "M1")["other_task_allowed"] == "rats learn it too"


def test_a_virtual_subject_may_do_any_task(rig: Rig, data: Path) -> None:
    assert rig("subject", "add", "M1", *RAT[1:]).status == 0
    assert rig(*MOUSE, "--subject", "M1").status == 0


def test_where_nobody_can_confirm_it_says_what_to_add(rig: Rig, data: Path, far: Path) -> None:
    words = ("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--override", "weight=scale broken")
    answer = rig(*words)
    assert answer.status == 2
    assert "--yes" in answer.err
    assert not data.exists()
    assert rig(*words, "--yes").status == 3


def test_a_session_that_is_running_is_no_crash(rig: Rig, data: Path, session: Path) -> None:
    from rig.session.subject import SubjectFolder

    with SubjectFolder(data, "M1", simulated=True):
        answer = rig(*MOUSE, "--subject", "M1")
    assert answer.status == 2
    assert "another session of 'M1' is running" in answer.err
    assert "recover" not in answer.err


def test_a_clock_that_has_gone_back_is_refused_unless_the_time_is_given(rig: Rig, data: Path) -> None:
    assert rig(*MOUSE, "--subject", "M1", "--start", "2090-01-01T09:00").status == 0
    now = [word for word in MOUSE if word not in ("--start", "2026-11-21T09:00")]
    answer = rig(*now, "--subject", "M1")
    assert answer.status == 2
    assert "2090-01-01 09:00" in answer.err
    assert "set the clock right" in answer.err
    assert rig(*MOUSE, "--subject", "M1").status == 0


# --- how heavy is it? -----------------------------------------------------------------------------------------


def test_on_a_real_board_a_weight_or_a_reason_is_required(rig: Rig, data: Path, far: Path) -> None:
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--yes")
    assert answer.status == 2
    assert "--weight-g GRAMS" in answer.err
    assert "--override weight='reason'" in answer.err
    assert not data.exists()


def test_at_a_terminal_the_weight_is_asked_for_until_it_is_one(
    rig: Rig, far: Path, typed: Callable[..., list[str]]
) -> None:
    asked = typed("heavy", "-24", "24.5", "y")
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new")
    assert answer.status == 3
    assert [question.partition(" ")[0] for question in asked] == ["weight", "'heavy'", "'-24'", "Is"]
    assert "weight        24.5 g" in answer.err


def test_at_a_terminal_a_reason_is_as_good(rig: Rig, far: Path, typed: Callable[..., list[str]]) -> None:
    typed("- scale is broken", "y")
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new")
    assert "not weighed: scale is broken" in answer.err


def test_the_weight_is_held_against_the_baseline(rig: Rig, data: Path) -> None:
    subject_file(data, "baseline_g: 25\nbaseline_date: 2026-11-01\n")
    words = (*MOUSE, "--subject", "M1")
    well = rig(*words, "--weight-g", "22")
    assert "22 g, 88.0 % of the baseline (25 g of 2026-11-01)" in well.err
    assert "22 g, 88.0 % of the baseline" in well.out
    assert "warn_pct" not in well.err
    assert "below warn_pct (85 %)" in rig(*words, "--weight-g", "21").err
    assert "was it mistyped?" in rig(*words, "--weight-g", "210").err


def test_a_subject_that_is_too_light_does_not_run_without_a_reason(rig: Rig, data: Path) -> None:
    subject_file(data, "baseline_g: 25\n")
    words = (*MOUSE, "--subject", "M1", "--weight-g", "19.9")
    refused = rig(*words)
    assert refused.status == 2
    assert "79.6 % of the baseline, below refuse_pct (80 %): no session" in refused.err
    assert not list(data.rglob("journal.jsonl"))
    allowed = rig(*words, "--override", "underweight=the vet agrees, JD")
    assert allowed.status == 0
    assert (facts(data)["weight_g"], facts(data)["underweight_allowed"]) == (19.9, "the vet agrees, JD")
    assert "allowed by hand: the vet agrees, JD" in flat(allowed.out)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--weight-g", "much"), "--weight-g much: is no weight"),
        (("--weight-g", "-3"), "is no weight of a subject"),
        (("--weight-g", "nan"), "is no weight of a subject"),
        (("--weight-g", "1e9"), "up to 20000"),
        (("--override", "weight= "), "--override weight: a reason is wanted"),
        (("--override", "underweight="), "--override underweight: a reason is wanted"),
        (("--weight-g", "24", "--override", "weight=why"), "give one of them"),
    ],
)
def test_what_is_no_weight_and_no_reason_is_refused(rig: Rig, words: tuple[str, ...], said: str) -> None:
    answer = rig(*MOUSE, "--subject", "M1", *words)
    assert answer.status == 2
    assert said in answer.err


def test_mistakes_in_the_subjects_file_have_a_line(rig: Rig, data: Path) -> None:
    subject_file(data, "baseline_g: heavy\n\nbaselin_date: 2026-11-01\n")
    answer = rig(*MOUSE, "--subject", "M1")
    assert answer.status == 2
    assert "subject.yaml:1: baseline_g: must be a number" in answer.err
    assert "subject.yaml:3: baselin_date: unknown key; did you mean 'baseline_date'?" in answer.err


def test_the_water_that_is_still_due_counts_all_sessions_of_the_day(real: Rig, data: Path) -> None:
    subject_file(data, "daily_target_ul: 100\n", "M1")
    short = ("--set", "stop.max_rewards=1")
    given_ul = [json.loads(real(f"2026-11-21T{hour:02}:00", "--json", *short).out)["ul"] for hour in (9, 10)]
    assert given_ul == [2.5, 2.5]
    assert "92.5 ul are due today" in real("2026-11-21T11:00", *short).out
    subject_file(data, "daily_target_ul: 1\n", "M1")
    assert "\ntop-up        0 ul are due today" in real("2026-11-21T12:00", *short).out


def test_a_session_on_a_real_board(rig: Rig, data: Path, far: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (run_module, perform_module):
        monkeypatch.setattr(module, "find_driver", lambda name: RealBoardDriver())
    words = ("run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--new", "--yes", "--set", "stop.session_s=5")
    far.write_text(far.read_text().replace("null", "7"))
    monkeypatch.setattr(common, "now", lambda: datetime.datetime(2026, 11, 21, 9))
    late = rig(*words, "--weight-g", "24")
    assert late.status == 2
    assert "sim_left was measured on 2026-11-03, 18 days ago; at most 7 are allowed" in late.err
    monkeypatch.setattr(common, "now", lambda: datetime.datetime(2026, 11, 5, 9))
    answer = rig(*words, "--weight-g", "24")
    assert answer.status == 0, answer.err
    assert "board uno (serial)" in answer.err
    assert "calibration sim_left, 2 days old" in flat(answer.err)
    assert "weight        24 g" in answer.err
    assert "weight        24 g" in answer.out
    assert facts(data, "M1")["weight_g"] == 24.0
    assert header_of(max((data / "M1").rglob("journal.jsonl"))).model is None


def test_when_the_day_has_had_all_it_may_nobody_is_asked_anything(
    real: Rig, data: Path, typed: Callable[..., list[str]]
) -> None:
    asked = typed("y")
    assert real("2026-11-21T09:00").status == 0
    subject_file(data, "max_ul_day: 5\n", "M1")
    answer = real("2026-11-21T15:00")
    assert answer.status == 2
    assert "no more today" in answer.err
    assert asked == []


# --- at a true terminal ---------------------------------------------------------------------------------------


@posix
@pytest.mark.real_time
def test_an_enter_from_before_the_question_is_no_answer(data: Path) -> None:
    from tests.cli.pseudo_terminal import terminal
    from tests.cli.terminal.test_display import until

    with terminal("run", "two_armed_bandit", "--subject", "me", "--model", "keyboard") as screen:
        os.write(screen.master, b"\n\n")
        until(lambda: screen.shows("Is it me?"))
        assert screen.process.poll() is None
        until(lambda: screen.shows(KEYS))
        os.write(screen.master, b"n\n")
        assert screen.ends() == 2
    assert "Not confirmed" in screen.text
    assert not data.exists()


def test_a_session_that_has_ended_is_shown_though_nobody_can_read_what_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: object) -> None:
        raise RecordError("M1: cannot be read: Too many open files")

    monkeypatch.setattr("rig.cli.run.after.top_up_of", refused)
    known = KnownSubject(SubjectFacts(), SubjectFile(daily_target_ul=1000))
    said = top_up_after(known, tmp_path, datetime.datetime(2026, 11, 23, 9))
    assert said == (None, "unknown: M1: cannot be read: Too many open files")
