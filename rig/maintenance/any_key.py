"""Call a function when a key is pressed at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rig.platform.keys import keys_on_loop


@contextmanager
def on_any_key(pressed: Callable[[], None]) -> Iterator[None]:
    """Start to watch the keys: the first one calls ``pressed`` on the running loop; nothing without a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    is_pressed = False

    def press(typed: str) -> None:
        # Also when the terminal is gone, and nothing was typed: no person can stop it any more.
        nonlocal is_pressed
        if not is_pressed:
            is_pressed = True
            pressed()

    with keys_on_loop(press):
        yield
