"""Pause Python's garbage collector while trials of a real session run."""

from __future__ import annotations

import gc

from rig.core.engine.observer import SessionObserver


class GcPaused(SessionObserver):
    """Pause of the garbage collector within ``with``; collections run between trials only.

    A full collection stops the event loop, and a pause within a trial would delay the handling of an edge.
    """

    def __enter__(self) -> GcPaused:
        # Collected before the freeze, or garbage would be kept until the end of the session.
        gc.collect()
        # Frozen objects are not traversed again, so that collections between trials look at new objects only.
        gc.freeze()
        gc.disable()
        return self

    def between_trials(self) -> None:
        """Run a collection of the young generations, whose time is bounded."""
        gc.collect(1)

    def __exit__(self, *exc: object) -> None:
        gc.enable()
        gc.unfreeze()
