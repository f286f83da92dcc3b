"""An input that never changes although others do: an unplugged sensor looks like an animal that does not come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rig.core.model.channels import is_circle
from rig.core.model.events import Edge, ZoneEvent
from rig.core.model.task_clock import TaskClock
from rig.expectations.finding import Finding
from rig.expectations.rule import Rule
from rig.expectations.visits import InputChange

ACTIVE_WITHIN_MIN = 5
"""For inputs of which the header says nothing else."""
MIN_EDGES = 20
"""Edges of other inputs before an unchanged input is reported."""


class InactiveInputs(Rule[InputChange]):
    """The beams and zones of a rig that have not changed yet."""

    name = "never_changed"
    kinds = (Edge, ZoneEvent)

    def __init__(
        self,
        inputs: Iterable[str],
        expected: Mapping[str, Mapping[str, float | None]],
        clock: TaskClock,
    ) -> None:
        self._clock = clock
        self._edges = 0
        self._due_us: dict[str, float] = {}
        for channel in inputs:
            within_min = expected.get(channel, {}).get("active_within_min", ACTIVE_WITHIN_MIN)
            if within_min is not None:
                self._due_us[channel] = 60e6 * within_min

    def take(self, line: InputChange) -> Iterator[Finding]:
        """Read a change of an input, which finds nothing."""
        self._edges += 1
        self._due_us.pop(line.channel, None)
        return iter(())

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield one finding, once, for each input that has not changed in time while other inputs have."""
        if self._edges < MIN_EDGES or not self._due_us:
            return
        running_us = self._clock.running_us(t_us)
        for channel in sorted(channel for channel, due_us in self._due_us.items() if running_us >= due_us):
            del self._due_us[channel]
            where = "is the circle where it should be" if is_circle(channel) else "is its sensor connected"
            yield self.found(t_us, f"{channel} has never changed: {where}?", channel)
