"""Python's garbage collector, kept out of the way of a real session."""

from __future__ import annotations

import gc

from rig.core.engine.observer import SessionObserver


class GcPaused(SessionObserver):
    """Keeps Python's collector out of a real session, within ``with``; it collects between trials."""

    def __enter__(self) -> GcPaused:
        gc.collect()
        gc.freeze()
        gc.disable()
        return self

    def between_trials(self) -> None:
        """Run the collector over the young generations: a bounded time."""
        gc.collect(1)

    def __exit__(self, *exc: object) -> None:
        gc.enable()
        gc.unfreeze()
