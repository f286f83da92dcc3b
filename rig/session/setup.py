"""From names and files to a script: what the session will be, checked before anything is touched."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from rig.config import (
    Layered,
    ProtocolFile,
    RigFile,
    Stop,
    collect,
    find,
    load,
    load_calibration,
    mistake,
    rig_file_model,
    validate,
)
from rig.config.limits import LAB_FILE, DailyLimits
from rig.config.mistakes import Loc
from rig.config.models import BoardEntry
from rig.config.subject import SUBJECT_FILE
from rig.core.board import Input, Wiring
from rig.core.errors import ConfigError
from rig.core.lines import FORMAT
from rig.core.plan import BoardSpec, RigPlan
from rig.core.rewards import Ceilings
from rig.core.runner import Limits
from rig.core.units import to_us
from rig.core.watch import NEVER_US, Patience
from rig.devices import KINDS, DeviceConfig, ScreenConfig
from rig.devices.box import build_box
from rig.devices.build import build_devices, volume
from rig.devices.calibration import Calibration
from rig.hardware.boards import find_driver
from rig.places import HERE
from rig.session import fit
from rig.session.day import UNLIMITED, Left
from rig.session.fit import Rig
from rig.session.session import Script
from rig.session.tasks import FoundTask, find_task


@dataclass(frozen=True)
class Prepared:
    """A protocol on a rig, ready to be run any number of times."""

    found: FoundTask
    params: Any
    stop: Stop
    sim_subject: Mapping[str, Any]
    plan: RigPlan
    devices: Mapping[str, DeviceConfig]
    screen: ScreenConfig | None
    rig: Mapping[str, Any]
    calibrations: Mapping[str, Calibration]
    sources: tuple[Path, ...]
    layered: Layered = field(default_factory=Layered)
    """The protocol's file, as it was written."""

    @property
    def protocol(self) -> str:
        """Name the protocol as records do."""
        return self.found.name

    @property
    def gives(self) -> frozenset[str]:
        """Tell what the rig gives: ``ul``, ``pellets``, ``access_s``."""
        devices, _ = build_devices(self.devices, self.calibrations, self.screen)
        return frozenset(device.gives for device in devices.values() if device.gives is not None)

    def check_history(self, carried: Mapping[str, Any]) -> None:
        """Refuse a subject whose past does not lead here. Raises ``ConfigError`` at the lines of the parameters."""
        try:
            self.found.task.check_history(self.params, carried)
        except ConfigError as error:
            raise ConfigError(*(fit.with_line(said, self.layered) for said in error.mistakes)) from None

    def script(
        self,
        seed: int,
        carried: Mapping[str, Any],
        left_today: Left = UNLIMITED,
        *,
        simulated: bool = False,
        **facts: Any,
    ) -> Script:
        """Make the script of one session; ``facts`` are further fields of its header.

        ``left_today`` is what the subject may still be given of each kind.
        """
        devices, _ = build_devices(self.devices, self.calibrations, self.screen)
        further = {name: row.columns() for name, row in self.found.task.tables.items()}
        header = {
            "format": FORMAT,
            "protocol": self.protocol,
            **({} if self.found.word is None else {"task": self.found.word}),
            "code": self.found.code,
            **facts,
            "simulated": simulated,
            "seed": seed,
            "params": self.params.model_dump(mode="json"),
            "stop": self.stop.model_dump(mode="json", exclude_none=True),
            "rig": dict(self.rig),
            "carried": dict(carried),
            "left_today": dict(left_today),
            "columns": self.found.task.row_type.columns(),
            **({"tables": further} if further else {}),
        }
        stop = self.stop
        return Script(
            task=self.found.task,
            params=self.params,
            limits=Limits(to_us(stop.session_s), to_us(stop.grace_s), stop.max_trials),
            ceilings=_ceilings(stop, left_today),
            plan=self.plan,
            devices=devices,
            seed=seed,
            patience=_patience(stop, self.plan),
            carried=carried,
            header=header,
        )


def _ceilings(stop: Stop, left: Left) -> Ceilings:
    """Take the lower of what the session may give and what the subject may be given, of each kind."""
    pellets = _lower(stop.max_pellets, left["pellets"])
    return Ceilings(
        max_rewards=stop.max_rewards,
        max_ul=_lower(stop.max_ul, left["ul"]),
        max_pellets=None if pellets is None else int(pellets),
        max_access_s=_lower(stop.max_access_s, left["access_s"]),
    )


