"""Boards by name: a word in the rig file, a driver behind it, found by an entry point."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from rig.boards.pin_probe import PinProbe
from rig.boards.simulation import SimulatedRig
from rig.boards.transport import Transport
from rig.camera.interface import Camera
from rig.camera.process import CameraProcess
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import ConfigError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.core.model.screen import Screen
from rig.screen.board_with_screen import BoardWithScreen
from rig.screen.window_screen import WindowScreen
from rig.system.plugins import BOARDS, load_plugin


@dataclass(frozen=True)
class Connection:
    """A way to a board; of a virtual subject ``subject`` is the coroutine, ``camera`` sees it,
    and ``screen`` shows it what is drawn, where there is one. ``tell`` hands it the protocol's notes, and ``remark``
    says afterwards what a person should know of it. ``rig`` is the simulated rig, for tests; None for real hardware.
    """

    transport: Transport
    subject: Callable[[], Coroutine[Any, Any, None]] | None = None
    camera: Camera | None = None
    screen: Screen | None = None
    tell: Callable[[Mapping[str, Any]], object] = lambda fields: None
    remark: Callable[[], str] | None = None
    rig: SimulatedRig | None = None


class VirtualPort(Protocol):
    """A simulated rig at a port, at which other programs find it."""

    path: Path

    def wait(self) -> None:
        """Return when it has ended, or raise what ended it."""


class Driver(ABC):
    """How one word under ``driver:`` becomes bytes to and from a board."""

    records: ClassVar[Literal["real", "simulated"]] = "real"
    """What its sessions leave: records of a real subject, durable and counted for its day, or of a simulated one."""
    operator: ClassVar[Literal["person", "automatic"]] = "person"
    """Who watches a channel test and answers."""
    accepts_models: ClassVar[bool] = False
    """Whether a model, or a person at the keyboard, can be the subject."""
    fastest: ClassVar[float | None] = None
    """How many times real time its boards can run, at most; None where they live in real time."""
    needs_hardware: ClassVar[bool] = True
    """Whether it uses ports and cameras of this computer, which checks must look at."""
    calibrations_expire: ClassVar[bool] = True
    """Whether a calibration of its valves can be too old."""
    baud: ClassVar[int] = 500_000
    """The speed of the line where the rig file gives none."""
    supports_hello: ClassVar[bool] = True
    """Whether its boards say who they are in our own wire."""
    timing_unsupported_reason: ClassVar[str | None] = None
    """Why its boards cannot time by themselves; None when they can, with reflexes and stamps of their own."""
    has_probe: ClassVar[bool] = False
    """Whether leads can be put on its boards' pins."""
    warnings: ClassVar[tuple[str, ...]] = ()
    """What a person must know of its boards before an animal depends on them."""

    @abstractmethod
    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Build the loop that a session runs on.

        ``speed`` is how many times real time; infinity is as fast as it goes, None is real time with a person at
        the keyboard. Raises ``ConfigError`` for a speed that the hardware cannot have.
        """

    @abstractmethod
    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Open the way to the board, on the running loop. Raises ``BoardNotFoundError``."""

    @abstractmethod
    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the board at the end of a connection, for a session with a random seed."""

    def camera(self, connection: Connection, plan: RigSpec) -> Camera | None:
        """Build the camera of a rig that has a tracker: one that films, where no virtual subject is to be seen."""
        if plan.tracking is None:
            return None
        return connection.camera or CameraProcess(plan.tracking)

    def serve(
        self, plan: RigSpec, options: SimulationOptions, link: Path | None
    ) -> AbstractContextManager[VirtualPort]:
        """Serve a simulated rig at a port, in real time, for as long as the context is entered.

        ``link`` is to be another name of the port. Raises ``ConfigError``.
        """
        raise ConfigError(f"driver '{plan.board.driver}': only the firmware on a simulated chip is served at a port")

    def probe(self, plan: RigSpec, heard: frozenset[str], seed: int) -> PinProbe:
        """Put a board on a bench, on the running loop, if it ``has_probe``.

        The speakers named in ``heard`` are known by their frequency, all other outputs by their levels.
        """
        raise NotImplementedError


def find_driver(name: str) -> Driver:
    """Find a driver by its name. Raises ``ConfigError`` with the names that exist."""
    driver: Driver = load_plugin(BOARDS, name)()
    return driver


def make_board(driver: Driver, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
    """Build the board of a session, with the rig's screen beside it: a window unless the connection has a screen."""
    board = driver.board(connection, plan, inbox, seed)
    if plan.screen is None:
        return board
    return BoardWithScreen(
        board, connection.screen or WindowScreen(plan.screen, running()), plan.screen, inbox, running()
    )
