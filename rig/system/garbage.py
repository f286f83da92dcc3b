"""Run Python's garbage collector rarely while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 100_000
"""So many more objects than before start a collection; Python's own threshold is 700."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run collections rarely within ``with``: each traverses what was made since the last, a full one everything."""
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