def _lower(*ceilings: float | None) -> float | None:
    return min((most for most in ceilings if most is not None), default=None)


def _patience(stop: Stop, plan: RigPlan) -> Patience:
    machines = [channel.name for channel in plan.wiring.channels if isinstance(channel, Input) and channel.machine]
    alert_us, idle_us = (
        NEVER_US if minutes is None else to_us(60 * minutes) for minutes in (stop.idle_alert_min, stop.idle_stop_min)
    )
    photodiode = None if plan.screen is None else plan.screen.photodiode_channel
    return Patience(to_us(stop.stuck_s), alert_us, idle_us, frozenset(machines), photodiode)


def prepare(
    protocol: str,
    rig: str | None = None,
    sets: Sequence[str] = (),
    driver: str | None = None,
    *,
    today: datetime.date | None = None,
) -> Prepared:
    """Find a protocol file by its name and prepare it; see `prepare_file`."""
    return prepare_file(find("protocols", protocol), rig, sets, driver, today=today)


def prepare_file(
    path: Path,
    rig: str | None = None,
    sets: Sequence[str] = (),
    driver: str | None = None,
    *,
    today: datetime.date | None = None,
) -> Prepared:
    """Read a protocol file and prepare it; see `prepare_layered`."""
    return prepare_layered(load(path, sets), rig, driver, today=today)


def prepare_layered(
    layered: Layered, rig: str | None = None, driver: str | None = None, *, today: datetime.date | None = None
) -> Prepared:
    """Validate a protocol's file, read a rig's, see that they fit. Raises ``ConfigError`` listing all mistakes of both.

    Without ``rig`` it is the one that the protocol names for its rehearsals; ``driver`` replaces what the rig file
    says. ``today`` is the day on which the calibrations of real valves must not be too old; None: they may be.
    """
    path = layered.sources[0]
    (file, found, params), read = collect(
        lambda: read_protocol(layered),
        lambda: read_rig(rig_of(rig, layered, path.parent.parent), (path.parent.parent,)),
    )
    of_calibrations = [*fit.of_calibrations(read, driver, today), *fit.of_rewards(params, read.devices, layered)]
    of_timing = fit.of_timing(found, read, driver, layered)
    of_box = [*fit.of_box(found.task, read), *fit.of_groups(params, found.task, read, layered)]
    mistakes = [*fit.of_rig(read, driver), *of_timing, *of_box, *of_calibrations]
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))
    prepared = assemble(found, params, file.stop, read, driver, layered.sources)
    return replace(prepared, sim_subject=file.sim_subject, layered=layered)


def rig_of(name: str | None, layered: Layered, near: Path) -> Path:
    """Find the file of the rig that is named, or else of the one in the protocol's file. Raises ``ConfigError``.

    A rig that a person names is first looked for where the person stands: a shipped protocol lies beside shipped rigs.
    """
    loc = ("sim_rig",)
    mark = layered.mark(loc)
    chosen = name or layered.data.get("sim_rig")
    if not isinstance(chosen, str):
        raise ConfigError(mistake(mark, loc, "no rig is named: give --rig NAME, or sim_rig in the file"))
    try:
        return find("rigs", chosen, (near,) if name is None else (Path(HERE), near))
    except ConfigError as error:
        if name is not None:
            raise
        raise ConfigError(mistake(mark, loc, str(error))) from None


def task_of(layered: Layered) -> FoundTask:
    """Find the task that a protocol's file names. Raises ``ConfigError``."""
    word = layered.data.get("protocol")
    if not isinstance(word, str):
        raise ConfigError()  # the file's own validation says it
    mark = layered.mark(("protocol",))
    try:
        return find_task(word, None if mark.line is None else Path(mark.file).parent)
    except ConfigError as error:
        raise ConfigError(mistake(mark, ("protocol",), str(error))) from None


def read_protocol(layered: Layered) -> tuple[ProtocolFile, FoundTask, Any]:
    """Validate a protocol file, find its task, validate the parameters. Raises ``ConfigError`` with every mistake."""
    task = cache(partial(task_of, layered))
    file, params = collect(
        lambda: validate(ProtocolFile, layered, elsewhere=_homes(task)),
        lambda: validate(task().task.params_type, layered, ("params",), _OF_FILE),
    )
    return file, task(), params


