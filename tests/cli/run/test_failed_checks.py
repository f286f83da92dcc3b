"""A valve that failed its last check: a session on it needs a reason."""

from pathlib import Path

import pytest

from rig.cli.run import overrides
from rig.config.calibration import load_calibration
from rig.config.find import find_calibration
from rig.maintenance.valves.calibration_writer import append_check
from tests.cli.conftest import Rig
from tests.cli.subject.test_records import flat
from tests.session_ends import header_of

ONCE = ("--set", "stop.max_rewards=1")


@pytest.fixture
def calibration(far: Path) -> Path:
    """The calibration of the left valve, which is the only one of this test that may be changed."""
    word = "left_2026-11-20"
    shipped = find_calibration("sim_left")
    path = far.parent.parent / "calibrations" / f"{word}.yaml"
    path.parent.mkdir()
    path.write_text(shipped.read_text().replace("2026-11-03", "2026-11-20"))
    far.write_text(far.read_text().replace("calibration: sim_left", f"calibration: {word}"))
    return path


def check(path: Path, off: float, date: str = "2026-11-21") -> None:
    append_check(path, date, 42_000, load_calibration(path).ul(42_000) * (1 + off / 100), "anna")


def test_a_session_is_refused_without_a_reason_and_the_reason_is_recorded(
    real: Rig, calibration: Path, data: Path, far: Path
) -> None:
    check(calibration, -64.1)
    refused = real("2026-11-21T09:00", *ONCE)
    assert refused.status == 2
    assert f"`rig device check {far} left`" in " ".join(refused.err.split()), "a rig that no name finds"
    said = "left: its last check failed: -64.1 % of left_2026-11-20 (2026-11-21 by anna)"
    assert said in flat(refused.err)
    assert "or say why it may run with --override failed_check='reason'" in flat(refused.err)
    assert "FAILED its check today: -64.1 %" in flat(refused.err)
    assert not list(data.rglob("journal.jsonl"))
    assert (
        "--override failed_check: a reason is wanted"
        in real("2026-11-21T09:00", *ONCE, "--override", "failed_check=").err
    )
    allowed = real("2026-11-21T09:00", *ONCE, "--override", "failed_check=the weight was mistyped")
    assert allowed.status == 0, allowed.err
    header = header_of(data / "M1" / "2026-11-21" / "001")
    assert header.facts["failed_check_allowed"] == "the weight was mistyped"
    assert header.rig.calibrations["left_2026-11-20"]["checks"] == [["2026-11-21", -64.1, "anna"]]


@pytest.mark.parametrize(
    ("off", "on", "shown"), [(1.2, "2026-11-21", "checked today: +1.2 %"), (-0.4, "2026-11-20", "1 day ago: -0.4 %")]
)
def test_a_check_that_passed_is_shown_and_asks_nothing(
    real: Rig, calibration: Path, off: float, on: str, shown: str
) -> None:
    check(calibration, -64.1, on)
    check(calibration, off, on)
    said = real("2026-11-21T09:00", *ONCE)
    assert said.status == 0, said.err
    assert shown in flat(said.err)
    assert "its last check failed" not in said.err


@pytest.mark.parametrize(("typed", "status"), [("only a rehearsal", 0), ("", 2)])
def test_at_a_terminal_the_reason_is_asked_for(
    real: Rig, calibration: Path, data: Path, monkeypatch: pytest.MonkeyPatch, typed: str, status: int
) -> None:
    check(calibration, -64.1)
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return typed

    monkeypatch.setattr(overrides, "is_interactive", lambda: True)
    monkeypatch.setattr(overrides, "ask_now", answer)
    said = real("2026-11-21T09:00", *ONCE)
    assert said.status == status, said.err
    assert asked == ["reason to run on this valve, which is recorded (Enter: no session): "]
    if status == 0:
        assert header_of(data / "M1" / "2026-11-21" / "001").facts["failed_check_allowed"] == typed


def test_the_answer_for_a_box_can_be_given_beforehand() -> None:
    from rig.cli.run.box_answers import BoxAnswers

    answers = BoxAnswers.parse(["one.override=failed_check=new tube"], ["one"])
    assert answers.of("one") == ("--override=failed_check=new tube",)


def test_a_measured_valve_asks_nothing_any_more(real: Rig, calibration: Path, far: Path) -> None:
    check(calibration, -64.1)
    newer = calibration.read_text().replace("2026-11-20", "2026-11-21").partition("checks:")[0]
    calibration.with_name("left_2026-11-21.yaml").write_text(newer)
    far.write_text(far.read_text().replace("left_2026-11-20", "left"))
    assert real("2026-11-21T09:00", *ONCE).status == 0
