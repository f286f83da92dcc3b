"""Report once a second that the event loop runs: a protocol that never awaits blocks everything else."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.clock import Timer, in_background, running

PERIOD_S = 1.0
LATE_S = 3.0
"""A report that is at least so late is noted in the journal, in seconds."""


class Heartbeat:
    """Call ``tell`` once a second of the running loop, ``on_late(seconds)`` when that was late: ``with Beats(...)``."""

    def __init__(self, tell: Callable[[], object], on_late: Callable[[float], object]) -> None:
        self._tell = tell
        self._on_late = on_late
        self._timer: Timer | None = None
        self._due_s = 0.0

    def _beat(self) -> None:
        clock = running()
        late_s = clock.time() - self._due_s
        if late_s >= LATE_S:
            self._on_late(late_s)
        self._tell()
        # From now on: reports that a blocked loop has missed are not made up for.
        self._due_s = clock.time() + PERIOD_S
        # In the background: reports alone must not keep a simulated session from its `Deadlock`.
        self._timer = in_background(clock)(PERIOD_S, self._beat)

    def __enter__(self) -> Heartbeat:
        self._due_s = running().time()
        self._beat()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
