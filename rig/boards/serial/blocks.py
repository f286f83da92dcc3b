"""Read the blocks of sources: find what is lost between them, and when each value was sampled."""

from __future__ import annotations

from collections.abc import Sequence

from rig.boards.serial.board_clock import BoardClock
from rig.boards.wire.messages import Message
from rig.core.model.board import Block, Source


class BlockReader:
    """Reads the blocks of one opening of a board, whose sources are numbered in the order of the wiring."""

    def __init__(self, sources: Sequence[Source], clock: BoardClock) -> None:
        self._names = [source.name for source in sources]
        self._clock = clock
        self._expected = [0] * len(sources)
        """The number of the next block of each source."""
        self._unsent = [0] * len(sources)
        """What the last block of each source said of those that the board could not send."""

    def read(self, message: Message) -> Block:
        """Parse SAMPLES or COUNTS. Raises ``LookupError`` for a source that the board was not given."""
        _, source, number, unsent_total, stamp, period, values = message
        lost = (number - self._expected[source]) & 0xFFFF
        unsent = (unsent_total - self._unsent[source]) & 0xFF
        self._expected[source] = (number + 1) & 0xFFFF
        self._unsent[source] = unsent_total
        times_us = [self._clock.t_us((stamp + index * period) & 0xFFFF_FFFF) for index in range(len(values))]
        return Block(self._names[source], times_us, values, lost, unsent)
