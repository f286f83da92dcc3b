"""The outputs of a board, followed from what it did, in the order of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.core.journal.kinds import OutputDone
from rig.core.model import actions
from rig.core.model.actions import Action, JournaledOrder, Set
from rig.core.model.events import OutputOn
from rig.records.outputs.signal_spans import Signal
from rig.records.outputs.spans import OPEN, Lane

MAX_ACTS = 5_000_000
"""Far more than a session has; a journal that was made to fill the memory has more."""


class _Due(NamedTuple):
    """An entry of a sequence that runs; ``refused`` are the entries of this run that the board has refused."""

    t_us: int
    sequence: int
    entry: int
    action: Action
    refused: Collection[int]


class _Begun(NamedTuple):
    """The last action of an output, while no report says that it has ended."""

    t_us: int
    until_us: int | None
    """When it ends by itself; None for an output that was switched on, whose end the board does not report."""
    sequence: int | None
    """The sequence that began it."""
    follows_open: bool
    """Whether the end of the action before it has not been reported yet."""


class BoardOutputs:
    """The spans of all outputs up to a time.

    ``limited`` are the outputs of which the board says when they have gone on.
    """

    def __init__(self, limited: Collection[str]) -> None:
        self.lanes: defaultdict[str, Lane] = defaultdict(Lane)
        self._limited = limited
        self._loaded: dict[int, tuple[tuple[int, Action], ...]] = {}
        self._due: list[_Due] = []
        self._begun: dict[str, _Begun] = {}
        self._signals: dict[str, Signal] = {}
        self._acts = 0
        """How many spans have begun."""

    def advance(self, t_us: int) -> None:
        """Run the entries of sequences and the sync signals up to this time.

        Raises ``RecordError`` for more spans than any session has.
        """
        while self._due and self._due[0].t_us <= t_us:
            due = self._due.pop(0)
            if due.entry not in due.refused:
                self.act(due.action, due.t_us, due.sequence)
        for output, signal in self._signals.items():
            # Before they are computed: there may be millions until a time that no session reaches.
            self._check(self._acts + signal.codes_until(t_us) * signal.usual_spans)
            while signal.next_us <= t_us:
                self._add_spans(output, signal.next_spans())
                signal = signal.after_next()
            self._signals[output] = signal

    def start(self, sequence: int, t_us: int, refused: Collection[int]) -> None:
        """Start a sequence, as it is loaded at this time; ``refused`` are entries that the board refuses."""
        self._stop(sequence, t_us)
        for entry, (after_us, action) in enumerate(self._loaded.get(sequence, ())):
            self._due.append(_Due(t_us + after_us, sequence, entry, action, refused))
        self._due.sort(key=lambda due: due.t_us)

    def act(self, order: JournaledOrder, t_us: int, sequence: int | None = None) -> None:
        """Run an order, or an action of a sequence; it leaves limited outputs to `switch_on`."""
        match order:
            case actions.RewardAction(action):
                self.act(action, t_us, sequence)
            case Set(output, False):
                self._end_set(output, t_us)
            case actions.Load(number):
                self._stop(number, t_us)
                self._loaded[number] = order.in_order
            case actions.Start(number) | actions.Stop(number):
                self._stop(number, t_us)
            case Set(output) if self._is_set(output):
                pass  # it stays on
            case Set() | actions.Pulse() | actions.Tone() | actions.Train() | actions.Ramp() | actions.Code():
                if order.output not in self._limited:
                    self._begin(order.output, order, t_us, sequence)

    def _stop(self, sequence: int, t_us: int) -> None:
        self._due = [due for due in self._due if due.sequence != sequence]
        for output in [output for output, begun in self._begun.items() if begun.sequence == sequence]:
            self._end_set(output, t_us)

    def _is_set(self, output: str) -> bool:
        return output in self._begun and self._begun[output].until_us is None

    def _end_set(self, output: str, t_us: int) -> None:
        """End what was switched on: the ends of all other actions are reported, also when an order stops them."""
        if self._is_set(output):
            del self._begun[output]
            self.lanes[output].off(t_us)

    def switch_on(self, line: OutputOn, order: JournaledOrder | None) -> None:
        """Switch a limited output on, by an order or by the entry of a sequence.

        An order that is not known (None) goes on until its end is reported.
        """
        is_entry, entries = line.cause == "sequence", self._loaded.get(line.by, ())
        if is_entry and line.part < len(entries):
            order = entries[line.part][1]
        self._begin(line.output, order, line.t_us, line.by if is_entry else None)

    def _begin(self, output: str, order: JournaledOrder | None, t_us: int, sequence: int | None) -> None:
        action = order.action if isinstance(order, actions.RewardAction) else order
        lane, before = self.lanes[output], self._begun.get(output)
        lane.off(t_us)
        self._signals.pop(output, None)
        if isinstance(action, actions.Code):
            self._signals[output] = Signal(action, t_us)
        else:
            self._add_spans(output, _spans(action, t_us))
        until_us = None if isinstance(action, Set) else max([t_us, *lane.ends[-1:]])
        self._begun[output] = _Begun(t_us, until_us, sequence, before is not None and before.until_us is not None)

    def done(self, line: OutputDone) -> None:
        """Read the report of an action's end."""
        output, t_us, is_finished = line.output, line.t_us, line.why == "finished"
        begun, lane = self._begun.get(output), self.lanes[output]
        if begun is None:
            return
        # An action begins with the stamp of its batch or its edge: maybe before the end of the last action is reported.
        if line.why == "limit":
            is_own = begun.t_us < t_us
        else:
            until_us = begun.until_us
            is_own = until_us is not None and (not begun.follows_open or (is_finished and until_us <= t_us))
        if not is_own:
            self._begun[output] = begun._replace(follows_open=False)
            return
        del self._begun[output]
        self._signals.pop(output, None)
        lane.off(t_us)
        if is_finished and lane.ends:
            lane.ends[-1] = t_us

    def all_off(self, t_us: int) -> None:
        """Switch all outputs off, and forget the sequences."""
        for lane in self.lanes.values():
            lane.off(t_us)
        for known in (self._loaded, self._due, self._begun, self._signals):
            known.clear()

    def _add_spans(self, output: str, spans: Iterator[tuple[int, int]]) -> None:
        for start_us, end_us in spans:
            self.lanes[output].on(start_us, end_us)
            self._acts += 1
            self._check(self._acts)

    def _check(self, acts: int) -> None:
        if acts > MAX_ACTS:
            raise RecordError(f"its outputs did more than {MAX_ACTS} actions: it is no journal of a session")


def _spans(action: JournaledOrder | None, t_us: int) -> Iterator[tuple[int, int]]:
    """Yield when an action that begins now switches its output on and off."""
    match action:
        case actions.Pulse(us=us) | actions.Tone(us=us):
            yield t_us, t_us + us
        case actions.Train(on_us=on_us) | actions.Ramp(tone_us=on_us) if action.period_us > on_us:
            for start_us in range(t_us, t_us + action.count * action.period_us, action.period_us):
                yield start_us, start_us + on_us
        case actions.Train(on_us=on_us) | actions.Ramp(tone_us=on_us):
            yield t_us, t_us + action.count * on_us  # without gaps
        case _:
            yield t_us, OPEN
