"""Sequences, as a protocol uses them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from rig.core.model.actions import Action, Load, Start, Stop
from rig.core.model.microseconds import span_us
from rig.core.task.argument_forms import check_ordered, check_timed


def timed(entries: Iterable[tuple[float, Action]]) -> tuple[tuple[int, Action], ...]:
    """Convert the seconds of a sequence's entries to microseconds. Raises ``TaskError`` for a wrong one."""
    made = []
    for entry in entries:
        check_timed(entry)
        at_s, action = entry
        made.append((span_us(at_s, "an entry's time"), action))
        check_ordered("a sequence's entry", action)
    return tuple(made)


def calling_line() -> tuple[str, int]:
    """Return the file and line of the protocol that called the function which calls this one."""
    frame = sys._getframe(2)  # noqa: SLF001 (the public way goes up frame by frame)
    return frame.f_code.co_filename, frame.f_lineno


class LoadedSequence:
    """A sequence that is loaded on the board."""

    def __init__(
        self,
        load: Load,
        queue: Callable[[Action | Load], object],
        board_us: Callable[[int], int] = lambda task_us: task_us,
    ) -> None:
        self._load = load
        self._board_us = board_us
        self.number = load.sequence
        self._queue = queue

    def load(self, *entries: tuple[float, Action]) -> None:
        """Load the sequence again, with these entries if any are given."""
        if entries:
            self._load = Load(self.number, timed(entries)).made_at(calling_line())
        self._queue(self._load)

    @property
    def start_action(self) -> Start:
        """Return the action that starts the sequence, for a reflex or another sequence."""
        return Start(self.number)

    @property
    def stop_action(self) -> Stop:
        """Return the action that stops the sequence, for a reflex or another sequence."""
        return Stop(self.number)

    def start(self, at_s: float | None = None) -> None:
        """Start the sequence now, or at session time ``at_s``; the board refuses a time that is past."""
        self._queue(Start(self.number, None if at_s is None else self._board_us(span_us(at_s, "the start"))))

    def stop(self) -> None:
        """Stop the sequence and switch its outputs off."""
        self._queue(self.stop_action)
