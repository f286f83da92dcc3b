"""Stimuli that a virtual subject can perceive, and the wait that the first of them ends."""

from __future__ import annotations

import asyncio
from typing import NamedTuple


class Stimulus(NamedTuple):
    """Something that a subject can perceive: a light or a picture, a drop or a pellet that falls, a tone.

    ``value`` of a tone that was perceived is its frequency in hertz.
    """

    kind: str
    place: str
    value: int


class Senses:
    """The stimuli that a subject waits for; the world reports what happens."""

    def __init__(self) -> None:
        self._wanted: tuple[Stimulus, ...] = ()
        self._perceived: asyncio.Future[Stimulus] | None = None

    def wait_for(self, *stimuli: Stimulus) -> asyncio.Future[Stimulus]:
        """Return a future of the first of these stimuli; it replaces an earlier wait."""
        self._wanted = stimuli
        self._perceived = asyncio.get_running_loop().create_future()
        return self._perceived

    def note_event(self, stimulus: Stimulus, seen: Stimulus | None = None) -> None:
        """End a wait for a stimulus with ``seen``, if given, or the stimulus."""
        if stimulus in self._wanted and self._perceived is not None and not self._perceived.done():
            self._wanted = ()
            self._perceived.set_result(seen or stimulus)
