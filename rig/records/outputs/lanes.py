"""When each input and output of a session was on: a fold over the lines of its journal.

An input is on from one reported edge to the next. Of an output that the board limits, the lines say exactly when it
went on and by whose order, and when its action ended; the pulses of a train follow from the order. Only if a reflex
ends what was simply switched on, this end is an estimate.

The spans of all other outputs are an estimate. They begin when the board executed a batch, fired a reflex, or came to
an entry of a sequence. A reflex acts later than the stamp of its edge, by the time for which the edge had to last. A
batch whose report was lost was executed between two times, of which the first counts. If the board lost events, a
start, an end or a refusal may be missing. Where a board was lost, all outputs count as off from then on.
"""

from __future__ import annotations

from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal import kinds
from rig.core.journal.header import Footer
from rig.core.model import events
from rig.core.model.actions import NOTHING, Arm, JournaledOrder
from rig.core.model.line import Line
from rig.records.journal.read import tells_time
from rig.records.outputs.board_outputs import BoardOutputs
from rig.records.outputs.spans import Lane

_LATE_US = 15_000_000
"""The most by which a line comes late: a board that is silent for 10 s is lost."""
_SETTLED_LINES = 5_000
"""The number of lines after which old facts are settled and dropped: a session of a day then needs little memory."""
_NO_EVENTS = (kinds.BatchDone, kinds.Openings)
"""Lines of a board that may come later than those of its later events."""


@dataclass(eq=False, slots=True)
class _Fact:
    """Something that the outputs followed: ``tell`` is called with them, and with its time."""

    t_us: int
    line: int
    """The number of its line: facts of one time have the order of their lines."""
    tell: Callable[[BoardOutputs, int], None]


@dataclass(eq=False, slots=True)
class _Batch:
    """A batch as a fact: its time is when the board executed it or, while that is not known, the earliest possible."""

    t_us: int
    line: int
    orders: tuple[JournaledOrder, ...]
    refused: set[int] = field(default_factory=set)
    switched_on: dict[int, events.OutputOn] = field(default_factory=dict)
    """What the board has reported to be on, by the places of the orders."""

    def tell(self, outputs: BoardOutputs, t_us: int) -> None:
        """Run the orders that the board has not refused."""
        for index, order in enumerate(self.orders):
            if index in self.switched_on:
                outputs.switch_on(self.switched_on[index], order)
            elif self.refused.isdisjoint((index, events.WHOLE_BATCH)):
                outputs.act(order, t_us)


