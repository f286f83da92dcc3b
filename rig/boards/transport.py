"""Bytes to and from a board: the lowest seam, and the only one that simulation replaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable


class Transport(ABC):
    """An open port, or something that behaves like one."""

    @abstractmethod
    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Begin to deliver what arrives; ``on_lost`` is told once, in words, when nothing will arrive any more."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send bytes; never blocks, never raises: a port that is gone says so through ``on_lost``."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the port at once; what the port has not taken yet is lost."""
