"""A task with one state that runs the coroutine of a test."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from rig import Needs, Next, Port, Row, Task, TaskParams, state
from rig.core.journal.kinds import Note, SessionLine
from rig.core.model.events import Edge
from tests.harness import EdgeAt, Fault, FaultHarness, SubjectScript, run_with_faults
from tests.session_specs import task_spec

SOON_US = 5_000
"""A session begins before this: the board has been configured by then."""


@dataclass
class Box:
    """Three ports."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


class ProbeTask(Task[TaskParams, Box, Row]):
    """One state that plays a plot, and one that waits for the end."""

    plot: Callable[[Any], Coroutine[Any, Any, None]]

    @state(to=("over",), can_end=True)
    async def solo(self) -> Next:
        """What the test is about."""
        await self.plot()
        return self.over

    @state(to=("over",), can_end=True)
    async def over(self) -> Next:
        """Nothing any more."""
        await self.first()
        return self.over


Plot = Callable[[Any], Coroutine[Any, Any, None]]


def with_latency(latency_s: float) -> Fault:
    """From half a second on the link is with_latency; opening a board over a slow link takes seconds."""
    return 0.5, lambda harness: harness.delay(latency_s)


def run_plot(
    plot: Plot, edges: SubjectScript | Sequence[EdgeAt] = (), *injected: Fault, session_s: float = 4, **how: Any
) -> FaultHarness:
    """Run a task of one plot; a replay of its journal must agree."""
    task = type("Solo", (ProbeTask,), {"plot": plot})
    harness = run_with_faults(task_spec(task, stop={"session_s": session_s}), edges, *injected, after_s=1, **how)
    assert harness.error is None
    harness.assert_replay_agrees()
    return harness


def noted(harness: FaultHarness) -> list[Any]:
    """What the plot noted, in order."""
    return [note.fields["said"] for note in harness.of_kind(Note) if "said" in note.fields]


def of_edges(lines: Sequence[SessionLine]) -> list[tuple[str, int, int]]:
    return [(line.channel, line.level, line.t_us) for line in lines if isinstance(line, Edge)]