class Lanes:
    """The spans of all channels, from the lines taken so far; the end of an action may lie ahead of the last line."""

    def __init__(self) -> None:
        self.inputs: defaultdict[str, Lane] = defaultdict(Lane)
        self._read_by_host: set[str] = set()
        self._limited: set[str] = set()
        """The outputs that a line says to have gone on: of these, no other line counts as a start."""
        self._settled = BoardOutputs(self._limited)
        """The outputs up to ``_settled_us``, which can change no more."""
        self._settled_us = 0
        self._facts: list[_Fact | _Batch] = []
        """What they followed since then."""
        self._lines = 0
        self._t_us = 0
        self._horizon_us = 0
        """The latest stamp of the board's events."""
        self._epoch = 0
        self._batches: dict[int, _Batch] = {}
        """The last batches of this epoch, by their numbers."""
        self._unexecuted: deque[tuple[int, _Batch]] = deque()
        """Those of which no line says that the board has executed them, with their numbers."""
        self._from_us = 0
        """The latest time at which the board had not executed them."""
        self._groups: dict[int, tuple[_Batch, Arm]] = {}
        self._refused: defaultdict[int, set[int]] = defaultdict(set)
        """The refused entries of the last run of each sequence."""
        self._readers: Mapping[type[Line], Callable[[Any], None]] = {
            events.Edge: self._edge,
            events.ZoneEvent: self._zone,
            kinds.Command: self._command,
            kinds.BatchDone: lambda line: self._batch_done(line.batch, line.t_us),
            events.BoardTime: lambda line: self._executed(line.executed, line.t_us),
            events.SequenceStarted: self._sequence_started,
            events.OutputOn: self._output_on,
            kinds.OutputDone: lambda line: self._add(line.t_us, lambda outputs, t_us: outputs.done(line)),
            events.Refused: self._order_refused,
            events.EntryRefused: lambda line: self._refused[line.sequence].add(line.entry),
            events.LeaseExpired: self._outputs_expired,
            events.Panic: self._outputs_expired,
            events.Continued: self._continue,
            events.Fault: self._fault,
            kinds.AllOffDone: self._all_off,
            Footer: self._all_off,
        }

    @property
    def outputs(self) -> dict[str, Lane]:
        """Return the spans of every output that was on. Raises ``RecordError`` for more than any session has."""
        self._settle()
        outputs = deepcopy(self._settled)
        self._run(outputs, self._facts)
        outputs.advance(self._t_us)
        return {name: lane for name, lane in outputs.lanes.items() if lane.starts}

    def take_ended(self, before_us: int) -> Iterator[tuple[bool, str, array[int], array[int]]]:
        """Return and remove the spans that ended before a time and that no line can change, for readers that keep less.

        Each item says whether its channel is an input, and has the channel's name, the starts and the ends. Raises
        ``RecordError`` as `outputs` does.
        """
        self._settle()
        for is_input, lanes in ((True, self.inputs), (False, self._settled.lanes)):
            for name, lane in lanes.items():
                starts, ends = lane.take_ended(before_us)
                if starts:
                    yield is_input, name, starts, ends

    def take(self, line: Line) -> None:
        """Read the next line."""
        self._lines += 1
        if line.t_us > self._t_us and tells_time(line):
            self._t_us = line.t_us
        if type(line) in self._readers:
            self._readers[type(line)](line)
        if line.t_us > self._horizon_us and line.src == "board" and not isinstance(line, _NO_EVENTS):
            self._horizon_us = line.t_us
        if self._lines % _SETTLED_LINES == 0:
            with suppress(RecordError):  # `outputs` raises it
                self._settle()

    # --- facts ------------------------------------------------------------------------------------------------

    def _add(self, t_us: int, tell: Callable[[BoardOutputs, int], None]) -> None:
        self._facts.append(_Fact(t_us, self._lines, tell))

    def _settle(self) -> None:
        """Run the facts that are so old that none comes before them any more, once and for all."""
        late_us = max(self._settled_us, self._t_us - _LATE_US)
        self._facts.sort(key=lambda fact: (fact.t_us, fact.line))
        count = sum(fact.t_us < late_us for fact in self._facts)
        self._run(self._settled, self._facts[:count])
        self._settled_us, self._facts = late_us, self._facts[count:]
        while self._unexecuted and max(self._unexecuted[0][1].t_us, self._from_us) < late_us:
            self._unexecuted.popleft()  # its report is lost
        known = {number: batch for number, batch in self._batches.items() if batch.t_us >= late_us}
        self._batches = known | dict(self._unexecuted)

    def _run(self, outputs: BoardOutputs, facts: list[_Fact | _Batch]) -> None:
        for fact in facts:
            t_us = max(fact.t_us, self._settled_us)
            outputs.advance(t_us)
            fact.tell(outputs, t_us)

    # --- inputs and reflexes ----------------------------------------------------------------------------------

    def _edge(self, line: events.Edge) -> None:
        lane = self.inputs[line.channel]
        (lane.on if line.level else lane.off)(line.t_us)
        if line.fired not in self._groups:
            return
        batch, group = self._groups[line.fired]
        action = next((action for *edge, action in group.members if edge == [line.channel, line.level]), NOTHING)
        # The board reports an edge when it fires, so after all events that it has reported before.
        t_us = max(line.t_us, self._horizon_us, batch.t_us)
        self._add(t_us, lambda outputs, t_us: outputs.act(action, t_us))

    def _zone(self, line: events.ZoneEvent) -> None:
        self._read_by_host.add(line.channel)
        self._edge(line.edge)

    # --- batches ----------------------------------------------------------------------------------------------

    def _command(self, line: kinds.Command) -> None:
        # A batch from before the task read of an expired lease was never sent.
        if line.epoch != self._epoch:
            return
        from_us = max(line.t_us, self._horizon_us)
        batch = self._batches[line.batch] = _Batch(from_us, self._lines, line.orders)
        self._unexecuted.append((line.batch, batch))
        for order in line.orders:
            # Here, and not when it is executed: the edge that it fires may be reported before the batch.
            if isinstance(order, Arm):
                self._groups[order.group] = batch, order

    def _batch_done(self, number: int, t_us: int) -> None:
        if number in self._batches:
            self._batches[number].t_us = t_us
        self._executed(number, t_us)

    def _executed(self, last: int, t_us: int) -> None:
        """Record how far the board had come: the own report of a batch may be lost, or come later."""
        while self._unexecuted and self._unexecuted[0][0] <= last:
            _, batch = self._unexecuted.popleft()
            batch.t_us = min(max(batch.t_us, self._from_us), t_us)
            self._facts.append(batch)
        self._from_us = max(self._from_us, t_us)

    def _order_refused(self, line: events.Refused) -> None:
        if line.batch in self._batches:
            self._batches[line.batch].refused.add(line.order)

    # --- sequences and outputs --------------------------------------------------------------------------------

    def _sequence_started(self, line: events.SequenceStarted) -> None:
        refused = self._refused[line.sequence] = set[int]()
        self._add(line.t_us, lambda outputs, t_us: outputs.start(line.sequence, t_us, refused))

    def _output_on(self, line: events.OutputOn) -> None:
        self._limited.add(line.output)
        if line.cause == "order" and line.by in self._batches:
            # No fact by itself: a further order of the batch may have switched the output off at once.
            self._batches[line.by].switched_on[line.part] = line
            self._batch_done(line.by, line.t_us)
        else:
            is_known = line.cause == "reflex" and line.by in self._groups
            order = self._groups[line.by][1].action_of(line.part) if is_known else None
            self._add(line.t_us, lambda outputs, t_us: outputs.switch_on(line, order))

    # --- ends -------------------------------------------------------------------------------------------------

    def _outputs_expired(self, line: events.LeaseExpired | events.Panic) -> None:
        self._executed(line.executed, line.t_us)
        self._begin_epoch(line.t_us)

    def _fault(self, line: events.Fault) -> None:
        if line.what in events.LOST_BOARD:
            self._all_off(line)

    def _continue(self, line: events.Continued) -> None:
        broke_off_us = line.t_us - line.gap_us
        for channel, lane in self.inputs.items():
            # The board that was opened again reports what is on.
            if line.restarted or channel not in self._read_by_host:
                lane.off(broke_off_us)
        self._begin_epoch(broke_off_us)

    def _begin_epoch(self, t_us: int) -> None:
        self._add(t_us, BoardOutputs.all_off)
        self._epoch += 1
        for known in (self._batches, self._unexecuted, self._groups, self._refused):
            known.clear()
        self._from_us = 0

    def _all_off(self, line: Line) -> None:
        # A footer may have the time at which the session was over, and the board was still on.
        self._add(max(line.t_us, self._horizon_us), BoardOutputs.all_off)
