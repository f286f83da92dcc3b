"""The outputs of a board, followed from what it did and when: a batch, a reflex, a sequence, all-off.

Everything that happened is told in the order of its time. This is not the order of the journal's lines: the report of a
batch may be sent a second time, after those of later events.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import TypeAlias

from rig.core.errors import RecordError
from rig.core.model.actions import (
    Action,
    Code,
    JournaledOrder,
    Load,
    Pulse,
    Ramp,
    RewardAction,
    Set,
    Start,
    Stop,
    Tone,
    Train,
)
from rig.records.outputs.action_reports import TOLERANCE_US, OutputReports
from rig.records.outputs.signal_spans import Signal
from rig.records.outputs.spans import OPEN, Lane

Spans: TypeAlias = list[tuple[int, int]]
TimedAction: TypeAlias = Pulse | Tone | Train | Ramp
TIMED_ACTIONS = (Pulse, Tone, Train, Ramp)

MAX_ACTS = 5_000_000
"""Far more than a session has; a journal that was made to fill the memory has more."""


def check_acts(acts: int) -> None:
    """Check that outputs did not act more often than in any session. Raises ``RecordError``."""
    if acts > MAX_ACTS:
        raise RecordError(f"its outputs did more than {MAX_ACTS} actions: it is no journal of a session")


class _Run:
    """One run of a sequence."""

    def __init__(self, sequence: int, t_us: int) -> None:
        self.sequence = sequence
        self.begun_us = t_us
        self.stopped_us: int | None = None
        self.stops_until_us = 0
        """Until when it may have run on: a reflex stops it somewhat later than its edge is stamped."""


class BoardOutputs:
    """The spans of all outputs up to a time; the reports of ended actions may go beyond it."""

    def __init__(self, reports: OutputReports) -> None:
        self.lanes: defaultdict[str, Lane] = defaultdict(Lane)
        self._reports = reports
        self._reported: dict[str, int] = {}
        """The reported ends of the last actions: nothing that is told of these outputs changes them."""
        self._owners: dict[str, _Run] = {}
        self._loaded: dict[int, Load] = {}
        self._runs: dict[int, _Run] = {}
        self._due: list[tuple[int, int, _Run | None, Action]] = []
        self._signals: dict[str, Signal] = {}
        self._entries = 0
        self._begun: dict[str, int] = {}
        """When the last actions began."""
        self.acts = 0
        """How many spans have begun, and how many actions were due."""

    def copy(self) -> BoardOutputs:
        """Return outputs that go on from here by themselves."""
        made = BoardOutputs(self._reports)
        made.lanes.update((name, lane.copy()) for name, lane in self.lanes.items())
        known = {run for run in (*self._runs.values(), *self._owners.values(), *(due[2] for due in self._due)) if run}
        runs = {run: _copy(run) for run in known}
        made._reported = dict(self._reported)
        made._owners = {output: runs[run] for output, run in self._owners.items()}
        made._loaded = dict(self._loaded)
        made._runs = {sequence: runs[run] for sequence, run in self._runs.items()}
        made._due = [(t_us, number, run and runs[run], entry) for t_us, number, run, entry in self._due]
        made._signals = dict(self._signals)
        made._begun = dict(self._begun)
        made._entries, made.acts = self._entries, self.acts
        return made

    def advance(self, t_us: int) -> None:
        """Run what is due up to this time: entries of sequences, actions of reflexes, and sync signals.

        Raises ``RecordError`` for a signal with more spans than any session has.
        """
        while self._due and self._due[0][0] <= t_us:
            due_us, _, run, order = heappop(self._due)
            stopped = run is not None and run.stopped_us is not None and run.stopped_us < due_us
            if run is None or not stopped or due_us <= run.stops_until_us:
                self.act(order, due_us, run=run, only_if_reported=stopped)
        for output, signal in self._signals.items():
            self._signals[output] = self._extended(output, signal, t_us)

    def _extended(self, output: str, signal: Signal, t_us: int) -> Signal:
        """Add the codes that have begun by now."""
        while signal.next_us <= t_us:
            for start_us, end_us in signal.next_spans():
                self.acts += 1
                self.lanes[output].on(start_us, end_us)
            signal = signal.after_next()
            check_acts(self.acts)
        return signal

    def _schedule(self, order: Action, t_us: int, run: _Run | None) -> None:
        self._entries += 1
        self.acts += 1
        heappush(self._due, (t_us, self._entries, run, order))

    def start(self, sequence: int, t_us: int) -> None:
        """Start a run of a sequence, as it is loaded at this time."""
        self._stop(sequence, t_us, 0)
        run = self._runs[sequence] = _Run(sequence, t_us)
        if sequence in self._loaded:
            for at_us, action in self._loaded[sequence].entries:
                self._schedule(action, t_us + at_us, run)

    def all_off(self, t_us: int) -> None:
        """Switch all outputs off, and forget the sequences."""
        self._due.clear()
        self._loaded.clear()
        self._runs.clear()
        for output in self.lanes:
            self.switch_off(output, t_us)

    def act(
        self,
        order: JournaledOrder,
        t_us: int,
        *,
        late_us: int = 0,
        run: _Run | None = None,
        only_if_reported: bool = False,
    ) -> None:
        """Run an order at this time, or up to ``late_us`` later if a report says so; ``run``: that of its sequence."""
        action = order.action if isinstance(order, RewardAction) else order
        if isinstance(action, TIMED_ACTIONS):
            self._run_action(action, t_us, late_us, run, only_if_reported)
        elif not only_if_reported:
            self._act_at_once(action, t_us, late_us, run)

    def _act_at_once(self, order: JournaledOrder, t_us: int, late_us: int, run: _Run | None) -> None:
        match order:
            case Set(output, True):
                self._switch_on(output, t_us, run)
            case Set(output):
                self.switch_off(output, t_us)
            case Code(output):
                self.lanes[output].off(t_us)
                self._signals[output] = Signal(order, t_us)
            case Load(sequence):
                self._stop(sequence, t_us, late_us)
                self._loaded[sequence] = order
            case Start(sequence) | Stop(sequence):
                self._stop(sequence, t_us, late_us)

    def _stop(self, sequence: int, t_us: int, late_us: int) -> None:
        run = self._runs.get(sequence)
        # The report of a batch may come after that of the run which it started: that one is not stopped.
        if run is None or run.stopped_us is not None or (run.begun_us == t_us and not late_us):
            return
        run.stopped_us, run.stops_until_us = t_us, t_us + late_us
        for output in [output for output, owner in self._owners.items() if owner is run]:
            self.switch_off(output, t_us)

    def _switch_on(self, output: str, t_us: int, run: _Run | None) -> None:
        if self._reported.get(output, t_us) <= t_us:
            self._begin(output, [(t_us, OPEN)], run)

    def _run_action(
        self, order: TimedAction, t_us: int, late_us: int, run: _Run | None, only_if_reported: bool
    ) -> None:
        output, spans = order.output, _spans(order)
        lane, lasts_us = self.lanes[output], spans[-1][1]
        busy_until_us = self._reported.get(output, t_us)  # a train is busy between its pulses, too
        if not late_us and (busy_until_us > t_us or lane.is_on(t_us)):
            return  # refused: an overlap is never merged
        after_us = max(t_us, busy_until_us)
        report = self._reports.first_after(output, after_us)
        last_us = t_us + lasts_us + late_us + TOLERANCE_US
        if report is not None and report.t_us <= last_us:
            start_us = report.t_us - lasts_us if report.complete else after_us
            if start_us < t_us - TOLERANCE_US or (only_if_reported and not report.complete):
                return  # another action ended then, so this one was refused
            if late_us and start_us > t_us:
                self._schedule(order, start_us, run)
            elif self._begin(output, [(start_us + on, start_us + off) for on, off in spans], run):
                lane.off(report.t_us)
                self._reported[output] = report.t_us
        elif not only_if_reported and (run is None or not self._reports.misses(t_us, last_us)):
            self._begin(output, [(t_us + on, t_us + off) for on, off in spans], run)

    def _begin(self, output: str, spans: Spans, run: _Run | None) -> bool:
        """Start an action, unless the output is on already; return whether it has begun."""
        lane = self.lanes[output]
        if lane.is_on(spans[0][0]):
            return False
        self.acts += len(spans)
        self._begun[output] = spans[0][0]
        for start_us, end_us in spans:
            lane.on(start_us, end_us)
        self._reported.pop(output, None)
        self._owners.pop(output, None)
        if run is not None:
            self._owners[output] = run
        return True

    def end(self, output: str, t_us: int) -> None:
        """End the action that the board has reported to be ended early, if it has begun before."""
        if self._begun.get(output, t_us) < t_us:
            self.switch_off(output, t_us)

    def switch_off(self, output: str, t_us: int) -> None:
        """Switch an output off, unless the end of its action is reported."""
        self._signals.pop(output, None)
        if self._reported.get(output, t_us) <= t_us:
            self.lanes[output].off(t_us)


def _copy(run: _Run) -> _Run:
    made = _Run(run.sequence, run.begun_us)
    made.stopped_us, made.stops_until_us = run.stopped_us, run.stops_until_us
    return made


def _spans(action: TimedAction) -> Spans:
    """Return when an action switches its output on and off, in microseconds from its start."""
    if isinstance(action, (Pulse, Tone)):
        return [(0, action.us)]
    on_us = action.on_us if isinstance(action, Train) else action.tone_us
    if action.period_us <= on_us:
        return [(0, on_us * action.count)]  # without gaps
    return [(number * action.period_us, number * action.period_us + on_us) for number in range(action.count)]
