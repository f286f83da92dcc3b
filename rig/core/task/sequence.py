"""Sequences, as a protocol uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rig.core.model.actions import Action, Load, Start, Stop, check_length
from rig.core.model.units import span_us


def timed(entries: Iterable[tuple[float, Action]]) -> tuple[tuple[int, Action], ...]:
    """Convert the seconds of a sequence's entries to microseconds. Raises ``TaskError`` for an action of no length."""
    made = tuple((span_us(at_s, "an entry's time"), action) for at_s, action in entries)
    for _, action in made:
        check_length(action)
    return made


class LoadedSequence:
    """A sequence that is loaded on the board."""

    def __init__(self, load: Load, queue: Callable[[Any], None]) -> None:
        self._load = load
        self.number = load.sequence
        self._queue = queue

    def load(self, *entries: tuple[float, Action]) -> None:
        """Load it again, with other entries if given: after an interruption the board may have removed it."""
        if entries:
            self._load = replace(self._load, entries=timed(entries))
        self._queue(self._load)

    @property
    def start_action(self) -> Start:
        """The action that starts it, for a reflex or for another sequence."""
        return Start(self.number)

    @property
    def stop_action(self) -> Stop:
        """The action that stops it, for a reflex or for another sequence."""
        return Stop(self.number)

    def start(self, at_s: float | None = None) -> None:
        """Start it now, or at a time of the session; the board refuses a time already past."""
        self._queue(Start(self.number, None if at_s is None else span_us(at_s, "the start")))

    def stop(self) -> None:
        """Stop it and turn off its outputs."""
        self._queue(self.stop_action)
