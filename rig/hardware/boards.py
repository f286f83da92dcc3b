"""Boards by name: a word in the rig file, a driver behind it, found by an entry point."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar

from rig.core.plan import Rehearsal, RigPlan
from rig.hardware.transport import Transport
from rig.installed import BOARDS, load


@dataclass(frozen=True)
class Connection:
    """A way to a board; ``subject`` is the coroutine of a virtual subject, if one stands in."""

    transport: Transport
    subject: Callable[[], Coroutine[Any, Any, None]] | None = None


class Driver(ABC):
    """How one word under ``driver:`` becomes bytes to and from a board."""

    simulated: ClassVar[bool]

    @abstractmethod
    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Make the loop that a session runs on.

        ``speed`` is how many times real time; infinity is as fast as it goes, None is real time with a person at
        the keyboard. Raises ``ConfigError`` for a speed that the hardware cannot have.
        """

    @abstractmethod
    def connect(self, plan: RigPlan, rehearsal: Rehearsal) -> Connection:
        """Open the way to the board, on the running loop. Raises ``BoardNotFoundError``."""


def find_driver(name: str) -> Driver:
    """Find a driver by its name. Raises ``ConfigError`` with the names that exist."""
    driver: Driver = load(BOARDS, name)()
    return driver