_OF_FILE = {
    **dict.fromkeys(ProtocolFile.model_fields, "at the top of the file, not indented"),
    **dict.fromkeys(Stop.model_fields, "under stop"),
}
"""Where the keys belong that are no parameters."""


def _homes(task: Callable[[], FoundTask]) -> Mapping[str, str]:
    """Say of parameters and limits where they belong, for those that stand elsewhere in the file."""
    homes = {
        **dict.fromkeys(Stop.model_fields, "under stop"),
        **dict.fromkeys(DailyLimits.model_fields, f"in the animal's {SUBJECT_FILE}, or in the laboratory's {LAB_FILE}"),
    }
    with suppress(ConfigError):  # a protocol that is not there is told by itself
        homes |= dict.fromkeys(task().task.params_type.model_fields, "under params")
    return homes


def read_rig(path: Path, near: Sequence[Path] = ()) -> Rig:
    """Read a rig file and its calibrations. Raises ``ConfigError`` listing every mistake."""
    layered = load(path)
    file = read_rig_file(layered)
    places: dict[str, Loc] = {}
    for device, config in file.devices.items():
        if (name := getattr(config, "calibration", None)) is not None:
            places.setdefault(name, ("devices", device, "calibration"))
    folders = (path.parent.parent, *near)
    found = collect(*(partial(_calibration, name, folders, layered, loc) for name, loc in places.items()))
    calibrations = {name: calibration for name, (calibration, _) in zip(places, found, strict=True)}
    return Rig(path.stem, file, calibrations, (*layered.sources, *(source for _, source in found)), layered)


def read_rig_file(layered: Layered) -> RigFile:
    """Validate a rig file. Raises ``ConfigError`` listing every mistake."""
    file = validate(rig_file_model(KINDS), layered)
    if len(file.boards) > 1:
        raise ConfigError(
            mistake(layered.mark(("boards",)), ("boards",), "several boards in one rig are not supported yet: keep one")
        )
    return file


def _calibration(name: str, near: Sequence[Path], layered: Layered, loc: Loc) -> tuple[Calibration, Path]:
    try:
        path = find("calibrations", name, near)
    except ConfigError as error:
        raise ConfigError(mistake(layered.mark(loc), loc, str(error))) from None
    return load_calibration(path), path


def assemble(
    found: FoundTask,
    params: Any,
    stop: Stop,
    rig: Rig,
    driver: str | None = None,
    sources: Sequence[Path] = (),
) -> Prepared:
    """Put a protocol on a rig. Raises ``ConfigError`` when the rig lacks a device that the protocol needs."""
    build_box(found.task.box_type, rig.devices, f"rig {rig.name}")
    rig = rig.with_min_on(params.min_on_us())
    return Prepared(
        found=found,
        params=params,
        stop=stop,
        sim_subject={},
        plan=plan_of(rig, driver),
        devices=rig.file.devices,
        screen=rig.file.screen,
        rig=rig.header(),
        calibrations=rig.calibrations,
        sources=(*sources, *rig.sources, *found.files),
    )


def plan_named(name: str, driver: str | None = None) -> RigPlan:
    """Find a rig by its name or path, and say what the hardware needs to know. Raises ``ConfigError``."""
    rig = read_rig(find("rigs", name))
    if mistakes := list(fit.of_rig(rig, driver)):
        raise ConfigError(*mistakes)
    return plan_of(rig, driver)


def plan_of(rig: Rig, driver: str | None = None) -> RigPlan:
    """Say of a rig what the hardware needs to know; ``driver`` replaces what its file says."""
    devices, of_valves = rig.built
    name = rig.file.reference
    board = rig.file.boards[name]
    word = driver or board.driver
    spec = BoardSpec(name, word, board.id, board.port, _baud(board, word), board.chip)
    wiring = Wiring(tuple(channel for device in devices.values() for channel in device.channels), board.lease_s)
    ul_of = {valve: partial(volume, calibration) for valve, calibration in of_valves.items()}
    screen = None if rig.file.screen is None else rig.file.screen.spec()
    return RigPlan(rig.name, spec, wiring, ul_of, rig.tracking, screen)


def _baud(board: BoardEntry, driver: str) -> int:
    if "baud" not in board.model_fields_set:
        with suppress(ConfigError):  # told elsewhere, and a replay opens no board
            return find_driver(driver).baud
    return board.baud
