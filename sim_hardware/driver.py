"""``driver: sim``: a simulated board, the world around it and, if asked for, a virtual subject."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from pydantic import ValidationError

from rig.boards.chips import CHIPS
from rig.boards.driver_lookup import Connection, Driver
from rig.boards.serial.board import SerialBoard
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError, ConfigError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.system.plugins import describe_user_error
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import Capacity
from sim_hardware.board.pin_probe import BENCH_CABLE, SimProbe
from sim_hardware.bootloader import Bootloader, BootSequence
from sim_hardware.link_model import CableTransport, LinkFaults, ResettingTransport
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model
from sim_hardware.models.model_lookup import find_model
from sim_hardware.rig import VirtualRig
from sim_hardware.world.body import Body
from sim_hardware.world.scale import VirtualScale


class SimRig(VirtualRig):
    """A board, its cable and its world, on the running loop.

    With a ``bootloader``, opening the port resets the board, which then starts with it.
    """

    def __init__(
        self,
        plan: RigSpec,
        options: SimulationOptions,
        faults: LinkFaults | None = None,
        bootloader: Bootloader | None = None,
    ) -> None:
        clock = running()
        self._kept_zero: int | None = None
        super().__init__(plan, options, faults, clock)
        send, drive = self.cable.to_host.send, self.world.on_output
        self._boot: BootSequence | None = None
        if bootloader is not None:
            self._boot = BootSequence(clock, bootloader, self._reset, self._receive_by_program, send)
            self.transport = ResettingTransport(self.cable, self._boot.reset)
            send = self._boot.send
        self.board = SimBoard(clock, send, drive, self.begin, capacity=capacity_of(plan))
        # Before the first OPEN: an inverted beam whose pin is low would be reported as broken.
        self.world.clear()

    def now_us(self) -> int:
        """Return the time of the session."""
        ticks = self.board.ticks
        zero = self.board.opened_at if self._kept_zero is None else self._kept_zero
        return (ticks.now() - zero) * ticks.tick_ns // 1000

    def keep_time(self) -> None:
        """Set the rig to go on with its time when its board is opened again: its session goes on."""
        if self._kept_zero is None:
            self._kept_zero = self.board.opened_at

    def begin(self, zero_s: float | None = None) -> None:
        """Start the time of the session, unless it goes on."""
        if self._kept_zero is None:
            super().begin(zero_s)

    def _reset(self) -> None:
        self.board.reset("BUTTON")

    def _receive(self, data: bytes) -> None:
        # Not by a boot sequence that does nothing: this is called for each message of a session.
        if self._boot is None:
            self.board.receive(data)
        else:
            self._boot.receive(data)

    def _receive_by_program(self, data: bytes) -> None:
        self.board.receive(data)

    def _drive(self, pin: int, level: int) -> None:
        self.board.chip.inputs.drive(pin, level)

    def _set_value(self, pin: int, value: int) -> None:
        self.board.chip.sources.set_value(pin, value)


class VirtualDriver(Driver):
    """Driver of rigs in which everything is simulated, in virtual time; the board's ``id`` is ignored."""

    records: ClassVar[Literal["real", "simulated"]] = "simulated"
    operator = "automatic"
    accepts_models = True
    fastest = math.inf
    needs_hardware = False
    calibrations_expire = False
    has_panic_input = True
    has_probe = True

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Build a virtual loop, or a real one for a human at the keyboard."""
        return asyncio.new_event_loop() if speed is None else VirtualLoop(rate=speed)

    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the board. Its nonce is the seed, so that the same session sends the same bytes."""
        return SerialBoard(connection.transport, running(), inbox, None, nonce=seed)


class SimDriver(VirtualDriver):
    """Driver of rigs whose board is the Python model."""

    max_sources = Capacity.sources
    can_reconnect = True

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Build a rig, and the subject that is asked for."""
        rig = SimRig(plan, options)
        return connection(rig, options)

    def reconnect(self, connection: Connection, plan: RigSpec) -> Connection:
        """Open the port again, if the cable is in. The board must not be opened by the nonce of the session before."""
        rig = connection.rig
        if not isinstance(rig, SimRig) or not rig.cable.plugged:
            raise BoardNotFoundError("the cable is not plugged in")
        rig.keep_time()
        return replace(connection, transport=CableTransport(rig.cable))

    def probe(self, plan: RigSpec, heard: frozenset[str], seed: int) -> SimProbe:
        """Build a probe on a board on a bench; all speakers are recorded, and nothing is random."""
        return SimProbe(BENCH_CABLE, capacity=capacity_of(plan))


def capacity_of(plan: RigSpec) -> Capacity | None:
    """Return the capacity of a rig's board, if its file names the chip."""
    return Capacity.of(CHIPS[plan.board.chip]) if plan.board.chip is not None else None


def connection(rig: VirtualRig, options: SimulationOptions) -> Connection:
    """Build the connection of a rig, with the virtual subject that the options name. Raises ``ConfigError``."""
    model = model_for(options, rig.body)
    live, remark = (None, None) if model is None else (partial(model.live, rig.body), lambda: model.remark)
    scale = VirtualScale(rig.world, options.seed)
    return Connection(rig.transport, live, rig.camera, rig.screen, rig.body.add_task_note, remark, rig, scale)


def subject(options: SimulationOptions, body: Body) -> Callable[[], Coroutine[Any, Any, None]] | None:
    """Build the virtual subject that the options name. Raises ``ConfigError`` when it could not act on the rig."""
    model = model_for(options, body)
    return None if model is None else partial(model.live, body)


def model_for(options: SimulationOptions, body: Body) -> Model | None:
    """Build the model that the options name. Raises ``ConfigError``, also when the rig lacks a device that it needs."""
    if options.model is None:
        return None
    model = make_model(options.model, options.options, options.hints)
    if missing := [need for need in model.needs if need not in body.devices]:
        needs, lacks, has = (", ".join(words) or "nothing" for words in (model.needs, missing, body.devices))
        said = f"needs {needs}, and this rig has no {lacks}; it has {has}"
        raise ConfigError(f"model '{options.model}' {said}: `rig show models` says what each needs")
    return model


def make_model(name: str, options: Mapping[str, object], hints: Mapping[str, object] = MappingProxyType({})) -> Model:
    """Build a model by its name; it takes the ``hints`` that it has parameters for.

    Raises ``ConfigError`` listing what is wrong with its parameters.
    """
    kind = find_model(name)
    try:
        known_hints = {key: value for key, value in hints.items() if key in kind.Params.model_fields}
        try:
            params = kind.Params.model_validate({**known_hints, **options})
        except ValidationError:  # what was asked for may contradict a hint, and goes before it
            params = kind.Params.model_validate(options)
    except ValidationError as error:
        known = ", ".join(kind.Params.model_fields)
        raise ConfigError(
            *(
                f"--param {'.'.join(map(str, mistake['loc']))}: {_words(mistake['msg'])}; {name} takes: {known}"
                for mistake in error.errors()
            )
        ) from None
    try:
        return kind(params)
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(
            f"model '{name}' cannot be made: {describe_user_error(error, kind.__module__.partition('.')[0])}"
        ) from error


def _words(message: str) -> str:
    own = message.removeprefix("Value error, ")
    return own if own != message else message.lower()
