"""A transport that counts bytes, and can delay or mute the host."""

from __future__ import annotations

from collections.abc import Callable

from rig.boards.transport import Transport
from rig.core.clock import Clock


class CountingTransport(Transport):
    """A counting transport; ``mute`` drops the host's bytes, ``late_s`` delays them."""

    def __init__(self, inner: Transport, clock: Clock, late_s: float = 0.0) -> None:
        self.to_board = 0
        self.to_host = 0
        self.mute = False
        self.last_write_at = 0.0
        """The loop time of the host's last write, in seconds."""
        self._inner = inner
        self._clock = clock
        self._late_s = late_s

    @property
    def quiet_s(self) -> float:
        """Return for how long the host must still send nothing."""
        return self._inner.quiet_s

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver and count bytes."""

        def deliver(data: bytes) -> None:
            self.to_host += len(data)
            on_bytes(data)

        self._inner.start(deliver, on_lost)

    def write(self, data: bytes) -> None:
        """Send bytes, after ``late_s``."""
        if self._late_s:
            self._clock.call_later(self._late_s, self._write, data)
        else:
            self._write(data)

    def _write(self, data: bytes) -> None:
        # A dropped frame never reaches the board, so the lease runs from the last one before it.
        if not self.mute:
            self.to_board += len(data)
            self.last_write_at = self._clock.time()
            self._inner.write(data)

    def close(self) -> None:
        """Close the port."""
        self._inner.close()
