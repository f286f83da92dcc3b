"""Python's garbage collector, kept out of the way of a real session."""

from __future__ import annotations

import gc


class QuietGarbage:
    """Keep Python's collector out of a real session: ``with QuietGarbage() as quiet``, ``quiet.collect()``."""

    def __enter__(self) -> QuietGarbage:
        gc.collect()
        gc.freeze()
        gc.disable()
        return self

    def collect(self) -> None:
        """Collect the young generations, bounded, between trials."""
        gc.collect(1)

    def __exit__(self, *exc: object) -> None:
        gc.enable()
        gc.unfreeze()
