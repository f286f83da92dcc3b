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
        self._wait: asyncio.Future[Stimulus] | None = None

    def wait_for(self, *stimuli: Stimulus) -> asyncio.Future[Stimulus]:
        """Return a future of the first of these stimuli; it replaces an earlier wait."""
        self._wanted = stimuli
        self._wait = asyncio.get_running_loop().create_future()
        return self._wait

    def end_wait(self, stimulus: Stimulus, perceived: Stimulus | None = None) -> None:
        """End a wait for a stimulus, if there is one; it returns ``perceived``, by default the stimulus."""
        if stimulus in self._wanted and self._wait is not None and not self._wait.done():
            self._wanted = ()
            self._wait.set_result(perceived or stimulus)
