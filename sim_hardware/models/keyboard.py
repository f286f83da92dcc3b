"""A human at the keyboard: a key is a poke. Only in real time, and on a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from rig.core.errors import ConfigError
from rig.platform.keys import keys_on_loop
from rig.platform.signals import interrupt_main
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model, ModelParams
from sim_hardware.world.body import Body

POKE_S = 0.2
"""Duration of a poke: a terminal reports when a key is pressed, not when it is released."""

PLACES = {"a": "left", "s": "center", "d": "right", "\x1b[D": "left", "\x1b[B": "center", "\x1b[C": "right"}


class KeyboardSubject(Model):
    """Pokes by keys; ``q`` ends the session."""

    def __init__(self, params: ModelParams) -> None:
        self._inside: set[str] = set()

    async def live(self, body: Body) -> None:
        """Convert keys into pokes until cancelled."""
        loop = asyncio.get_running_loop()
        if isinstance(loop, VirtualLoop):
            raise ConfigError("the model 'keyboard' needs real time: use `rig run`")
        with keys_on_loop(lambda text: self._take(text, body, loop)):
            await loop.create_future()

    def _take(self, text: str, body: Body, loop: asyncio.AbstractEventLoop) -> None:
        for key in _split(text):
            if key == "q":
                interrupt_main()
            place = PLACES.get(key)
            if place is not None and place in body.places and place not in self._inside:
                self._inside.add(place)
                body.enter(place)
                loop.call_later(POKE_S, self._leave, body, place)

    def _leave(self, body: Body, place: str) -> None:
        self._inside.discard(place)
        body.leave(place)


def _split(text: str) -> Iterator[str]:
    """Yield the keys of an input; an arrow is three characters."""
    place = 0
    while place < len(text):
        size = 3 if text.startswith("\x1b[", place) else 1
        yield text[place : place + size]
        place += size
