"""A laboratory names the size of its rewards as it likes: it is checked, given by hand and shown like any other."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from rig.cli.main import main
from rig.cli.terminal.start_screen import StartScreen
from rig.core.errors import ConfigError
from rig.session.check.check import check
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from tests.harness import FaultHarness, do_nothing, run_harness

TASK = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
TREAT = '    treat: Annotated[RewardVolume, GivenAt("right")] = 4.0\n'
FILE = """protocol: ./drops.py
simulation: {rig: sim_nose_ports}
params:
  drop_ul: DROP
stop: {session_s: 5, max_ul: 100}
"""


@pytest.fixture
def drops(tmp_path: Path) -> Callable[[float], Path]:
    """The laboratory's file with drops of so many microliters."""

    def write(ul: float) -> Path:
        (tmp_path / "drops.py").write_text(TASK)
        (tmp_path / "drops.yaml").write_text(FILE.replace("DROP", str(ul)))
        return tmp_path / "drops.yaml"

    return write


def test_a_volume_that_was_never_measured_is_refused_at_its_line(drops: Callable[[float], Path]) -> None:
    with pytest.raises(ConfigError) as caught:
        build_spec(SessionRequest(str(drops(500))))
    assert [line.partition("drops.yaml:")[2].partition(" (")[0] for line in caught.value.mistakes] == [
        "4: params.drop_ul: valve 'left'",
        "4: params.drop_ul: valve 'right'",
    ]
    assert all("or change the volume" in line for line in caught.value.mistakes)


def test_a_reward_by_hand_is_the_first_that_the_device_gives(drops: Callable[[float], Path]) -> None:
    def ask(harness: FaultHarness) -> None:
        harness.rig.board._clock.call_later(2.0, harness.session.request, "reward left")

    harness = run_harness(build_spec(SessionRequest(str(drops(3.0)))), do_nothing, arrange=ask)
    assert (harness.footer.rewards, harness.footer.ul) == (1, 3.0)
    assert len(harness.openings("left.valve")) == 1


def valves(spec: SessionSpec) -> dict[str, list[float]]:
    start = StartScreen(spec, True, Path("M1"), datetime(2026, 11, 21, 9), "A. Keeper", None, None)
    return {name: [drop.size for drop in start.drops(name)] for name in start.valves}


def test_the_start_screen_shows_how_long_each_valve_opens(drops: Callable[[float], Path]) -> None:
    assert valves(build_spec(SessionRequest(str(drops(3.0))))) == {"left": [3.0], "right": [3.0, 4.0]}


def test_the_parameters_are_shown_with_their_unit(
    drops: Callable[[float], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "params", str(drops(3.0))]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["drop_ul", "2.5", "3", "ul", "0.01", "to", "1000"] in shown
    assert ["treat", "4", "ul", "0.01", "to", "1000"] in shown


def test_a_volume_that_is_a_mere_number_is_pointed_out(drops: Callable[[float], Path]) -> None:
    path = drops(3.0)
    task = path.with_name("drops.py")
    task.write_text(task.read_text().replace("drop_ul: RewardVolume = 2.5", "drop_ul: float = 2.5").replace(TREAT, ""))
    assert "no parameter is a RewardVolume" in check(path, SessionRequest()).notes[-1]


def test_of_a_volume_that_has_its_type_nothing_is_said(drops: Callable[[float], Path]) -> None:
    assert not any("RewardVolume" in note for note in check(drops(3.0), SessionRequest()).notes)
