"""A journal that keeps no line, for those who only want to know what happens."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.events import Event
from rig.core.journal import Journal


class Unwritten(Journal):
    """Tells ``on_done(t_us, what, which)`` what the board has finished: a batch, an output's action, a sequence."""

    def __init__(self) -> None:
        super().__init__(lambda line: None)
        self.on_done: Callable[[int, str, str | int], None] = lambda t_us, what, which: None

    def event(self, event: Event) -> None:
        """Write nothing."""

    def done(self, t_us: int, what: str, which: str | int) -> None:
        """Tell of it."""
        self.on_done(t_us, what, which)
