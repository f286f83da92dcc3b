"""Check a protocol against a rig: report at file and line what the protocol needs and the rig lacks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from pydantic import BaseModel

from rig.boards.chips import ChipKind, pin_ranges
from rig.boards.driver_lookup import Driver, find_driver
from rig.camera.interface import INSTALL
from rig.config import LayeredConfig, config_issue
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.errors.formatting import key_text
from rig.config.inheritance import COMMAND_LINE
from rig.core.errors import ActionError, CalibrationError, ConfigError
from rig.core.model.board import Input
from rig.core.model.reward_types import reward_params
from rig.core.task.task import AnyTask
from rig.devices import Device
from rig.devices.box import groups_without_device, lacking
from rig.session.spec.calibration_ages import check_calibration_ages
from rig.session.spec.driven_pins import check_driven_pins
from rig.session.spec.expectations import check_rig_expectations
from rig.session.spec.read_rig import Rig, baud_of, chip_of
from rig.session.spec.request import SessionRequest
from rig.session.spec.sources import check_sources
from rig.session.spec.task_classes import FoundTask


def find_incompatibilities(
    found: FoundTask, params: BaseModel, rig: Rig, layered: LayeredConfig, request: SessionRequest
) -> Iterator[ConfigIssue]:
    """Yield every reason why a protocol cannot run on a rig; ``layered`` is the protocol's file."""
    yield from check_rig(rig, request.driver)
    driver = find_rig_driver(rig, request.driver)
    yield from check_timing(found, driver, layered)
    yield from check_devices(found.task, rig)
    yield from check_groups(params, found.task, rig, layered)
    yield from check_calibration_ages(rig, driver, request.start)
    yield from check_rewards(params, rig.devices, layered)


def check_rig(rig: Rig, driver: str | None) -> Iterator[ConfigIssue]:
    """Yield the mistakes of a rig by itself: its driver, its pins, the number of its channels."""
    name = rig.file.reference
    board_driver = find_rig_driver(rig, driver)
    try:
        find_driver(driver or rig.file.boards[name].driver)
    except ConfigError as error:
        loc = ("boards", name, "driver")
        of_file = rig.error_at(loc, str(error))
        yield of_file if driver is None else config_issue(COMMAND_LINE, (), f"--board {driver}: {error}")
    if rig.file.boards[name].panic is not None and board_driver is not None and not board_driver.has_panic_input:
        text = (
            f"a board of driver '{driver or rig.file.boards[name].driver}' has no panic input: leave this out, or put "
            "the rig's own firmware on the board (`rig board flash`) and write `driver: serial`"
        )
        yield rig.error_at(("boards", name, "panic"), text)
    if board_driver is not None and not board_driver.has_board:
        yield from _check_nothing_wired(rig)
    yield from check_sources(rig, board_driver, baud_of(rig.file.boards[name], driver or rig.file.boards[name].driver))
    yield from _check_pins(rig, name, board_driver)
    yield from check_driven_pins(rig, board_driver)
    yield from check_valves(rig, board_driver)
    yield from check_rig_expectations(rig)
    yield from _check_sync(rig, board_driver)
    yield from _check_tracker(rig, board_driver)


