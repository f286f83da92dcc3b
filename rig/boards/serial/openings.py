"""Read the openings that a board has kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from itertools import pairwise
from typing import Any, Literal

from rig.boards.serial.requests import RequestTracker
from rig.boards.wire import messages as wire
from rig.boards.wire.messages import Message
from rig.core.errors import LinkLostError, WireError
from rig.core.model.board import KeptOpening

ATTEMPTS = 3
"""How often the list is read if it changes meanwhile: a reflex of a session that has died may still fire."""

_CAUSES: Mapping[int, Any] = wire.words("CAUSE")
_OPEN, _CUT = wire.CONSTANTS["OPENING_OPEN"], wire.CONSTANTS["OPENING_CUT"]


async def read_openings(requests: RequestTracker) -> tuple[KeptOpening, ...]:
    """Return all kept openings, oldest first.

    Raises ``BoardNotFoundError``, and ``LinkLostError`` if they keep changing.
    """
    for _ in range(ATTEMPTS):
        openings = [opening async for opening in _latest_first(requests)]
        # An opening that begins meanwhile moves all others by one place.
        if all((later.number - earlier.number) & 0xFFFF == 1 for later, earlier in pairwise(openings)):
            return tuple(reversed(openings))
    raise LinkLostError("the board's kept openings change while they are read")


async def read_latest_opening(requests: RequestTracker) -> tuple[KeptOpening, ...]:
    """Return the latest kept opening; empty if there is none. Raises ``BoardNotFoundError``."""
    return parse_opening(await _answer(requests, 0))


async def _latest_first(requests: RequestTracker) -> AsyncIterator[KeptOpening]:
    place, kept = 0, 1
    while place < kept:
        message = await _answer(requests, place)
        kept = message[2]
        for opening in parse_opening(message):
            yield opening
        place += 1


async def _answer(requests: RequestTracker, place: int) -> Message:
    while True:
        message = await requests.request(wire.GET_OPENING, (place,), wire.OPENING)
        # Else it answers a repeated request for the place before.
        if message[1] == place:
            return message


def parse_opening(message: Message) -> tuple[KeptOpening, ...]:
    """Return the opening of an OPENING message; empty if the board has kept none at its place.

    Raises ``WireError`` for one of an unknown cause.
    """
    _, place, kept, number, channel, epoch, cause, by, part, flags, stamp, ticks = message
    if place >= kept:
        return ()
    state: Literal["ended", "open", "cut"] = "open" if flags & _OPEN else "cut" if flags & _CUT else "ended"
    if cause not in _CAUSES:
        raise WireError(f"the board keeps an opening of an unknown cause ({cause}): `rig board flash` mends it")
    return (KeptOpening(number, channel, epoch, _CAUSES[cause], by, part, stamp, ticks, state),)
