"""What a virtual subject can notice, and the one wait of it that a world ends."""

from __future__ import annotations

import asyncio
from typing import NamedTuple


class Sign(NamedTuple):
    """Something that a subject can notice: a light or a picture, a drop or a pellet that falls, a tone.

    Of a tone that is noticed ``value`` is its frequency in hertz.
    """

    kind: str
    place: str
    value: int


class Senses:
    """The signs that a subject waits for; the world says what can be noticed."""

    def __init__(self) -> None:
        self._wanted: tuple[Sign, ...] = ()
        self._noticed: asyncio.Future[Sign] | None = None

    def wait_for(self, *signs: Sign) -> asyncio.Future[Sign]:
        """Return what the first of these signs will settle, in place of an earlier wait."""
        self._wanted = signs
        self._noticed = asyncio.get_running_loop().create_future()
        return self._noticed

    def notice(self, sign: Sign, seen: Sign | None = None) -> None:
        """Settle a wait for a sign, with what is ``seen`` of it where that is more."""
        if sign in self._wanted and self._noticed is not None and not self._noticed.done():
            self._wanted = ()
            self._noticed.set_result(seen or sign)