def _check_sync(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    if driver is None or driver.timing_unsupported_reason is None:
        return
    for name, device in rig.devices.items():
        if device.timing_key is not None:
            said = "the board has to time this signal by itself"
            yield rig.error_at(("devices", name, device.timing_key), f"{said}, and {driver.timing_unsupported_reason}")


def _check_tracker(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    trackers = [name for name, device in rig.devices.items() if device.tracking(()) is not None]
    for name in trackers[1:]:
        said = f"is a second tracker beside '{trackers[0]}': one camera follows one animal"
        yield rig.error_at(("devices", name), said)
    circles = [name for name, device in rig.devices.items() if device.circle is not None]
    for name in () if trackers else circles:
        said = "is a circle, and the rig has no tracker that could see who is in it: add a device of kind: tracker"
        yield rig.error_at(("devices", name), said)
    # A simulated camera needs neither OpenCV nor a film.
    if rig.tracking is None or driver is None or not driver.needs_hardware:
        return
    # Not imported: OpenCV runs in the camera's process only. See docs/decisions/processes-that-draw.md.
    if find_spec("cv2") is None:
        yield rig.error_at(("devices", trackers[0]), f"a tracker needs OpenCV: {INSTALL}")
    if isinstance(rig.tracking.source, str) and not os.path.isfile(rig.tracking.source):
        yield rig.error_at(("devices", trackers[0], "video"), f"there is no file {rig.tracking.source}")


def _check_nothing_wired(rig: Rig) -> Iterator[ConfigIssue]:
    for name, config in rig.file.devices.items():
        if config.pins():
            text = "is wired to a board, and this rig has none: add one, such as boards: {uno: {driver: serial}}"
            yield rig.error_at(("devices", name), text)


def _check_pins(rig: Rig, board: str, driver: Driver | None) -> Iterator[ConfigIssue]:
    if (chip := chip_of(rig, driver)) is None:
        return
    for name, config in rig.file.devices.items():
        inputs = {channel.pin for channel in rig.devices[name].channels if isinstance(channel, Input)}
        for key, pin in config.pins().items():
            if said := _pin_problem(chip, pin, is_input=pin in inputs):
                yield _wrong_pin(rig, ("devices", name, key), board, said)
    panic = rig.file.boards[board].panic
    if panic is not None and (said := _pin_problem(chip, panic.pin, is_input=True)):
        yield rig.error_at(("boards", board, "panic"), said)
    channels = sum(len(device.channels) for device in rig.devices.values())
    if channels > chip.channels:
        yield rig.error_at(
            ("devices",),
            f"{channels} channels are wired, {chip.a_board} holds {chip.channels}: use a larger board, or wire less",
        )


def _wrong_pin(rig: Rig, loc: Loc, board: str, text: str) -> ConfigIssue:
    """Return the mistake of a pin, at the line of the chip if this is what the file changes of one that it extends."""
    layered = rig.layered
    place = layered.blamed(loc, ("boards", board, "chip"))
    if place != loc:
        text = f"{text}; the pin is from {layered.location(loc)}, give it here"
    return config_issue(layered.location(place), loc, text)


def _pin_problem(chip: ChipKind, pin: int, *, is_input: bool) -> str:
    if pin in chip.own_pins:
        return f"pin {pin} of {chip.a_board} is not for devices: {chip.own_pins[pin]}; use {pin_ranges(chip.pins)}"
    if pin not in chip.pins:
        return f"{chip.a_board} has no pin {pin}: use {pin_ranges(chip.pins)}{chip.numbering}"
    if is_input and not chip.can_be_input(pin):
        inputs = pin_ranges(pin for pin in chip.pins if chip.can_be_input(pin))
        return f"{chip.a_board} sees no edges on pin {pin}: for an input use {inputs}"
    return ""


def check_timing(found: FoundTask, driver: Driver | None, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield a mistake for a task that needs a board's own timing on a board that has none."""
    why = None if driver is None else driver.timing_unsupported_reason
    if why is not None and found.task.needs_board_timing:
        loc = ("protocol",)
        yield config_issue(layered.location(loc), loc, f"{found.name} needs board timing; {why}")


def check_devices(task: type[AnyTask], rig: Rig) -> Iterator[ConfigIssue]:
    """Yield what the rig lacks for the task's box."""
    return (rig.error_at(loc, text) for loc, text in lacking(task.box_type, rig.devices))


def check_groups(params: BaseModel, task: type[AnyTask], rig: Rig, layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield the groups of parameters for a device that the rig lacks."""
    for name, text in groups_without_device(params, task.box_type, rig.devices):
        loc = ("params", name)
        yield config_issue(layered.location(loc), loc, text)


def check_valves(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    """Yield the valves whose calibration was measured on another one: each is told by its id, or its device's name.

    On a simulated rig one file may serve several valves.
    """
    shared = _shared_calibrations(rig, driver)
    owners: dict[str, str] = {}
    for name, config in rig.file.devices.items():
        word = getattr(config, "calibration", None) or ""
        calibration = rig.calibrations.get(word)
        if calibration is None or not rig.devices[name].valve_calibrations:
            continue
        valve = getattr(config, "valve_id", None) or name
        if word not in shared and calibration.valve != valve:
            said = f"{word} was measured on valve '{calibration.valve}', but this valve is '{valve}'"
            mend = f"name a calibration of '{valve}', or write valve_id: {calibration.valve} if it is this valve"
            yield rig.error_at(("devices", name, "calibration"), f"{said}: {mend}")
        elif word not in shared and (owner := owners.setdefault(word, name)) != name:
            said = f"{word} is already the calibration of '{owner}': measure each valve by itself"
            yield rig.error_at(("devices", name, "calibration"), said)
        first_ms, most_ms = calibration.points[0][0] / 1000, getattr(config, "max_open_ms", 0.0)
        if first_ms > most_ms:
            said = f"the valve may open {most_ms:g} ms, and was measured from {first_ms:g} ms on: it can give no drop"
            yield rig.error_at(("devices", name, "max_open_ms"), said)


def _shared_calibrations(rig: Rig, driver: Driver | None) -> frozenset[str]:
    """Return the calibrations that any valve of the rig may have, because all of its valves are simulated.

    One that was measured on a valve of this rig which has another file is still its own: the two were swapped.
    """
    drivers = (driver, find_rig_driver(rig, None))
    if any(driver is None or driver.needs_hardware for driver in drivers):
        return frozenset()
    words = {
        getattr(config, "valve_id", None) or name: getattr(config, "calibration", None)
        for name, config in rig.file.devices.items()
    }
    return frozenset(word for word, measured in rig.calibrations.items() if words.get(measured.valve, word) == word)


def find_rig_driver(rig: Rig, word: str | None) -> Driver | None:
    """Return the driver of a rig's board, or the requested one; None if it is not installed."""
    try:
        return find_driver(word or rig.file.boards[rig.file.reference].driver)
    except ConfigError:  # reported by check_rig
        return None


def check_rewards(params: BaseModel, devices: Mapping[str, Device], layered: LayeredConfig) -> Iterator[ConfigIssue]:
    """Yield the rewards that a device cannot give, such as a volume outside its valve's calibration."""
    for reward_loc, text in impossible_rewards(params, devices):
        loc = ("params", *reward_loc)
        yield config_issue(layered.location(loc), loc, text)


def impossible_rewards(params: BaseModel, devices: Mapping[str, Device]) -> Iterator[tuple[Loc, str]]:
    """Yield the place of each reward among the parameters that a device cannot give, and why."""
    for reward in reward_params(params):
        for name, device in devices.items():
            if reward.is_given_at(name, device.gives):
                try:
                    device.reward(reward.size)
                except (ActionError, CalibrationError) as error:
                    yield reward.loc, str(error)


def add_location(said: str, layered: LayeredConfig) -> str:
    """Add to ``params.key: problem`` the file and line of the key, if a file sets it."""
    key, _, text = said.partition(": ")
    loc = next((loc for loc in layered.locations if loc and key_text(loc) == key), None)
    return said if loc is None else config_issue(layered.location(loc), loc, text)
