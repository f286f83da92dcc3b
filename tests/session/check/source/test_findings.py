"""`rig check` names what the source of a protocol shows, once, also in a state that its dry run never reaches."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest
from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows

RIG = """
boards: {sim: {driver: sim, chip: mega, reference: true}}
screen: {px_per_cm: 38}
devices:
  left:    {kind: port, beam: 2, light: 4, valve: 5, calibration: sim_left}
  right:   {kind: port, beam: 3, light: 6, valve: 7, calibration: sim_right}
  tray:    {kind: feeder, pin: 8, sensor: 10, measured: {date: 2026-11-03, pulses: 100, pellets: 100}}
  hopper:  {kind: hopper, pin: 9, light: 22, beam: 11}
  speaker: {kind: speaker, pin: 23}
  lamp:    {kind: houselight, pin: 24}
  laser:   {kind: ttl_out, pin: 25}
  camera:  {kind: ttl_in, pin: 12}
"""

YAML = """
protocol: ./lab.py:Lab
simulation: {rig: FOLDER/rig.yaml}
stop: {session_s: 60, max_rewards: 50}
"""

Checked = Callable[[str], FileReport]


@pytest.fixture
def checked(lab: Lab, tmp_path: Path) -> Checked:
    def made(body: str) -> FileReport:
        lab(body)
        (tmp_path / "rig.yaml").write_text(RIG)
        (tmp_path / "lab.yaml").write_text(YAML.replace("FOLDER", str(tmp_path)))
        return check(tmp_path / "lab.yaml", SessionRequest())

    return made


def test_a_lost_reward_in_a_state_is_a_mistake_with_its_line(checked: Checked) -> None:
    (mistake,) = checked("good.drop(p.ul)").mistakes
    assert f"lab.py:{LINE}: good.drop(p.ul) only makes an action, and it is thrown away" in mistake


def test_a_line_that_also_fails_in_the_dry_run_is_named_once(checked: Checked) -> None:
    (mistake,) = checked("await good.drop(1)").mistakes
    assert f"lab.py:{LINE}: await good.drop(1): an action takes no time of the task" in mistake


@rows("line", "said")
def test_a_wrong_object_and_an_unknown_name_have_their_lines_from_the_rehearsal(
    checked: Checked, line: str, said: str
) -> None:
    (mistake,) = checked(line).mistakes
    assert f"lab.py:{LINE}: " in mistake
    assert said in mistake


def test_what_only_the_dry_run_knows_has_its_line_too(checked: Checked) -> None:
    (mistake,) = checked("things = eval('[box.left]'); await self.first(*things)").mistakes
    assert (
        f"lab.py:{LINE}: in state 'rest': self.first: box.left is a Port, not an edge: write box.left.poked or"
        in mistake
    )


def test_a_pattern_that_is_compared_has_its_line_in_the_dry_run(checked: Checked) -> None:
    (mistake,) = checked("poke = eval('edge')\nif poke == eval('good.poked'): pass").mistakes
    assert f"lab.py:{LINE + 1}: in state 'rest': the event Edge is compared with 'left.beam+', never equal" in mistake


def test_a_sequence_that_is_never_started_is_a_warning(checked: Checked) -> None:
    report = checked("if self.now_s > 1e9: self.more = self.sequence((0, good.drop(1)))")
    assert report.mistakes == ()
    warning, *_ = report.warnings
    assert f"lab.py:{LINE}: the sequence self.more is loaded and never started" in warning
