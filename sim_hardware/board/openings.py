"""The kept openings: the last on-times of dangerous outputs, which outlive a lease, an OPEN and a reset."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from rig.boards.wire import messages as wire
from sim_hardware.board.ticks import Ticks

Cause = tuple[int, int, int]
"""Whose order an opening is: ``cause``, ``by`` and ``part`` of the message ON."""

OPEN, CUT = wire.CONSTANTS["OPENING_OPEN"], wire.CONSTANTS["OPENING_CUT"]


@dataclass(slots=True)
class Opening:
    """One on-time of a dangerous output; ``stamp`` is the chip's raw clock when it began."""

    number: int
    channel: int
    epoch: int
    cause: Cause
    begun: int
    stamp: int
    flags: int = OPEN
    ticks: int = 0


class Openings:
    """The last openings of a chip, ``capacity`` at most; the latest comes last.

    ``epoch`` is the board's epoch, to which an opening that begins belongs.
    """

    def __init__(self, ticks: Ticks, capacity: int) -> None:
        self.epoch = 0
        self._ticks = ticks
        self._kept: deque[Opening] = deque(maxlen=capacity)
        self._count = 0

    def begin(self, channel: int, cause: Cause) -> Opening:
        """Record that an output went on."""
        self._count = (self._count + 1) & 0xFFFF
        now = self._ticks.now()
        opening = Opening(self._count, channel, self.epoch, cause, now, self._ticks.stamp(now))
        self._kept.append(opening)
        return opening

    def end(self, opening: Opening) -> None:
        """Record that it went off; one that a reset has cut stays as it is."""
        if opening.flags & OPEN:
            opening.flags, opening.ticks = 0, self._ticks.now() - opening.begun

    def cut(self) -> None:
        """Record a reset: what was open ended at a moment that the chip does not know."""
        for opening in self._kept:
            if opening.flags & OPEN:
                opening.flags, opening.ticks = CUT, 0

    def forget(self) -> None:
        """Remove everything, as a chip without power does."""
        self._kept.clear()
        self._count = 0

    def fields(self, place: int) -> tuple[int, ...]:
        """Return the fields of an OPENING after its place; place 0 is the latest."""
        kept = len(self._kept)
        if place >= kept:
            return kept, 0, 0, 0, 0, 0, 0, 0, 0, 0
        one = self._kept[kept - 1 - place]
        ticks = self._ticks.now() - one.begun if one.flags & OPEN else one.ticks
        return kept, one.number, one.channel, one.epoch, *one.cause, one.flags, one.stamp, ticks
