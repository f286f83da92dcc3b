"""A protocol with a device of every kind, of which each test gives the lines of one state."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.session.check.source.findings import SourceFindings, check_source
from rig.session.spec.task_classes import find_task

PROTOCOL = '''
import datetime
import random
import time
from dataclasses import dataclass
from random import choice
from rig import *
from rig.devices import Device


class Params(TaskParams):
    ul: RewardVolume = 2.5
    hold_s: float = 1.0
    delay_ms: float = 500.0
    pause: float = 1.0
    n_pellets: Pellets = 1


@dataclass
class Box:
    left: Port
    right: Port
    tray: Feeder
    hopper: Hopper
    speaker: Speaker
    lamp: Houselight
    screen: Touchscreen
    laser: TtlOut | None = None


@dataclass
class Trial(TrialRow):
    choice: str = ""


@dataclass
class Visit(Row):
    t: float = 0.0


class Helper:
    def __init__(self, task, device: Port) -> None:
        self.task, self.device = task, device
        self.pays = device.drop(2.5)

    def action(self) -> Action:
        return self.device.drop(1)

    def unwritten(self):
        return self.device.drop(1) if self.task else NOTHING

    def pay(self) -> None:
        self.task.do(self.pays)


class Lab(Task[Params, Box, Trial]):
    tables = {"visits": Visit}

    def prepare(self) -> None:
        box = self.box
        self.ports = {"left": box.left, "right": box.right}
        self.sides = (box.left, box.right)
        self.used = (box.tray, box.hopper, box.lamp, box.screen, box.laser, self.params.hold_s, self.params.pause)
        self.also = (self.params.ul, self.params.n_pellets, self.params.delay_ms)
        self.train = self.sequence((0, box.left.drop(2.5)), (0.5, box.speaker.tone(8000, 100)))
        self.helper = Helper(self, box.left)

    @state(to=("work", "rest"), can_end=True)
    async def work(self) -> Next:
        box, p, good = self.box, self.params, self.box.left
        poke = await self.first(good.poked, within=5)
        self.train.start()
        self.helper.pay()
        return self.rest

    @state(to=("work", "rest"), can_end=True)
    async def rest(self) -> Next:
        """A state that no dry run has to reach."""
        box, p, good = self.box, self.params, self.box.left
        edge = await self.first(good.poked)
        {body}
        return self.work if edge else self.rest

    @property
    def its_ports(self):
        return [port for port in self.ports.values()]

    def reward(self, port: Port) -> Action:
        return port.drop(self.params.ul)

    async def wait_long(self) -> float:
        await self.sleep(5)
        return self.now_s
'''
LINE = next(number for number, line in enumerate(PROTOCOL.splitlines(), 1) if "{body}" in line)

DEVICES = ("left", "right", "tray", "hopper", "speaker", "lamp", "laser", "camera")

Lab = Callable[[str], SourceFindings]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Return a function that checks the source of the protocol with these lines in a state."""

    def made(body: str) -> SourceFindings:
        lines = body.strip().replace("\n", "\n" + " " * 8)
        (tmp_path / "lab.py").write_text(PROTOCOL.replace("{body}", lines))
        return check_source(find_task("./lab.py:Lab", tmp_path), DEVICES)

    return made
