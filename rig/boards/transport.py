"""Bytes to and from a board: the lowest interface, and the one that simulation replaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

QUIET_S = 2.0
"""Longer than a bootloader waits before it starts the program, at most 1.25 s (docs/decisions/opening-a-board.md)."""


class Transport(ABC):
    """An open port, or something that behaves like one."""

    @property
    def quiet_s(self) -> float:
        """Return for how long the host must still send nothing, unless the board speaks before.

        Opening a port resets an Arduino, and its bootloader reads the first bytes. 0: no bootloader can be there.
        """
        return QUIET_S

    @abstractmethod
    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver bytes; ``on_lost`` is called once, with the reason, when the port is lost."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send bytes; never blocks and never raises: a lost port is reported by ``on_lost``."""

    @abstractmethod
    def close(self) -> None:
        """Close the port at once; bytes that it has not accepted are lost."""
