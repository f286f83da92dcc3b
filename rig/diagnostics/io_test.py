"""Test every input and output of a rig in turn, with an operator; all outputs are off at the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rig.boards.client import BoardClient
from rig.core.engine.inbox import Inbox
from rig.core.model.actions import Amount, Pulse, Set, Tone, Train
from rig.core.model.board import Board, Channel, Input, Output, PanicInput
from rig.core.model.channels import Role
from rig.core.model.output_check import OutputCheck
from rig.core.model.rig_spec import RigSpec

ON_S = 1.0
FALLS_S = 2.0
"""The longest time in which a pellet falls."""
HZ = 1000
PANIC = "panic button"
"""The name of the panic input in the results; no channel has a space in its name."""
OPENINGS, OPEN_US, EVERY_US = 5, 20_000, 500_000
"""Short openings of a valve, audible as clicks, and few enough to count."""

Client: TypeAlias = BoardClient[Board]
Answer: TypeAlias = Literal["yes", "no", "again"]
Result: TypeAlias = Literal["ok", "error", "skipped"]


@dataclass(frozen=True)
class ChannelResult:
    """The result of one channel."""

    channel: str
    result: Result
    text: str


class Operator(ABC):
    """The operator at the rig; ``within_s`` is the time to follow an instruction."""

    within_s: float
    presses_panic = True
    """Whether the operator can press the panic button."""

    @abstractmethod
    def instruct(self, text: str) -> None:
        """Print an instruction, or what is about to happen."""

    def note_delivery(self, amount: Amount) -> None:  # noqa: B027 (only an operator with an animal in the rig records it)
        """Record an amount before it is delivered, wherever it falls."""

    @abstractmethod
    async def observed(self, question: str) -> Answer:
        """Return the answer whether something happened."""

    @abstractmethod
    async def confirm(self, question: str) -> bool:
        """Return whether the operator allows an action that could do harm."""


class AutoOperator(Operator):
    """Confirms everything on a simulated rig, whose virtual subject breaks the beams."""

    within_s = 300.0
    presses_panic = False

    def instruct(self, text: str) -> None:
        """Show nothing: the virtual subject needs no instruction."""

    async def observed(self, question: str) -> Answer:
        """Return yes."""
        return "yes"

    async def confirm(self, question: str) -> bool:
        """Return True."""
        return True


async def check_channels(
    plan: RigSpec, make_board: Callable[[Inbox], Board], operator: Operator
) -> list[ChannelResult]:
    """Open the board and test its channels; switch all off also after an error. Raises ``BoardError``."""
    client = BoardClient(make_board)
    async with client.opened(plan.wiring):
        await client.board_time()  # beams that are broken from the start are reported by now
        results = [await _one(channel, plan, client, operator) for channel in _harmless_first(plan)]
        # Last: after the press the board executes nothing.
        if plan.wiring.panic is not None:
            results.append(await _panic(plan.wiring.panic, client, operator))
        return results


def _harmless_first(plan: RigSpec) -> list[Channel]:
    """Return the channels to test, harmless ones first; a feeder's sensor is tested with its feeder."""
    channels = [channel for channel in plan.wiring.channels if channel.role != Role.SENSOR]
    return sorted(channels, key=lambda channel: isinstance(channel, Output) and bool(channel.max_on_us))


async def _one(channel: Channel, plan: RigSpec, client: Client, operator: Operator) -> ChannelResult:
    if isinstance(channel, Input):
        return await (_machine if channel.machine else _beam)(channel, client, operator)
    if channel.name in plan.checks:
        return await _dangerous(channel, plan.checks[channel.name], client, operator)
    if channel.max_on_us is None:
        return await _light(channel, client, operator)
    if channel.role == Role.FEEDER:
        sensors = [other for other in plan.wiring.channels if other.role == Role.SENSOR]
        sensor = next((other for other in sensors if other.device == channel.device), None)
        return await _feeder(channel, channel.max_on_us, sensor, client, operator)
    check = _usual_check(channel, channel.max_on_us, plan.ul_of.get(channel.name))
    return await _dangerous(channel, check, client, operator)


def spoken_name(channel: Channel) -> str:
    """Return a channel's name in words: ``left.light`` is the left light, and ``hopper.hopper`` the hopper."""
    is_said = channel.role == Role.IN or str(channel.role) in channel.device
    return f"the {channel.device}" if is_said else f"the {channel.device} {channel.role}".rstrip()


# --- inputs -----------------------------------------------------------------------------------------------------


async def _beam(channel: Input, client: Client, operator: Operator) -> ChannelResult:
    name = spoken_name(channel)
    steps = [(1, f"break {name} now"), (0, f"clear {name} again")]
    # A beam that is broken from the start gives no edge when the operator breaks it.
    if client.levels.get(channel.name):
        steps.insert(0, (0, f"{name} is broken: clear it"))
    for level, text in steps:
        operator.instruct(text)
        changed = await client.edge(channel.name, (level,), operator.within_s)
        if channel.name not in changed:
            return ChannelResult(channel.name, "error", _silent(channel, changed, operator.within_s))
    return ChannelResult(channel.name, "ok", "was broken and cleared")


