"""Every input and output of a rig, one after the other, with somebody watching; everything off at the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from rig.core.actions import Amount, Order, Pulse, Set, Tone, Train
from rig.core.board import Board, Channel, Input, Output
from rig.core.errors import LinkLostError, OrderRefusedError
from rig.core.events import Edge, Fault, LeaseExpired, Refused, TimeIs
from rig.core.inbox import Inbox
from rig.core.plan import RigPlan

ON_S = 1.0
FALLS_S = 2.0
"""A pellet has fallen by then."""
HZ = 1000
OPENINGS, OPEN_US, EVERY_US = 5, 20_000, 500_000
"""A valve is heard by short openings, few enough to count."""

Answer = Literal["yes", "no", "again"]
Result = Literal["good", "wrong", "skipped"]


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


async def exercise(plan: RigPlan, board: Board, inbox: Inbox, watcher: Watcher) -> list[Exercised]:
    """Open the board, go through its channels, and leave everything off whatever happens. Raises ``BoardError``."""
    try:
        await board.open(plan.wiring)
        hands = _Hands(board, inbox)
        await hands.order()  # what is broken from the start is known then
        return [await _one(channel, plan, hands, watcher) for channel in _harmless_first(plan)]
    finally:
        try:
            await board.close()
        except BaseException:
            board.abort()
            raise


def _harmless_first(plan: RigPlan) -> list[Channel]:
    """List what is tried by itself; a feeder's sensor is tried with its feeder."""
    channels = [channel for channel in plan.wiring.channels if not channel.name.endswith(".sensor")]
    return sorted(channels, key=lambda channel: isinstance(channel, Output) and bool(channel.max_on_us))


async def _one(channel: Channel, plan: RigPlan, hands: _Hands, watcher: Watcher) -> Exercised:
    if isinstance(channel, Input):
        return await (_machine if channel.machine else _beam)(channel, hands, watcher)
    if channel.max_on_us is None:
        return await _light(channel, hands, watcher)
    place, _, part = channel.name.partition(".")
    if part == "feeder":
        seen_by = any(other.name == f"{place}.sensor" for other in plan.wiring.channels)
        return await _feeder(channel, channel.max_on_us, f"{place}.sensor" if seen_by else None, hands, watcher)
    return await _dangerous(channel, channel.max_on_us, plan.ul_of.get(channel.name), hands, watcher)


def called(name: str) -> str:
    """Call a channel as people do: ``left.light`` is the left light."""
    return f"the {name.replace('.', ' ')}"


# --- inputs -----------------------------------------------------------------------------------------------------


async def _beam(channel: Input, hands: _Hands, watcher: Watcher) -> Exercised:
    name = called(channel.name)
    steps = [(1, f"break {name} now"), (0, f"clear {name} again")]
    if hands.levels.get(channel.name):
        steps.insert(0, (0, f"{name} is broken: clear it"))
    for level, text in steps:
        watcher.tell(text)
        others = await hands.edge(channel.name, (level,), watcher.within_s)
        if others is not None:
            return Exercised(channel.name, "wrong", _silent(channel.name, others, watcher.within_s))
    return Exercised(channel.name, "good", "was broken and cleared")


async def _machine(channel: Input, hands: _Hands, watcher: Watcher) -> Exercised:
    watcher.tell(f"let the other machine change {called(channel.name)}")
    others = await hands.edge(channel.name, (0, 1), watcher.within_s)
    if others is not None:
        return Exercised(channel.name, "wrong", _silent(channel.name, others, watcher.within_s))
    return Exercised(channel.name, "good", "has changed")


def _silent(name: str, others: Collection[str], within_s: float) -> str:
    instead = f"; {' and '.join(sorted(others))} did: are they wired the wrong way round?" if others else ""
    return f"{called(name)} did not change in {within_s:g} s{instead}"


# --- outputs ----------------------------------------------------------------------------------------------------


async def _light(channel: Output, hands: _Hands, watcher: Watcher) -> Exercised:
    name = called(channel.name)

    async def shine() -> None:
        await hands.order(Set(channel.name, True))
        await asyncio.sleep(ON_S)
        await hands.order(Set(channel.name, False))

    while True:
        watcher.tell(f"{name} comes on for {ON_S:g} s")
        await shine()
        answer = await watcher.saw(f"did {name} come on?")
        if answer != "again":
            return _seen(channel, answer, "came on", "did not come on")


