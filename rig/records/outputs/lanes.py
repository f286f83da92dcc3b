"""When each input and output of a session was on: a fold over the lines of its journal.

An input is on from one reported edge to the next. The journal has no line for each change of an output. Its spans
follow from the orders, and from the reports of the board: when it executed a batch, fired a reflex, started a sequence,
and ended an action. Their stamps are exact, with two exceptions. A reflex that only switches an output acts later than
the stamp of its edge, by the time for which the edge had to last. Where a board was lost, all outputs count as off from
then on.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rig.core.journal.header import Footer
from rig.core.journal.kinds import AllOffDone, BatchDone, Command, Openings, OutputDone
from rig.core.model.actions import Action, Arm, JournaledOrder
from rig.core.model.events import (
    LOST_BOARD,
    BoardTime,
    Continued,
    Edge,
    Fault,
    LeaseExpired,
    Overflow,
    Panic,
    Refused,
    SequenceStarted,
    ZoneEvent,
)
from rig.core.model.line import Line
from rig.records.journal.read import tells_time
from rig.records.outputs.action_reports import MAX_DELAY_US, OutputReports, Report
from rig.records.outputs.output_facts import Fact, OutputFacts, order_fact
from rig.records.outputs.spans import OPEN, Lane

__all__ = ["OPEN", "Lane", "Lanes"]

_MOST_OPEN = 500
"""So many batches wait for their reports: the board takes a few at a time, and reports that were lost never come."""
_LATE_US = 15_000_000
"""Lines come at most so late: a board that is silent for 10 s is lost."""
_LONG_US = 600_000_000
"""Facts of the last 10 minutes are kept: an action may last so long, and the report of its end tells its length."""
_NO_EVENTS = (BatchDone, Openings)
"""Lines of a board that may come later than those of its later events."""


class _Batch:
    """A sent batch whose report has not come: executed from ``from_us`` on, and by ``by_us`` if that is known."""

    def __init__(self, from_us: int, orders: tuple[JournaledOrder, ...], number: int) -> None:
        self.from_us = from_us
        self.number = number
        self.orders = orders
        self.by_us: int | None = None


class _Group:
    """A reflex group, and when the board has armed it, if that is known."""

    def __init__(self, members: tuple[tuple[str, int, Action], ...]) -> None:
        self.members = members
        self.armed_us = 0


class Lanes:
    """The spans of all channels, from the lines taken so far; the end of an action may lie ahead of the last line."""

    def __init__(self) -> None:
        self.inputs: defaultdict[str, Lane] = defaultdict(Lane)
        self._read_by_host: set[str] = set()
        self._epoch = 0
        self._ended = False
        self._batches: dict[int, _Batch] = {}
        self._groups: dict[int, _Group] = {}
        self._armed: dict[int, list[_Group]] = {}
        """The groups of each batch that the board has not armed yet, as far as is known."""
        self._reports = OutputReports()
        self._facts = OutputFacts(self._reports)
        self._t_us = 0
        self._spans: dict[str, Lane] | None = None
        self._readers: Mapping[type[Line], Callable[[Any], None]] = {
            Edge: self._edge,
            ZoneEvent: self._zone,
            Command: self._command,
            BatchDone: self._batch_done,
            BoardTime: lambda line: self._executed(line.executed, line.t_us),
            SequenceStarted: self._sequence_started,
            OutputDone: self._output_done,
            Refused: lambda line: self._facts.refuse((self._epoch, line.batch, line.order)),
            LeaseExpired: self._outputs_expired,
            Panic: self._outputs_expired,
            Overflow: lambda line: self._reports.lose(line.t_us),
            Continued: self._continue,
            AllOffDone: self._all_off_done,
            Fault: self._fault,
            Footer: self._footer,
        }

    @property
    def outputs(self) -> dict[str, Lane]:
        """Return the spans of every output that was on. Raises ``RecordError`` for more than any session has."""
        if self._spans is None:
            self._facts.settle(self._settled_us(_LATE_US))
            guessed = [fact for number in self._batches for fact in self._guessed(number)]
            self._spans = self._facts.spans(self._t_us, guessed)
        return self._spans

    def take_ended(self, before_us: int) -> Iterator[tuple[bool, str, array[int], array[int]]]:
        """Return and remove the spans that ended before a time and that no line can change, for readers that keep less.

        Each item says whether its channel is an input, and has the channel's name, the starts and the ends. Raises
        ``RecordError`` as `outputs` does.
        """
        self._spans = None
        for is_input, lanes in ((True, self.inputs), (False, self._facts.settle(self._settled_us(_LATE_US)))):
            for name, lane in lanes.items():
                starts, ends = lane.take_ended(before_us)
                if starts:
                    yield is_input, name, starts, ends

    def take(self, line: Line) -> None:
        """Read the next line."""
        t_us = line.t_us
        self._spans = None
        if t_us > self._t_us and tells_time(line):
            self._t_us = t_us
        read = self._readers.get(type(line))
        if read is not None:
            read(line)
        reports = self._reports
        if t_us > reports.horizon_us and line.src == "board" and not isinstance(line, _NO_EVENTS):
            reports.horizon_us = t_us

    # --- lines ------------------------------------------------------------------------------------------------

    def _edge(self, line: Edge) -> None:
        lane = self.inputs[line.channel]
        (lane.on if line.level else lane.off)(line.t_us)
        group = self._groups.pop(line.fired, None)
        if group is None:
            return
        for channel, level, action in group.members:
            if (channel, level) == (line.channel, line.level):
                # The board reports an edge when it fires, so after all events that it has reported before.
                t_us = max(line.t_us, self._reports.horizon_us, group.armed_us)
                self._facts.add([order_fact(action, t_us, MAX_DELAY_US, self._facts.next_number())])

    def _zone(self, line: ZoneEvent) -> None:
        self._read_by_host.add(line.channel)
        self._edge(line.edge)

    def _command(self, line: Command) -> None:
        if self._facts.are_many:
            self._facts.bound(self._settled_us(_LONG_US))
        # A batch from before the task read of an expired lease was never sent.
        if line.epoch != self._epoch:
            return
        self._batches[line.batch] = _Batch(line.t_us, line.orders, self._facts.next_number())
        if len(self._batches) > _MOST_OPEN:
            self._close(next(iter(self._batches)))
        for order in line.orders:
            # Here, and not when it is executed: the edge that it fires may be reported before the batch.
            if isinstance(order, Arm):
                group = self._groups[order.group] = _Group(order.members)
                self._armed.setdefault(line.batch, []).append(group)

    def _batch_done(self, line: BatchDone) -> None:
        number, t_us = line.batch, line.t_us
        batch = self._batches.pop(number, None)
        if batch is not None:
            self._facts.add(self._facts_of(number, batch, t_us, 0))
            self._executed(number, t_us)
        for group in self._armed.pop(number, ()):
            group.armed_us = t_us

    def _executed(self, last: int, t_us: int) -> None:
        """Record how far the board had come: the own report of a batch may be lost, or come later."""
        for number, batch in self._batches.items():
            if number > last:
                batch.from_us = max(batch.from_us, t_us)
            elif batch.by_us is None:
                batch.by_us = t_us

    def _guessed(self, number: int) -> list[Fact]:
        """Return what a batch did that was executed without a report: at the earliest time at which it may have."""
        batch = self._batches[number]
        if batch.by_us is None:
            return []
        t_us = min(batch.from_us, batch.by_us)
        return self._facts_of(number, batch, t_us, batch.by_us - t_us)

    def _settled_us(self, lag_us: int) -> int:
        """Return the time before which no fact can come any more, ``lag_us`` before the last line or earlier."""
        late_us = self._t_us - _LATE_US
        for number, batch in list(self._batches.items()):
            if batch.by_us is not None and batch.by_us < late_us:
                self._close(number)
        return min([self._t_us - lag_us, *(batch.from_us for batch in self._batches.values())])

    def _close(self, number: int) -> None:
        """Add the guess of what a batch did as what it did: its report is lost."""
        self._facts.add(self._guessed(number))
        del self._batches[number]
        self._armed.pop(number, None)

    def _facts_of(self, number: int, batch: _Batch, t_us: int, late_us: int) -> list[Fact]:
        return [
            order_fact(order, t_us, late_us, batch.number, (self._epoch, number, index))
            for index, order in enumerate(batch.orders)
        ]

    def _sequence_started(self, line: SequenceStarted) -> None:
        sequence, t_us = line.sequence, line.t_us
        self._facts.add_act(t_us, lambda outputs: outputs.start(sequence, t_us))

    def _output_done(self, line: OutputDone) -> None:
        output, t_us = line.output, line.t_us
        is_complete = line.why == "finished"
        self._reports.take(output, Report(t_us, is_complete))
        if not is_complete:
            # Its report was not there yet when a long action was settled, and an output that was switched on has no
            # length.
            self._facts.add_act(t_us, lambda outputs: outputs.end(output, t_us))

    def _outputs_expired(self, line: LeaseExpired | Panic) -> None:
        self._executed(line.executed, line.t_us)
        self._begin_epoch(line.t_us)

    def _fault(self, line: Fault) -> None:
        if line.what in LOST_BOARD:
            self._all_off(line.t_us)

    def _all_off_done(self, line: AllOffDone) -> None:
        self._all_off(line.t_us)
        self._ended = True

    def _footer(self, line: Footer) -> None:
        if not self._ended:
            self._all_off(line.t_us)

    def _continue(self, line: Continued) -> None:
        broke_off_us = line.t_us - line.gap_us
        for channel, lane in self.inputs.items():
            # The board that was opened again reports what is on.
            if line.restarted or channel not in self._read_by_host:
                lane.off(broke_off_us)
        self._all_off(broke_off_us)
        self._reports.lose(line.t_us)
        self._begin_epoch(line.t_us)

    def _begin_epoch(self, t_us: int) -> None:
        for number in self._batches:
            self._facts.add(self._guessed(number))
        self._all_off(t_us)
        self._epoch += 1
        self._ended = False
        self._batches.clear()
        self._groups.clear()
        self._armed.clear()

    def _all_off(self, t_us: int) -> None:
        self._facts.add_act(t_us, lambda outputs: outputs.all_off(t_us))
