"""Drivers by name: an entry point finds the driver for ``driver:`` in the rig file."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol

from rig.boards.chips import ChipName
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
from rig.platform.loops import new_loop
from rig.scales.interface import Scale
from rig.screen.board_with_screen import BoardWithScreen
from rig.screen.window_screen import WindowScreen
from rig.system.plugins import BOARDS, load_plugin
from rig.system.tcp_address import TcpAddress


@dataclass(frozen=True)
class Connection:
    """A connection to a board, with the parts of a simulated rig around it.

    ``subject`` is the coroutine of a virtual subject, ``camera`` films it and ``screen`` shows it the scenes. ``tell``
    passes the protocol's notes to it. ``remark`` returns what the operator should read about it after the session.
    ``scale`` weighs the water that has flowed. ``rig`` is the simulated rig, for tests. All are None for real hardware.
    """

    transport: Transport
    subject: Callable[[], Coroutine[object, None, None]] | None = None
    camera: Camera | None = None
    screen: Screen | None = None
    tell: Callable[[Mapping[str, object]], object] = lambda fields: None
    remark: Callable[[], str] | None = None
    rig: SimulatedRig | None = None
    scale: Scale | None = None


@dataclass(frozen=True)
class Tool:
    """A program or library that a driver can use: what it ``gives``, and the command to ``get`` it.

    ``problem`` says why it cannot be used on this computer, and is empty if it can.
    """

    name: str
    problem: str
    gives: str
    get: str


@dataclass(frozen=True)
class ServedPlace:
    """Where a simulated device is served: at the TCP port ``tcp``, or at a pseudo-terminal with the name ``link``.

    Without a link the system names it.
    """

    link: Path | None = None
    tcp: TcpAddress | None = None


class VirtualPort(Protocol):
    """A simulated rig that other programs open as a port; ``name`` is what they open."""

    name: str
    scale_name: str | None

    def wait(self) -> None:
        """Wait until it has ended; raise the error that ended it."""

    def move_leads(self, line: str) -> str:
        """Run one line of a person who moves leads and plugs; return the answer. Raises ``ConfigError``."""


class Driver(ABC):
    """A driver: opens the connection to a board and builds the board on it."""

    records: ClassVar[Literal["real", "simulated"]] = "real"
    """Whose records its sessions write: a real subject's are durable and count for its day."""
    operator: ClassVar[Literal["person", "automatic"]] = "person"
    """Who confirms a channel test."""
    accepts_models: ClassVar[bool] = False
    """Whether a model, or a person at the keyboard, can be the subject."""
    fastest: ClassVar[float | None] = None
    """How many times real time its boards can run, at most; None for real time only."""
    needs_hardware: ClassVar[bool] = True
    """Whether it uses ports and cameras of this computer, which need checks."""
    calibrations_expire: ClassVar[bool] = True
    """Whether calibrations of its valves expire."""
    has_board: ClassVar[bool] = True
    """Whether there is a board at all: without one nothing can be wired, and no port is opened."""
    # A clock of 16 MHz divides into this rate exactly; at 115,200 baud an Uno is 2.1 % too fast.
    baud: ClassVar[int] = 500_000
    """The default baud rate."""
    supports_hello: ClassVar[bool] = True
    """Whether its boards answer GET_HELLO."""
    timing_unsupported_reason: ClassVar[str | None] = None
    """Why its boards have no timing (reflexes and stamps); None when they have it."""
    has_panic_input: ClassVar[bool] = False
    """Whether its boards have a panic input, which switches everything off without the computer."""
    max_sources: ClassVar[int | None] = 0
    """How many analog inputs and encoders a board of it samples; None where only the open board says so."""
    chip: ClassVar[ChipName | None] = None
    """The chip that each board of it has, whatever the rig file names; None where the rig file names it."""
    image: ClassVar[str | None] = None
    """The image of the firmware that its boards run; None for the one that `rig board flash` writes to their chip."""
    can_reconnect: ClassVar[bool] = False
    """Whether a lost board can be opened again while its session waits."""
    has_probe: ClassVar[bool] = False
    """Whether a probe can be put on its boards' pins."""
    warnings: ClassVar[tuple[str, ...]] = ()
    """Warnings that the start screen and ``rig check`` print about its boards."""

    @abstractmethod
    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Build the loop that a session runs on.

        ``speed`` is how many times real time; infinity is as fast as it goes, None is real time with a person at
        the keyboard. Raises ``ConfigError`` for a speed that the hardware cannot have.
        """

    @abstractmethod
    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Open the connection to the board, on the running loop. Raises ``BoardNotFoundError``."""

    @abstractmethod
    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the board at the end of a connection, for a session with a random seed."""

    def reconnect(self, connection: Connection, plan: RigSpec) -> Connection:
        """Open the connection to a lost board again; only if ``can_reconnect``. Raises ``BoardNotFoundError``."""
        raise NotImplementedError

    def camera(self, connection: Connection, plan: RigSpec) -> Camera | None:
        """Build the camera of a rig that has a tracker: a real one, unless the connection has one."""
        if plan.tracking is None:
            return None
        return connection.camera or CameraProcess(plan.tracking)

    def serve(
        self, plan: RigSpec, options: SimulationOptions, place: ServedPlace, scale: ServedPlace | None = None
    ) -> AbstractContextManager[VirtualPort]:
        """Run a simulated rig at a port, in real time, for as long as the context is entered.

        At ``scale`` is a scale under its valves. Raises ``ConfigError``.
        """
        raise ConfigError(f"driver '{plan.board.driver}': only the firmware on a simulated chip is served at a port")

    def tools(self) -> Iterable[Tool]:
        """Return the programs and libraries beside Python's that its boards can use."""
        return ()

    def probe(self, plan: RigSpec, heard: frozenset[str], seed: int) -> PinProbe:
        """Build a board with a probe on its pins, on the running loop; only if ``has_probe``.

        The speakers named in ``heard`` are known by their frequency, all other outputs by their levels.
        """
        raise NotImplementedError


def real_time_loop(speed: float | None) -> asyncio.AbstractEventLoop:
    """Build a standard event loop, in real time. Raises ``ConfigError`` for any other speed."""
    if speed not in (None, 1):
        raise ConfigError(f"--speed {speed:g}: a real rig lives in real time; leave it out, or give 1")
    return new_loop()


def find_driver(name: str) -> Driver:
    """Return the driver of a name. Raises ``ConfigError`` that lists the names."""
    driver: Driver = load_plugin(BOARDS, name)()
    return driver


def make_board(
    driver: Driver, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int, lost: Board | None = None
) -> Board:
    """Build the board of a session, with the rig's screen if it has one: that of the ``lost`` board goes on."""
    board = driver.board(connection, plan, inbox, seed)
    if isinstance(lost, BoardWithScreen):
        return lost.follow(board)
    if plan.screen is None:
        return board
    return BoardWithScreen(
        board, connection.screen or WindowScreen(plan.screen, running()), plan.screen, inbox, running()
    )