async def _dangerous(
    channel: Output, max_on_us: int, ul_of: Callable[[int], float] | None, hands: _Hands, watcher: Watcher
) -> Exercised:
    gives = Amount()
    name = called(channel.name)
    if ul_of is not None:
        on_us = min(OPEN_US, max_on_us)
        order: Order = Train(channel.name, on_us, EVERY_US, OPENINGS)
        lasts_us, what = OPENINGS * EVERY_US, f"open {OPENINGS} times for {on_us / 1000:g} ms"
        question = f"did {name} click {OPENINGS} times?"
        gives = Amount(ul=OPENINGS * ul_of(on_us))
    else:
        lasts_us = on_us = min(round(ON_S * 1e6), max_on_us)
        order, what = Pulse(channel.name, on_us), f"be on for {on_us / 1000:g} ms"
        if channel.name.endswith(".tone"):
            order, what = Tone(channel.name, HZ, on_us), f"sound {HZ} Hz for {on_us / 1000:g} ms"
        elif channel.name.endswith(".hopper"):
            gives = Amount(access_s=on_us / 1e6)
        question = f"did {name} come on?"
    while True:
        if not await watcher.agrees(f"{name} will {what}: go on?"):
            return Exercised(channel.name, "skipped", "was not agreed to")
        if gives != Amount():
            watcher.gave(gives)
        await hands.order(order)
        await asyncio.sleep(lasts_us / 1e6)
        answer = await watcher.saw(question)
        if answer != "again":
            done = f"was to {what}"
            return _seen(channel, answer, f"{done}, and did", f"{done}, and did not")


async def _feeder(channel: Output, pulse_us: int, sensor: str | None, hands: _Hands, watcher: Watcher) -> Exercised:
    """Have one pellet given; a sensor sees it, or somebody looks."""
    name = called(channel.name)
    if not await watcher.agrees(f"{name} will give a pellet: go on?"):
        return Exercised(channel.name, "skipped", "was not agreed to")
    watcher.gave(Amount(pellets=1))
    await hands.order(Pulse(channel.name, pulse_us))
    if sensor is None:
        return _seen(channel, await watcher.saw(f"did {name} give a pellet?"), "gave a pellet", "gave no pellet")
    if await hands.edge(sensor, (1,), FALLS_S) is None:
        return Exercised(channel.name, "good", "gave a pellet, and its sensor saw it")
    return Exercised(channel.name, "wrong", f"was to give a pellet, and its sensor saw none in {FALLS_S:g} s")


def _seen(channel: Channel, answer: Answer, good: str, wrong: str) -> Exercised:
    return Exercised(channel.name, "good", good) if answer == "yes" else Exercised(channel.name, "wrong", wrong)


# --- the board --------------------------------------------------------------------------------------------------


class _Hands:
    """Orders out, edges in, one thing at a time."""

    def __init__(self, board: Board, inbox: Inbox) -> None:
        self.levels: dict[str, int] = {}
        self._board = board
        self._inbox = inbox
        self._number = 0
        self._seen = 0
        self._something = asyncio.Event()
        inbox.wake = self._something.set

    async def order(self, *orders: Order) -> None:
        """Have orders executed. Raises ``OrderRefusedError`` or ``LinkLostError``."""
        if orders:
            self._number += 1
            self._board.batch(orders, self._seen, 0, self._number)
        self._board.ask_time(0)
        while True:
            event = await self._next()
            if isinstance(event, Refused):
                what = ", ".join(map(str, orders[event.order : event.order + 1] or orders))  # one, or the whole batch
                raise OrderRefusedError(f"the board refuses '{what}': {event.reason}")
            if isinstance(event, TimeIs):
                if event.executed >= self._number:
                    return
                self._board.ask_time(0)

    async def edge(self, name: str, levels: Collection[int], within_s: float) -> set[str] | None:
        """Wait for an edge; None when it came, else which other channels had edges like it."""
        others: set[str] = set()
        try:
            async with asyncio.timeout(within_s):
                while True:
                    event = await self._next()
                    if isinstance(event, Edge) and event.level in levels:
                        if event.channel == name:
                            return None
                        others.add(event.channel)
        except TimeoutError:
            return others

    async def _next(self) -> object:
        while not self._inbox.events:
            if self._inbox.failure is not None:
                raise self._inbox.failure
            self._something.clear()
            await self._something.wait()
        event = self._inbox.events.popleft()
        if isinstance(event, Fault):
            raise LinkLostError(event.detail)
        if isinstance(event, LeaseExpired):
            raise LinkLostError("the board has turned everything off: it had not heard from this computer for too long")
        if isinstance(event, Edge):
            self.levels[event.channel] = event.level
        self._seen = getattr(event, "number", self._seen)
        return event
