"""The edges of a sync signal that the board has made, as a journal says: what another system must have recorded.

All times of an epoch follow from one stamp: the board counts from that of the batch with the order ``code``. See
`rig.core.model.sync_code`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from rig.core.journal.kinds import AllOffDone, BatchDone, Command, OutputDone
from rig.core.model.actions import Code
from rig.core.model.events import LOST_BOARD, Continued, Fault, LeaseExpired, Panic, Refused
from rig.core.model.line import Line
from rig.core.model.sync_code import signal_edges


class SyncEdge(NamedTuple):
    """An edge of an output: when, the level from then on, and the number of its code, or of its period of a square."""

    t_us: int
    level: int
    number: int


@dataclass(frozen=True)
class SyncRun:
    """A signal of one epoch: the order ``code``, when it was executed, and when the board has switched it off.

    Where that is not known, because the board was lost or the journal ends, ``end_us`` is the last time that is known,
    and ``is_ended`` is false.
    """

    order: Code
    begin_us: int
    end_us: int
    is_ended: bool

    @property
    def output(self) -> str:
        """Return the channel."""
        return self.order.output

    def edges(self) -> Iterator[SyncEdge]:
        """Yield its edges; the last one is that of the end, if the output was on then."""
        level, number = 0, self.order.first
        for edge in takewhile(lambda edge: edge.t_us < self.end_us, edges_of_order(self.order, self.begin_us)):
            yield edge
            _, level, number = edge
        if level and self.is_ended:
            yield SyncEdge(self.end_us, 0, number)


def edges_of_order(order: Code, t_us: int) -> Iterator[SyncEdge]:
    """Yield the edges that follow an order ``code`` that was executed at ``t_us``; they do not end."""
    for after_us, level, number in signal_edges(order.period_us, order.bit_us, order.bits, order.seed, order.first):
        yield SyncEdge(t_us + after_us, level, number)


def sync_edges(lines: Iterable[Line], output: str | None = None) -> Iterator[SyncEdge]:
    """Yield the edges of an output's signal in all epochs; without a name, of the only output that sends one.

    Raises ``ValueError`` if several do.
    """
    runs = sync_runs(lines)
    outputs = sorted({run.output for run in runs})
    if output is None and len(outputs) > 1:
        raise ValueError(f"several outputs send a sync signal: {', '.join(outputs)}; name one")
    for run in runs:
        if output in (None, run.output):
            yield from run.edges()


def sync_runs(lines: Iterable[Line]) -> list[SyncRun]:
    """Return the signals of all outputs, in the order of their ends."""
    fold = _Runs()
    for line in lines:
        fold.take(line)
    fold.lose()
    return fold.ended


class _Runs:
    """A fold over the lines of a journal."""

    def __init__(self) -> None:
        self.ended: list[SyncRun] = []
        self._batches: dict[int, Code] = {}
        self._running: dict[str, tuple[Code, int]] = {}
        self._epoch = 0
        self._last_us = 0

    def take(self, line: Line) -> None:
        """Read the next line."""
        t_us = line.t_us
        if line.src == "board":
            self._last_us = max(self._last_us, t_us)
        match line:
            case Command():
                self._keep(line)
            case BatchDone():
                self._begin(line.batch, t_us)
            case Refused():
                self._refuse(line.batch)
            case OutputDone(why="stopped"):
                self._end(line.output, t_us)
            case AllOffDone() | LeaseExpired() | Panic():
                for output in list(self._running):
                    self._end(output, t_us)
            case Fault(what=what) if what in LOST_BOARD:
                self.lose()
            case Continued():
                self.lose()
        if isinstance(line, (Continued, LeaseExpired, Panic)):
            self._epoch += 1
            self._batches.clear()

    def lose(self) -> None:
        """End all signals at the last time of the board."""
        for output in list(self._running):
            self._end(output, self._last_us, is_ended=False)

    def _keep(self, line: Command) -> None:
        # A batch from before the task read of an expired lease was never sent.
        if line.epoch != self._epoch:
            return
        # Each signal travels in a batch of its own.
        for order in line.orders:
            if isinstance(order, Code):
                self._batches[line.batch] = order

    def _begin(self, batch: int, t_us: int) -> None:
        order = self._batches.get(batch)
        if order is not None:
            self._running[order.output] = order, t_us

    def _refuse(self, batch: int) -> None:
        """Remove a signal that never began; the refusal comes before the end of its batch or after it."""
        order = self._batches.pop(batch, None)
        if order is not None:
            self._running.pop(order.output, None)

    def _end(self, output: str, t_us: int, *, is_ended: bool = True) -> None:
        if output in self._running:
            order, begin_us = self._running.pop(output)
            self.ended.append(SyncRun(order, begin_us, t_us, is_ended))
