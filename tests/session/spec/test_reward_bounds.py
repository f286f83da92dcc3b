"""Each unit that the rewards of a protocol can give is bounded, and no limit is in a unit that is never given."""

from pathlib import Path

import pytest

from rig.config.models.protocol_file import REWARD_LIMITS
from rig.core.errors import ConfigError
from rig.session.spec.build import build_spec, spec_from_file
from rig.session.spec.request import SessionRequest
from tests.tables import rows

WATER, PELLETS, GRAIN, POINTS = (
    ("two_armed_bandit", "sim_nose_ports"),
    ("delay_discounting", "sim_t_maze"),
    ("disk_bandit", "sim_pigeon_chamber"),
    ("disk_bandit_human", "sim_desk"),
)


def mistakes(tmp_path: Path, which: tuple[str, str], limits: str) -> list[str]:
    protocol, rig = which
    shipped = build_spec(SessionRequest(protocol, rig)).sources[0]
    file = tmp_path / "p.yaml"
    # The keys of a mapping are merged, so the limits of the shipped file are taken out.
    own = [key for key in REWARD_LIMITS if key not in limits]
    lines = [f"extends: {shipped.absolute()}", "stop:", f"  {limits}", *(f"  {key}: null" for key in own)]
    file.write_text("\n".join(lines))
    try:
        spec_from_file(file, SessionRequest(rig=rig))
    except ConfigError as error:
        return [said.removeprefix(f"{tmp_path}/") for said in error.mistakes]
    return []


@rows("which", "limits", "said")
def test_a_limit_in_a_unit_that_is_never_given_is_a_mistake_at_its_line(
    tmp_path: Path, which: tuple[str, str], limits: str, said: str
) -> None:
    key = limits.partition(":")[0]
    assert mistakes(tmp_path, which, limits) == [f"p.yaml:3: stop.{key}: no device of this rig {said}"]


@pytest.mark.parametrize("limits", ["max_ul: 20", "max_rewards: 20"])
def test_a_volume_and_a_number_of_rewards_bound_water(tmp_path: Path, limits: str) -> None:
    assert mistakes(tmp_path, WATER, limits) == []


def test_a_further_limit_in_another_unit_is_left_out(tmp_path: Path) -> None:
    (said,) = mistakes(tmp_path, WATER, "max_ul: 20\n  max_pellets: 20")
    assert said.endswith("stop.max_pellets: no device of this rig gives pellets, so this limits nothing: leave it out")


BOTH = """
from dataclasses import dataclass
from typing import Annotated

from rig import Feeder, Needs, Next, Port, Row, Task, TaskParams, state


@dataclass
class Box:
    left: Annotated[Port, Needs("valve")]
    right: Port
    food: Feeder


class Lab(Task[TaskParams, Box, Row]):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        left, food = self.box.left, self.box.food
        await self.react((left.poked, left.drop(2.5)), (self.box.right.poked, food.pellets()))
        return self.wait
"""


@rows("limits", "said")
def test_every_unit_of_a_protocol_that_gives_two_is_bounded(tmp_path: Path, limits: str, said: str) -> None:
    for folder in ("rigs", "protocols"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lab.py").write_text(BOTH)
    (tmp_path / "rigs" / "both.yaml").write_text(
        f"extends: {Path('configs/rigs/sim_nose_ports.yaml').absolute()}\n"
        "devices:\n  food: {kind: feeder, pin: 12, measured: {date: 2026-11-03, pulses: 100, pellets: 100}}\n"
    )
    file = tmp_path / "protocols" / "p.yaml"
    file.write_text(f"protocol: ../lab.py\nsimulation: {{rig: both}}\nstop: {{session_s: 60, {limits}}}\n")
    if not said:
        spec_from_file(file, SessionRequest())
        return
    with pytest.raises(ConfigError) as error:
        spec_from_file(file, SessionRequest())
    assert list(error.value.mistakes) == [f"{file}:3: stop: {said}"]
