"""Every input and output of a rig, one after the other, with somebody watching; everything off at the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rig.boards.client import BoardClient
from rig.core.engine.inbox import Inbox
from rig.core.model.actions import Amount, Order, Pulse, Set, Tone, Train
from rig.core.model.board import Board, Channel, Input, Output
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec

ON_S = 1.0
FALLS_S = 2.0
"""A pellet has fallen by then."""
HZ = 1000
OPENINGS, OPEN_US, EVERY_US = 5, 20_000, 500_000
"""A valve is heard by short openings, few enough to count."""

Client: TypeAlias = BoardClient[Board]
Answer: TypeAlias = Literal["yes", "no", "again"]
Result: TypeAlias = Literal["good", "wrong", "skipped"]


@dataclass(frozen=True)
class Exercised:
    """One channel, and what came of it."""

    channel: str
    result: Result
    text: str


class Watcher(ABC):
    """Who stands at the rig; ``within_s`` is how long a hand may take."""

    within_s: float

    @abstractmethod
    def tell(self, text: str) -> None:
        """Say what to do, or what is about to happen."""

    def gave(self, amount: Amount) -> None:  # noqa: B027 (only who watches over an animal keeps account)
        """Take note that so much is about to be given, wherever it falls."""

    @abstractmethod
    async def saw(self, question: str) -> Answer:
        """Ask whether something happened."""

    @abstractmethod
    async def agrees(self, question: str) -> bool:
        """Ask whether something may happen that could do harm."""


class Nobody(Watcher):
    """Watches a simulated rig: it can be relied on to do as it is told, and a virtual finger breaks its beams."""

    within_s = 300.0

    def tell(self, text: str) -> None:
        """Hear nothing."""

    async def saw(self, question: str) -> Answer:
        """Believe it."""
        return "yes"

    async def agrees(self, question: str) -> bool:
        """Mind nothing."""
        return True


async def exercise(plan: RigSpec, make_board: Callable[[Inbox], Board], watcher: Watcher) -> list[Exercised]:
    """Open the board, go through its channels, and leave everything off whatever happens. Raises ``BoardError``."""
    client = BoardClient(make_board)
    async with client.opened(plan.wiring):
        await client.board_time()  # what is broken from the start is known then
        return [await _one(channel, plan, client, watcher) for channel in _harmless_first(plan)]


def _harmless_first(plan: RigSpec) -> list[Channel]:
    """List what is tried by itself; a feeder's sensor is tried with its feeder."""
    channels = [channel for channel in plan.wiring.channels if channel.role is not Role.SENSOR]
    return sorted(channels, key=lambda channel: isinstance(channel, Output) and bool(channel.max_on_us))


async def _one(channel: Channel, plan: RigSpec, client: Client, watcher: Watcher) -> Exercised:
    if isinstance(channel, Input):
        return await (_machine if channel.machine else _beam)(channel, client, watcher)
    if channel.max_on_us is None:
        return await _light(channel, client, watcher)
    if channel.role is Role.FEEDER:
        sensors = [other for other in plan.wiring.channels if other.role is Role.SENSOR]
        sensor = next((other for other in sensors if other.device == channel.device), None)
        return await _feeder(channel, channel.max_on_us, sensor, client, watcher)
    return await _dangerous(channel, channel.max_on_us, plan.ul_of.get(channel.name), client, watcher)


def called(channel: Channel) -> str:
    """Call a channel as people do: ``left.light`` is the left light."""
    return f"the {channel.device} {channel.role}".rstrip()


# --- inputs -----------------------------------------------------------------------------------------------------


async def _beam(channel: Input, client: Client, watcher: Watcher) -> Exercised:
    name = called(channel)
    steps = [(1, f"break {name} now"), (0, f"clear {name} again")]
    if client.levels.get(channel.name):
        steps.insert(0, (0, f"{name} is broken: clear it"))
    for level, text in steps:
        watcher.tell(text)
        changed = await client.edge(channel.name, (level,), watcher.within_s)
        if channel.name not in changed:
            return Exercised(channel.name, "wrong", _silent(channel, changed, watcher.within_s))
    return Exercised(channel.name, "good", "was broken and cleared")


