"""A laboratory whose board samples a lever and a wheel: task, rig and protocol as files."""

from __future__ import annotations

from pathlib import Path

TASK = '''
"""A drop for a distance on the wheel, and a row with the press that came before."""

from dataclasses import dataclass
from typing import Annotated

from rig import AnalogInput, Column, Encoder, Next, Port, Task, TaskParams, TrialRow, state


@dataclass
class Box:
    left: Port
    lever: AnalogInput
    wheel: Encoder


@dataclass
class Trial(TrialRow):
    pressed_s: Annotated[float | None, Column("when the lever was pressed")] = None
    far_s: Annotated[float | None, Column("when the wheel had turned far enough")] = None


class Treadmill(Task[TaskParams, Box, Trial]):
    """Press the lever, then turn the wheel: the board gives a drop."""

    @state(to=("turn",), can_end=True)
    async def press(self) -> Next:
        """Wait for a press."""
        edge = await self.first(self.box.lever.rose("pressed"))
        row = self.begin_trial(Trial())
        row.pressed_s = edge.t_s
        return self.turn

    @state(to=("press",), can_end=True)
    async def turn(self) -> Next:
        """Wait until the wheel has turned far enough; the board gives the drop."""
        edge = await self.react((self.box.wheel.rose("far"), self.box.left.reward(4.0)))
        self.row.far_s = edge.t_s
        self.end_trial()
        await self.until(self.box.wheel.low("far"))
        return self.press
'''
RIG = """
extends: sim_nose_ports.yaml
devices:
  lever: {kind: analog_input, pin: 14, period_ms: 1, scale: 0.5, unit: g, thresholds: {pressed: {above: 10, below: 5}}}
  wheel: {kind: encoder, pin_a: 20, pin_b: 21, scale: 0.1, unit: cm, thresholds: {far: {above: 100, below: 90}}}
"""
PROTOCOL = """
protocol: ./treadmill.py:Treadmill
simulation: {rig: ./room.yaml, model: random_explorer}
stop: {session_s: 20, max_rewards: 50, max_ul: 300}
"""


def write_lab(folder: Path) -> Path:
    """Write ``treadmill.yaml`` with its rig and its task."""
    for name, text in {"treadmill.py": TASK, "room.yaml": RIG, "treadmill.yaml": PROTOCOL}.items():
        (folder / name).write_text(text.lstrip())
    return folder
