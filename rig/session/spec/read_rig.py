"""Read a rig's YAML file and its calibrations, and convert it into the hardware's view of the rig."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from rig.boards.chips import CHIPS, ChipKind
from rig.boards.driver_lookup import Driver, find_driver
from rig.config import (
    LayeredConfig,
    ProtocolFile,
    RigFile,
    collect_errors,
    config_issue,
    find,
    load_calibration,
    load_config,
    rig_file_model,
    validate,
)
from rig.config.device_kinds import is_shipped, kinds_in, recorded_kind
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.find import find_calibration, typed
from rig.config.models.rig_file import BoardEntry
from rig.config.user_classes import is_file_reference, source_files
from rig.core.errors import ConfigError, TaskError
from rig.core.journal.header import RecordedChannel, RecordedRig
from rig.core.model.board import Input, Output, PanicInput, Threshold, Wiring
from rig.core.model.output_check import OutputCheck
from rig.core.model.rig_spec import BoardSpec, RigSpec, TrackingSpec
from rig.devices.base import Device
from rig.devices.build import build_devices, volume
from rig.devices.calibration import Calibration
from rig.devices.kinds import word_of
from rig.system.config_paths import LOCAL_CONFIGS
from rig.system.plugins import DEVICES, installed_plugins


@dataclass(frozen=True)
class Rig:
    """A rig file, read."""

    name: str
    file: RigFile
    calibrations: Mapping[str, Calibration]
    sources: tuple[Path, ...]
    layered: LayeredConfig = field(default_factory=LayeredConfig)

    def build(self) -> dict[str, Device]:
        """Build new devices; sessions must not share devices."""
        return build_devices(self.file.devices, self.calibrations, self.file.screen, kinds=self.file.kinds)

    @cached_property
    def devices(self) -> Mapping[str, Device]:
        """Return one set of devices for inspection."""
        return self.build()

    @property
    def tracking(self) -> TrackingSpec | None:
        """Return what its tracker is to do, if it has one."""
        circles = [device.circle for device in self.devices.values() if device.circle is not None]
        # A video's path is counted from the rig file; a replay has no file, and opens no camera.
        folder = self.sources[0].parent if self.sources else Path()
        trackers = (device.tracking(circles, folder) for device in self.devices.values())
        return next((tracker for tracker in trackers if tracker is not None), None)

    def with_min_on(self, us_of: Mapping[str, int]) -> Rig:
        """Return it with inputs that count once they have lasted so long; a device that it lacks is passed over.

        Raises ``ConfigError`` when a device has no such input, or none that can wait so long.
        """
        devices = dict(self.file.devices)
        for name in devices.keys() & us_of.keys():
            try:
                devices[name] = devices[name].with_min_on(us_of[name])
            except TaskError as error:
                raise ConfigError(f"min_on_us of the protocol's parameters: {name}: {error}") from None
        return replace(self, file=self.file.model_copy(update={"devices": devices}))

    @property
    def recorded(self) -> RecordedRig:
        """Return what the journal's header has of it, which a replay needs."""
        used = {config.kind: self.file.kinds[config.kind] for config in self.file.devices.values()}
        # Of a file the name alone: a journal holds no paths.
        words = {word: word_of(kind) if is_file_reference(word) else word for word, kind in used.items()}
        devices = {
            name: {**config.model_dump(mode="json", exclude_none=True), "kind": words[config.kind]}
            for name, config in self.file.devices.items()
        }
        own = {words[word]: recorded_kind(word, kind) for word, kind in used.items() if not is_shipped(kind)}
        calibrations = {name: calibration.to_dict() for name, calibration in self.calibrations.items()}
        board = self.file.boards[self.file.reference].model_dump(exclude_none=True)
        screen = None if self.file.screen is None else self.file.screen.model_dump(mode="json", exclude_none=True)
        return RecordedRig(self.name, board, devices, calibrations, screen, self._channels(), own)

    def _channels(self) -> dict[str, RecordedChannel]:
        """Return what the journal's readers know of each channel, in the order of the rig file."""
        channels: dict[str, RecordedChannel] = {}
        for device in self.devices.values():
            if device.circle is not None:
                channels[device.circle.channel] = RecordedChannel("input")
            for channel in device.channels:
                label = device.label(channel)
                channels[channel.name] = RecordedChannel(
                    "input" if isinstance(channel, Input) else "output",
                    machine=isinstance(channel, Input) and channel.machine,
                    label="" if label == channel.name else label,
                    sampled=isinstance(channel, Threshold),
                )
        return channels

    def error_at(self, loc: Loc, text: str) -> ConfigIssue:
        """Return a mistake of the rig file with its line."""
        return config_issue(self.layered.location(loc), loc, text)


