"""Read the blocks of sources: find what is lost between them, and when each value was sampled."""

from __future__ import annotations

from collections.abc import Sequence

from rig.boards.serial.board_clock import BoardClock
from rig.boards.wire.messages import Message
from rig.core.model.board import Block, Source


class BlockReader:
    """Reads the blocks of one opening of a board, whose sources are numbered in the order of the wiring."""

    def __init__(self, sources: Sequence[Source], clock: BoardClock) -> None:
        self._sources = sources
        self._clock = clock
        self._expected = [0] * len(sources)
        """The number of the next block of each source."""
        self._unsent = [0] * len(sources)
        """What the last block of each source said of those that the board could not send."""

    def read(self, message: Message) -> Block:
        """Parse SAMPLES or COUNTS. Raises ``ValueError`` for a block that the board should not have sent."""
        _, number, block, unsent_total, stamp, period, values = message
        if number >= len(self._sources):
            raise ValueError(f"values of source {number}, which the board was not given")
        source = self._sources[number]
        # Before the stamp is converted: the times of a wrong block must not move the clock.
        if period != self._clock.ticks(source.period_us):
            raise ValueError(
                f"values of {source.name} every {self._clock.us(period)} us, ordered were {source.period_us} us"
            )
        lost = block - self._expected[number]
        # The line keeps the order and the board repeats none, so a lower number is not one of an older block.
        if lost < 0:
            last = self._expected[number] - 1
            raise ValueError(f"block {block} of {source.name} behind block {last}, and no block is sent twice")
        unsent = unsent_total - self._unsent[number]
        if not 0 <= unsent <= lost:
            raise ValueError(f"{unsent} blocks of {source.name} that could not be sent, but {lost} are missing")
        self._expected[number] = block + 1
        self._unsent[number] = unsent_total
        first_us = self._clock.t_us(stamp)
        times_us = [first_us + self._clock.us(index * period) for index in range(len(values))]
        return Block(source.name, times_us, values, lost, unsent)
