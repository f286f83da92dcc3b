"""Load for a board: all inputs toggle, all reflexes are armed, a tone plays, and the line is full both ways.

The load is what a real host sends: batches that arm or do nothing, as many as the window allows, and time queries, one
after the other.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from rig.boards.client import BoardListener
from rig.core.clock import Timer, running
from rig.core.journal.kinds import BatchDone, OutputDone
from rig.core.model.actions import NOTHING, Action, Arm, Disarm, Tone
from rig.core.model.board import Input
from rig.core.model.events import BoardTime, Edge, Event, Refused
from rig.diagnostics.timing.bench import TimingBench

MEAN_US = 5_000.0
LEAST_US = 500.0
BYTES_PER_S = 20_000
AIM_BYTES_PER_S = 20_200
"""The target rate, slightly above the required ``BYTES_PER_S``."""
TICK_S = 0.000_5
MOST_BATCHES = 3
"""The load leaves space in the window for one more batch, the one under test."""
KEPT_BATCHES = 64
"""A refusal arrives before this many further batches are acknowledged."""
ARMS_OF_A_BATCH = 3
"""The number of arm orders that fit a batch."""
TONE_HZ = 4_000
TONE_US = 5_000_000


@dataclass(frozen=True)
class Throughput:
    """Bytes per second in each direction, and the mean number of armed members."""

    to_board: float
    to_host: float
    armed: float


@dataclass(frozen=True)
class Reflex:
    """A group with two members, one for each edge of an input; it is armed again whenever it has fired."""

    group: int
    channel: str
    on: Action = NOTHING
    off: Action = NOTHING

    def arm(self) -> Arm:
        """Return the order that arms it."""
        return Arm(self.group, None, ((self.channel, 1, self.on), (self.channel, 0, self.off)))


class ReflexRearmer(BoardListener):
    """Keeps reflexes armed, as a task would; ``urgent`` ones again as soon as the host hears that they have fired.

    The others wait in ``fired`` for the next batch that has room for them.
    """

    def __init__(self, bench: TimingBench, urgent: Sequence[Reflex], others: Sequence[Reflex]) -> None:
        self.fired: deque[int] = deque()
        self.members = 2 * (len(urgent) + len(others))
        self._bench = bench
        self._by_channel = {reflex.channel: reflex.group for reflex in urgent}
        self._by_group = {reflex.group: reflex for reflex in (*urgent, *others)}
        self._wanted: set[int] = set()
        self._sent: dict[int, tuple[int, ...]] = {}
        self._done = 0
        bench.client.listen(self)
        for group in self._by_group:
            self.arm(group)

    def arm(self, *groups: int, rearm: bool = False) -> None:
        """Arm some in one batch; ``rearm`` if they may still be armed: their groups are ended first, as a task does."""
        ends = tuple(Disarm(group) for group in groups if rearm)
        batch = self._bench.order(*ends, *(self._by_group[group].arm() for group in groups))
        self._sent[batch] = (0,) * len(ends) + groups

    def armed(self) -> int:
        """Return the number of members of the groups that wait for an edge, or whose order is on its way."""
        return self.members - 2 * len(self.fired) - 2 * len(self._wanted)

    def on_event(self, event: Event) -> None:
        """Arm again what has fired, or what the board refused to arm."""
        if isinstance(event, Edge):  # one that fires nothing may have ended a group whose output was busy
            self._again(event.fired or self._by_channel.get(event.channel, 0))
        elif isinstance(event, Refused) and event.batch in self._sent:  # an edge was on its way
            groups = self._sent[event.batch]
            for group in groups[event.order : event.order + 1] or groups:  # one, or the whole batch
                self._again(group)

    def _again(self, group: int) -> None:
        if group in self._by_channel.values():
            self._wanted.add(group)
            self._arm_wanted()
        elif group:
            self.fired.append(group)

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Arm what waited for a batch to be executed."""
        if isinstance(done, BatchDone):
            self._done = done.batch
            self._sent.pop(self._done - KEPT_BATCHES, None)
            self._arm_wanted()

    def _arm_wanted(self) -> None:
        on_their_way = {group for batch, groups in self._sent.items() if batch > self._done for group in groups}
        for group in sorted(self._wanted - on_their_way):
            self._wanted.remove(group)
            self.arm(group, rearm=True)