async def _machine(channel: Input, client: Client, operator: Operator) -> ChannelResult:
    operator.instruct(f"let the other machine change {spoken_name(channel)}")
    changed = await client.edge(channel.name, (0, 1), operator.within_s)
    if channel.name not in changed:
        return ChannelResult(channel.name, "error", _silent(channel, changed, operator.within_s))
    return ChannelResult(channel.name, "ok", "has changed")


async def _panic(panic: PanicInput, client: Client, operator: Operator) -> ChannelResult:
    if not operator.presses_panic:
        return ChannelResult(PANIC, "skipped", "no operator is there to press it")
    operator.instruct(f"press {panic} now")
    if await client.pressed_panic(operator.within_s):
        return ChannelResult(PANIC, "ok", "was pressed, and the board is all off: release it")
    return ChannelResult(PANIC, "error", f"{panic} was not pressed in {operator.within_s:g} s")


def _silent(channel: Channel, others: Collection[str], within_s: float) -> str:
    instead = f"; {' and '.join(sorted(others))} did: are they wired the wrong way round?" if others else ""
    return f"{spoken_name(channel)} did not change in {within_s:g} s{instead}"


# --- outputs ----------------------------------------------------------------------------------------------------


async def _light(channel: Output, client: Client, operator: Operator) -> ChannelResult:
    name = spoken_name(channel)

    async def shine() -> None:
        await client.execute(Set(channel.name, True))
        await asyncio.sleep(ON_S)
        await client.execute(Set(channel.name, False))

    while True:
        operator.instruct(f"{name} comes on for {ON_S:g} s")
        await shine()
        answer = await operator.observed(f"did {name} come on?")
        if answer != "again":
            return _seen(channel, answer, "came on", "did not come on")


def _usual_check(channel: Output, max_on_us: int, ul_of: Callable[[int], float] | None) -> OutputCheck:
    name = spoken_name(channel)
    if ul_of is not None:
        # The board refuses an opening that is longer than the rig file's limit.
        on_us = min(OPEN_US, max_on_us)
        order = Train(channel.name, on_us, EVERY_US, OPENINGS)
        what, question = f"open {OPENINGS} times for {on_us / 1000:g} ms", f"did {name} click {OPENINGS} times?"
        return OutputCheck(order, OPENINGS * EVERY_US, what, question, Amount(ul=OPENINGS * ul_of(on_us)))
    on_us = min(round(ON_S * 1e6), max_on_us)
    question = f"did {name} come on?"
    if channel.role == Role.TONE:
        sound = f"sound {HZ} Hz for {on_us / 1000:g} ms"
        return OutputCheck(Tone(channel.name, HZ, on_us), on_us, sound, question)
    gives = Amount(access_s=on_us / 1e6) if channel.role == Role.HOPPER else Amount()
    return OutputCheck(Pulse(channel.name, on_us), on_us, f"be on for {on_us / 1000:g} ms", question, gives)


async def _dangerous(channel: Output, check: OutputCheck, client: Client, operator: Operator) -> ChannelResult:
    while True:
        if not await operator.confirm(f"{spoken_name(channel)} will {check.what}: go on?"):
            return ChannelResult(channel.name, "skipped", "was not agreed to")
        # Before the order: after a crash the daily total may be too high, never too low.
        if check.gives != Amount():
            operator.note_delivery(check.gives)
        await client.execute(check.order)
        await asyncio.sleep(check.lasts_us / 1e6)
        answer = await operator.observed(check.question)
        if answer != "again":
            done = f"was to {check.what}"
            return _seen(channel, answer, f"{done}, and did", f"{done}, and did not")


async def _feeder(
    channel: Output, pulse_us: int, sensor: Channel | None, client: Client, operator: Operator
) -> ChannelResult:
    """Check a feeder with one pellet, confirmed by its sensor or by the operator."""
    name = spoken_name(channel)
    if not await operator.confirm(f"{name} will give a pellet: go on?"):
        return ChannelResult(channel.name, "skipped", "was not agreed to")
    operator.note_delivery(Amount(pellets=1))
    # Before the pulse: the pellet may fall before `execute` returns.
    before = len(client.edges)
    await client.execute(Pulse(channel.name, pulse_us))
    if sensor is None:
        return _seen(channel, await operator.observed(f"did {name} give a pellet?"), "gave a pellet", "gave no pellet")
    if sensor.name in await client.edge(sensor.name, (1,), FALLS_S, before):
        return ChannelResult(channel.name, "ok", "gave a pellet, and its sensor saw it")
    return ChannelResult(channel.name, "error", f"was to give a pellet, and its sensor saw none in {FALLS_S:g} s")


def _seen(channel: Channel, answer: Answer, good: str, wrong: str) -> ChannelResult:
    return ChannelResult(channel.name, "ok", good) if answer == "yes" else ChannelResult(channel.name, "error", wrong)
