"""What the outputs of a board followed, in the order of its time, which is not the order of the journal's lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.core.model.actions import JournaledOrder, Load
from rig.core.model.events import WHOLE_BATCH
from rig.records.outputs.action_reports import OutputReports
from rig.records.outputs.board_outputs import BoardOutputs, check_acts
from rig.records.outputs.spans import Lane

_FEW = 100
"""With more facts older than that, their outcome is kept, and they are dropped."""
_MANY = 5_000
"""At this number the oldest facts are settled: a session of a day then takes the memory of an hour."""
_FIRST, _LATER = 0, 1

OrderKey = tuple[int, int, int]
"""The epoch, the batch and the place of an order."""


class Fact(NamedTuple):
    """Something that the outputs followed, with its time; loads come before other facts of the same time.

    Facts of the same time and rank have the order of their ``number``: that of their lines, for orders that of the
    command.
    """

    t_us: int
    rank: int
    number: int
    tell: Callable[[BoardOutputs], None]
    key: OrderKey | None = None
    """That of an order which the board may still refuse."""


def order_fact(order: JournaledOrder, t_us: int, late_us: int, number: int, key: OrderKey | None = None) -> Fact:
    """Return the fact that the board has done an order, at a time or up to ``late_us`` later."""
    rank = _FIRST if isinstance(order, Load) else _LATER
    return Fact(t_us, rank, number, lambda outputs: outputs.act(order, t_us, late_us=late_us), key)


class OutputFacts:
    """The facts so far; those that are so old that none comes before them are settled once and for all."""

    def __init__(self, reports: OutputReports) -> None:
        self._facts: list[Fact] = []
        self._refused: set[OrderKey] = set()
        self._numbered = 0
        self._most = _MANY
        self._settled = BoardOutputs(reports)

    def next_number(self) -> int:
        """Return the number of the next fact."""
        self._numbered += 1
        return self._numbered

    def add(self, facts: Iterable[Fact]) -> None:
        """Add facts in any order of time."""
        self._facts += facts

    def add_act(self, t_us: int, tell: Callable[[BoardOutputs], None]) -> None:
        """Add what is no order: ``tell`` is called with the outputs at that time."""
        self._facts.append(Fact(t_us, _LATER, self.next_number(), tell))

    @property
    def are_many(self) -> bool:
        """Whether it is time to settle the oldest facts."""
        return len(self._facts) >= self._most

    def bound(self, before_us: int) -> None:
        """Run the facts before a time once and for all; `are_many` is true again when as many more have come."""
        with suppress(RecordError):  # `spans` raises it
            self.settle(before_us)
        self._most = max(_MANY, 2 * len(self._facts))

    def refuse(self, key: OrderKey) -> None:
        """Record that the board has refused an order, whether or not it was added already."""
        self._refused.add(key)

    def spans(self, t_us: int, guessed: Iterable[Fact]) -> dict[str, Lane]:
        """Return the spans of the outputs up to a time, with guesses of this moment.

        Raises ``RecordError`` for more than any session has.
        """
        outputs = self._settled.copy()
        self._run(outputs, sorted([*self._facts, *guessed], key=_in_time))
        outputs.advance(t_us)
        return {name: lane for name, lane in outputs.lanes.items() if lane.starts}

    def settle(self, before_us: int) -> dict[str, Lane]:
        """Return the spans of the facts before a time, before which none can come; they are run once and for all.

        Raises ``RecordError`` as `spans` does.
        """
        self._facts.sort(key=_in_time)
        old = sum(fact.t_us < before_us for fact in self._facts)
        if old > _FEW:
            self._run(self._settled, self._facts[:old])
            del self._facts[:old]
        return self._settled.lanes

    def _run(self, outputs: BoardOutputs, facts: Iterable[Fact]) -> None:
        for fact in facts:
            outputs.advance(fact.t_us)
            if fact.key is None or not self._is_refused(fact.key):
                fact.tell(outputs)
            check_acts(outputs.acts)

    def _is_refused(self, key: OrderKey) -> bool:
        return key in self._refused or (*key[:2], WHOLE_BATCH) in self._refused


def _in_time(fact: Fact) -> tuple[int, int, int]:
    return fact[:3]
