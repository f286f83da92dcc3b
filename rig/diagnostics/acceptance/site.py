"""Where an acceptance takes place: the rig, its board's port, the person in front of it, and two free pins."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from rig.boards.chips import CHIPS
from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Driver
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.board import Board, BoardInfo, Input, Output, Wiring
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.diagnostics.io_test import Operator
from rig.diagnostics.timing.line import CountingTransport

LOOP, JUMPER = "loop", "jumper.in"
"""The output and the input that the jumper joins."""


class SiteOperator(Operator):
    """A person at the rig who can also put in a jumper, and pull the cable."""

    @abstractmethod
    async def done(self, task: str) -> None:
        """Wait until the person has done a task."""

    async def observed_once(self, question: str) -> bool:
        """Return whether the person saw something that cannot be repeated."""
        return await self.observed(question) == "yes"


@dataclass(frozen=True)
class LoopPins:
    """Two free pins of a chip, for a jumper from one to the other."""

    output: int
    input: int

    def wiring(self, lease_s: float, max_on_us: int) -> Wiring:
        """Return the wiring of the jumper alone; its input reports every change at once."""
        loop = Output("loop", Role.LINE, self.output, max_on_us=max_on_us)
        jumper = Input("jumper", Role.IN, self.input, debounce_us=0, confirm_on_us=0, machine=True)
        return Wiring((loop, jumper), lease_s)

    def __str__(self) -> str:
        return f"from pin {self.output} to pin {self.input}"


@dataclass(frozen=True)
class Site:
    """A rig under acceptance."""

    plan: RigSpec
    driver: Driver
    operator: SiteOperator
    chip: str
    loop: LoopPins

    @asynccontextmanager
    async def opened(self, wiring: Wiring) -> AsyncIterator[tuple[BoardClient[Board], CountingTransport, BoardInfo]]:
        """Open the board with a wiring, and close it with all outputs off. Raises ``BoardError``."""
        connection = self.driver.connect(self.plan, SimulationOptions())
        line = CountingTransport(connection.transport, running())
        counted = replace(connection, transport=line)
        client = BoardClient(lambda inbox: self.driver.board(counted, self.plan, inbox, 1))
        async with client.opened(wiring) as info:
            yield client, line, info


def free_pins(plan: RigSpec, chip: str, asked: str | None = None) -> LoopPins:
    """Return the pins for the jumper: those asked for as ``OUT:IN``, or the first two that the rig leaves free.

    Raises ``ConfigError``.
    """
    kind, taken = CHIPS[chip], plan.wiring.taken_pins
    free = [pin for pin in kind.pins if pin not in taken and pin not in kind.driven_pins]
    if asked is None:
        inputs = [pin for pin in free if kind.can_be_input(pin)]
        outputs = [pin for pin in free if inputs and pin != inputs[-1]]
        if not outputs:
            raise ConfigError(
                f"rig {plan.name} leaves no two pins of the {kind.board} free: name a pair with --jumper OUT:IN after "
                "unplugging what is wired to it"
            )
        return LoopPins(outputs[-1], inputs[-1])
    first, colon, second = asked.partition(":")
    if not (colon and first.isdecimal() and second.isdecimal() and len(asked) < 8 and int(first) != int(second)):
        raise ConfigError(f"--jumper {asked}: wanted two pins, such as --jumper 11:12, from an output to an input")
    pins = LoopPins(int(first), int(second))
    for pin in (pins.output, pins.input):
        if pin not in kind.pins or pin in kind.driven_pins:
            raise ConfigError(f"--jumper {asked}: pin {pin} cannot be used; free pins: {', '.join(map(str, free))}")
        if pin in taken:
            raise ConfigError(
                f"--jumper {asked}: pin {pin} belongs to {taken[pin]}; free pins: {', '.join(map(str, free))}"
            )
    if not kind.can_be_input(pins.input):
        raise ConfigError(f"--jumper {asked}: pin {pins.input} of the {kind.board} cannot be an input")
    return pins


def wiring_hash(plan: RigSpec) -> str:
    """Return the hash of a rig's wiring, which an acceptance is valid for."""
    text = repr((plan.board.driver, plan.board.uid, plan.board.chip, plan.wiring))
    return hashlib.sha256(text.encode()).hexdigest()
