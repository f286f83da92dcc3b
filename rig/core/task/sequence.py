"""Sequences, as a protocol holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rig.core.model.actions import Action, Load, Start, Stop, check_length
from rig.core.model.units import span_us


def timed(entries: Iterable[tuple[float, Action]]) -> tuple[tuple[int, Action], ...]:
    """Convert the seconds of a sequence's entries into microseconds. Raises ``TaskError`` for what takes no time."""
    made = tuple((span_us(at_s, "an entry's time"), action) for at_s, action in entries)
    for _, action in made:
        check_length(action)
    return made


class LoadedSequence:
    """A sequence that lies loaded on the board."""

    def __init__(self, load: Load, queue: Callable[[Any], None]) -> None:
        self._load = load
        self.number = load.sequence
        self._queue = queue

    def load(self, *entries: tuple[float, Action]) -> None:
        """Load it again: the board has forgotten it, or may have; or it is to do something else from now on."""
        if entries:
            self._load = replace(self._load, entries=timed(entries))
        self._queue(self._load)

    @property
    def start_action(self) -> Start:
        """The action of starting it, for a reflex or for another sequence."""
        return Start(self.number)

    @property
    def stop_action(self) -> Stop:
        """The action of stopping it, for a reflex or for another sequence."""
        return Stop(self.number)

    def start(self, at_s: float | None = None) -> None:
        """Start it now, or at a time of the session; a time already past is refused, never run late."""
        self._queue(Start(self.number, None if at_s is None else span_us(at_s, "the start")))

    def stop(self) -> None:
        """Stop it and whatever of it is still on."""
        self._queue(self.stop_action)