async def _machine(channel: Input, client: Client, watcher: Watcher) -> Exercised:
    watcher.tell(f"let the other machine change {called(channel)}")
    changed = await client.edge(channel.name, (0, 1), watcher.within_s)
    if channel.name not in changed:
        return Exercised(channel.name, "wrong", _silent(channel, changed, watcher.within_s))
    return Exercised(channel.name, "good", "has changed")


def _silent(channel: Channel, others: Collection[str], within_s: float) -> str:
    instead = f"; {' and '.join(sorted(others))} did: are they wired the wrong way round?" if others else ""
    return f"{called(channel)} did not change in {within_s:g} s{instead}"


# --- outputs ----------------------------------------------------------------------------------------------------


async def _light(channel: Output, client: Client, watcher: Watcher) -> Exercised:
    name = called(channel)

    async def shine() -> None:
        await client.execute(Set(channel.name, True))
        await asyncio.sleep(ON_S)
        await client.execute(Set(channel.name, False))

    while True:
        watcher.tell(f"{name} comes on for {ON_S:g} s")
        await shine()
        answer = await watcher.saw(f"did {name} come on?")
        if answer != "again":
            return _seen(channel, answer, "came on", "did not come on")


async def _dangerous(
    channel: Output, max_on_us: int, ul_of: Callable[[int], float] | None, client: Client, watcher: Watcher
) -> Exercised:
    gives = Amount()
    name = called(channel)
    if ul_of is not None:
        on_us = min(OPEN_US, max_on_us)
        order: Order = Train(channel.name, on_us, EVERY_US, OPENINGS)
        lasts_us, what = OPENINGS * EVERY_US, f"open {OPENINGS} times for {on_us / 1000:g} ms"
        question = f"did {name} click {OPENINGS} times?"
        gives = Amount(ul=OPENINGS * ul_of(on_us))
    else:
        lasts_us = on_us = min(round(ON_S * 1e6), max_on_us)
        order, what = Pulse(channel.name, on_us), f"be on for {on_us / 1000:g} ms"
        if channel.role is Role.TONE:
            order, what = Tone(channel.name, HZ, on_us), f"sound {HZ} Hz for {on_us / 1000:g} ms"
        elif channel.role is Role.HOPPER:
            gives = Amount(access_s=on_us / 1e6)
        question = f"did {name} come on?"
    while True:
        if not await watcher.agrees(f"{name} will {what}: go on?"):
            return Exercised(channel.name, "skipped", "was not agreed to")
        if gives != Amount():
            watcher.gave(gives)
        await client.execute(order)
        await asyncio.sleep(lasts_us / 1e6)
        answer = await watcher.saw(question)
        if answer != "again":
            done = f"was to {what}"
            return _seen(channel, answer, f"{done}, and did", f"{done}, and did not")


async def _feeder(
    channel: Output, pulse_us: int, sensor: Channel | None, client: Client, watcher: Watcher
) -> Exercised:
    """Have one pellet given; a sensor sees it, or somebody looks."""
    name = called(channel)
    if not await watcher.agrees(f"{name} will give a pellet: go on?"):
        return Exercised(channel.name, "skipped", "was not agreed to")
    watcher.gave(Amount(pellets=1))
    before = len(client.edges)
    await client.execute(Pulse(channel.name, pulse_us))
    if sensor is None:
        return _seen(channel, await watcher.saw(f"did {name} give a pellet?"), "gave a pellet", "gave no pellet")
    if sensor.name in await client.edge(sensor.name, (1,), FALLS_S, before):
        return Exercised(channel.name, "good", "gave a pellet, and its sensor saw it")
    return Exercised(channel.name, "wrong", f"was to give a pellet, and its sensor saw none in {FALLS_S:g} s")


def _seen(channel: Channel, answer: Answer, good: str, wrong: str) -> Exercised:
    return Exercised(channel.name, "good", good) if answer == "yes" else Exercised(channel.name, "wrong", wrong)