class InputToggler:
    """Inputs that change at random, with exponential pauses: at least ``least_us``, ``mean_us`` on average."""

    def __init__(
        self, bench: TimingBench, names: Sequence[str], chance: random.Random, mean_us: float = MEAN_US
    ) -> None:
        self._bench = bench
        self._random = chance
        self._rate = 1 / (mean_us - LEAST_US)
        self._going = True
        now_us = bench.probe.now_us()
        for name in names:
            self._next(name, now_us, 1)

    def stop(self) -> None:
        """Stop toggling."""
        self._going = False

    def _next(self, name: str, now_us: float, level: int) -> None:
        # Exponential pauses: edges of different inputs come together in every order and distance.
        at_us = now_us + LEAST_US + self._random.expovariate(self._rate)
        self._bench.probe.call_at(at_us, self._toggle, name, at_us, level)

    def _toggle(self, name: str, at_us: float, level: int) -> None:
        if self._going:
            self._bench.drive_input(name, level)
            # From the planned time: a late callback must not lower the rate.
            self._next(name, at_us, 1 - level)


class SerialLoad(BoardListener):
    """Keeps the line full both ways, reflexes armed, and a tone playing."""

    def __init__(self, bench: TimingBench, armed: ReflexRearmer) -> None:
        self._bench = bench
        self._armed = armed
        self._done = 0
        self._answered = True
        self._over = False
        self._members: list[int] = []
        self._since = running().time(), bench.line.to_board, bench.line.to_host
        self._timer: Timer | None = None
        bench.client.listen(self)
        self._play()
        self._tick()

    def stop(self) -> Throughput:
        """Stop; return the throughput."""
        if self._timer is not None:
            self._timer.cancel()
        self._over = True
        began_s, to_board, to_host = self._since
        line, took_s = self._bench.line, running().time() - began_s
        members = sum(self._members) / len(self._members)
        return Throughput((line.to_board - to_board) / took_s, (line.to_host - to_host) / took_s, members)

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Handle the end of a batch or an action: count batches, and play the tone again when it has ended."""
        if isinstance(done, BatchDone):
            self._done = done.batch
        elif done.output == "speaker.tone" and not self._over:
            self._play()

    def on_event(self, event: Event) -> None:
        """Record the answer to a time query."""
        self._answered = self._answered or isinstance(event, BoardTime)

    def _play(self) -> None:
        self._bench.order(Tone("speaker.tone", TONE_HZ, TONE_US))

    def _tick(self) -> None:
        self._timer = running().call_later(TICK_S, self._tick)
        self._members.append(self._armed.armed())
        line, (began_s, to_board, to_host) = self._bench.line, self._since
        due = (running().time() - began_s) * AIM_BYTES_PER_S
        while self._bench.client.sent - self._done < MOST_BATCHES:
            if len(self._armed.fired) >= ARMS_OF_A_BATCH:
                self._armed.arm(*(self._armed.fired.popleft() for _ in range(ARMS_OF_A_BATCH)))
            elif line.to_board - to_board < due:
                self._bench.order(NOTHING)
            else:
                break
        if line.to_board - to_board < due:
            self._bench.client.board.acknowledge()
        if line.to_host - to_host < due and self._answered:
            self._answered = False
            self._bench.client.board.ask_time(0)


class LoadGenerator:
    """All of it together: ``reflexes`` under test, the ``others``, and what keeps the board busy besides."""

    def __init__(
        self, bench: TimingBench, reflexes: Sequence[Reflex], others: Sequence[Reflex], chance: random.Random
    ) -> None:
        beams = [channel.name for channel in bench.wiring.channels if isinstance(channel, Input)]
        self._filling = SerialLoad(bench, ReflexRearmer(bench, reflexes, others))
        self._toggling = InputToggler(bench, beams, chance)

    def stop(self) -> Throughput:
        """Stop all load; return the throughput."""
        self._toggling.stop()
        return self._filling.stop()
