"""What a verb may use: the rig and the chosen devices, the board, the person at the terminal, and the records."""

from __future__ import annotations

import asyncio
import datetime
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection, Driver, find_driver
from rig.core.errors import ConfigError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.devices.base import Device
from rig.maintenance.any_key import on_any_key
from rig.session.run.stop import StopSignals
from rig.session.spec.read_rig import Rig, rig_spec_of
from rig.session.subject_folder import SubjectFolder

T = TypeVar("T")
Work = Callable[[BoardClient[Board], Connection], Awaitable[T]]
D = TypeVar("D", bound=Device)


class Bench(ABC):
    """One rig and the devices of it that a line names.

    ``word`` is how the line names the rig; ``board`` is the driver that replaces the rig file's; ``data`` is the folder
    of the records.
    """

    def __init__(self, word: str, rig: Rig, devices: Sequence[Device], board: str | None, data: Path) -> None:
        self.word = word
        self.rig = rig
        self.devices = devices
        self.data = data
        self._board = board

    @property
    def device(self) -> Device:
        """Return the device of a verb that names one."""
        (device,) = self.devices
        return device

    def device_as(self, kind: type[D]) -> D:
        """Return the device of a verb that names one. Raises ``ConfigError`` when it is of another kind."""
        if not isinstance(self.device, kind):
            raise ConfigError(f"{self.device.name}: is no {kind.__name__.lower()}")
        return self.device

    @cached_property
    def plan(self) -> RigSpec:
        """Return the hardware's view of the rig."""
        return rig_spec_of(self.rig, self._board)

    @cached_property
    def driver(self) -> Driver:
        """Return the driver of the board. Raises ``ConfigError``."""
        return find_driver(self.plan.board.driver)

    @property
    def is_simulated(self) -> bool:
        """Whether the rig is simulated: it is not asked about, and nothing is recorded of it."""
        return self.driver.records == "simulated"

    def run_on_board(self, work: Work[T], seed: int = 1, *, on_key: Callable[[], None] | None = None) -> T | None:
        """Run a piece of work on the open board; return None if the operator stopped it. Raises ``BoardError``.

        Any key stops it with ``on_key``, which is then called. Everything is off at every end.
        """

        async def main() -> T | None:
            connection = self.driver.connect(self.plan, SimulationOptions(seed=seed))
            client = BoardClient(lambda inbox: self.driver.board(connection, self.plan, inbox, seed=seed))

            async def open_and_work() -> T:
                async with client.opened(self.plan.wiring):
                    return await work(client, connection)

            working = asyncio.ensure_future(open_and_work())

            def cancel() -> None:
                working.cancel()

            def press(pressed: Callable[[], None]) -> None:
                pressed()
                cancel()

            try:
                with ExitStack() as watched:
                    watched.enter_context(stop.deliver_to(cancel, cancel))
                    if on_key is not None and self.driver.records == "real":
                        watched.enter_context(on_any_key(partial(press, on_key)))
                    return await working
            except asyncio.CancelledError:
                return None

        with (
            StopSignals() as stop,
            asyncio.Runner(loop_factory=lambda: self.driver.loop(self.driver.fastest)) as runner,
        ):
            return runner.run(main())

    @abstractmethod
    def confirm_empty(self, what: str) -> None:
        """Wait until a person says that no animal is in the rig; of a simulated rig nothing is asked.

        Raises ``ConfigError`` otherwise.
        """

    @property
    @abstractmethod
    def is_interactive(self) -> bool:
        """Return whether a person is at the terminal."""

    @abstractmethod
    def ask(self, question: str) -> str | None:
        """Return a person's answer; keys that were typed before do not count. None at the end of input."""

    @abstractmethod
    def print(self, *lines: str) -> None:
        """Print lines of the result."""

    @abstractmethod
    def tell(self, *lines: str) -> None:
        """Print lines for the person at the terminal, on standard error."""

    @abstractmethod
    def now(self) -> datetime.datetime:
        """Return the computer's date and time."""

    @abstractmethod
    def person(self, *, is_named: bool = False) -> str:
        """Return the responsible person, or by default the login name. Raises ``ConfigError``.

        With ``is_named`` the login name is not accepted.
        """

    @abstractmethod
    def subject(self) -> SubjectFolder:
        """Return the folder of the subject that the line names. Raises ``ConfigError``."""