def find_rig_file(name: str | None, layered: LayeredConfig, near: Path) -> Path:
    """Return the file of the rig that is named, or else of the one in the protocol's file. Raises ``ConfigError``.

    A rig that a person names is first looked for where the person stands: a shipped protocol lies beside shipped rigs.
    """
    loc = ("simulation", "rig")
    mark = layered.location(loc)
    section = layered.data.get("simulation")
    chosen = name or (section.get("rig") if isinstance(section, dict) else None)
    if not isinstance(chosen, str):
        raise ConfigError(
            config_issue(mark, loc, "no rig is named: give --rig NAME, or simulation: {rig: NAME} in the file")
        )
    try:
        return find("rigs", chosen, (near,) if name is None else (Path(LOCAL_CONFIGS), near))
    except ConfigError as error:
        if name is not None:
            raise
        raise ConfigError(config_issue(mark, loc, str(error))) from None


def read_rig(path: Path, near: Sequence[Path] = ()) -> Rig:
    """Read a rig file and its calibrations. Raises ``ConfigError`` listing every mistake."""
    layered = load_config(path)
    file = read_rig_file(layered)
    places: dict[str, Loc] = {}
    for device, config in file.devices.items():
        if (name := getattr(config, "calibration", None)) is not None:
            places.setdefault(name, ("devices", device, "calibration"))
    folders = (path.parent.parent, *near)
    found = collect_errors(*(partial(_calibration, name, folders, layered, loc) for name, loc in places.items()))
    calibrations = {name: calibration for name, (calibration, _) in zip(places, found, strict=True)}
    own = (kind for word, kind in file.kinds.items() if is_file_reference(word))
    code = (source for kind in own for source in source_files(kind))
    return Rig(path.stem, file, calibrations, (*layered.sources, *(source for _, source in found), *code), layered)


def read_rig_file(layered: LayeredConfig) -> RigFile:
    """Validate a rig file. Raises ``ConfigError`` listing every mistake."""
    file = validate(rig_file_model(kinds_in(layered), installed_plugins(DEVICES)), layered, elsewhere=_OF_PROTOCOLS)
    if len(file.boards) > 1:
        raise ConfigError(
            config_issue(
                layered.location(("boards",)), ("boards",), "several boards in one rig are not supported yet: keep one"
            )
        )
    return file


_OF_PROTOCOLS = dict.fromkeys(
    # A file with `protocol` is a whole protocol file.
    ProtocolFile.model_fields.keys() - RigFile.model_fields.keys() - {"protocol"},
    "to the protocol's file",
)
"""The place of each key that is not one of a rig, for error messages."""


def _calibration(name: str, near: Sequence[Path], layered: LayeredConfig, loc: Loc) -> tuple[Calibration, Path]:
    try:
        path = find_calibration(name, near)
    except ConfigError as error:
        measure = f"rig device calibrate {typed('rigs', layered.sources[0])} {loc[1]}"
        raise ConfigError(config_issue(layered.location(loc), loc, f"{error}; measure it: `{measure}`")) from None
    return load_calibration(path), path


def rig_spec_of(rig: Rig, driver: str | None = None) -> RigSpec:
    """Return of a rig what the hardware needs to know; ``driver`` replaces what its file says."""
    devices = rig.build()
    name = rig.file.reference
    board = rig.file.boards[name]
    word = driver or board.driver
    spec = BoardSpec(name, word, board.id, board.port, baud_of(board, word), board.chip)
    channels = tuple(channel for device in devices.values() for channel in device.channels)
    panic = None if board.panic is None else PanicInput(name, board.panic.pin, board.panic.inverted)
    sources = tuple(source for device in devices.values() for source in device.sources)
    wiring = Wiring(channels, board.lease_s, panic, sources=sources)
    ul_of = {
        valve: partial(volume, calibration)
        for device in devices.values()
        for valve, calibration in device.valve_calibrations.items()
    }
    screen = None if rig.file.screen is None else rig.file.screen.spec()
    simulated = {name: device.simulated for name, device in devices.items()}
    return RigSpec(rig.name, spec, wiring, ul_of, rig.tracking, screen, simulated, _output_checks(devices.values()))


def _output_checks(devices: Iterable[Device]) -> dict[str, OutputCheck]:
    """Return how operators try the outputs of devices that say so themselves."""
    return {
        channel.name: check
        for device in devices
        for channel in device.channels
        if isinstance(channel, Output) and (check := device.output_check(channel)) is not None
    }


def chip_of(rig: Rig, driver: Driver | None) -> ChipKind | None:
    """Return the chip of a rig's board with a driver: the one that each of its boards has, or what the file names."""
    of_driver = None if driver is None else driver.chip
    name = of_driver or rig.file.boards[rig.file.reference].chip
    return None if name is None else CHIPS[name]


def baud_of(board: BoardEntry, driver: str) -> int:
    """Return the speed of the line to a board with a driver."""
    # The model's default is the speed of our firmware; a driver may have another, as firmata has.
    if "baud" not in board.model_fields_set:
        with suppress(ConfigError):  # told elsewhere, and a replay opens no board
            return find_driver(driver).baud
    return board.baud
