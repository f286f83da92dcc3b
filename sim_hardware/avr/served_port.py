"""A port at which a simulated device is served: what other programs open, and what the device sees of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol


class ServedDevice(Protocol):
    """A device at a port."""

    def handle_opening(self) -> None:
        """Handle that a program has opened the port."""

    def handle_bytes(self, data: bytes) -> None:
        """Handle bytes of that program."""


class ServedPort(ABC):
    """A port on the running loop, for one program at a time."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return what programs open, once it is plugged in."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether a program has it open."""

    @abstractmethod
    def plug(self) -> None:
        """Start to let programs open it, as connecting its cable does. Raises ``ConfigError``."""

    @abstractmethod
    def unplug(self) -> None:
        """Remove it, as pulling its cable does."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send bytes to the program that has it open; they are lost without one, or if it does not read."""

    @abstractmethod
    def stall(self, stalled: bool) -> None:
        """Stop to read what the program sends, or continue."""
