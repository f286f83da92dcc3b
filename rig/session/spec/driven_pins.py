"""Outputs on pins that more than the program drives: bootloader, serial line, and the chip's own pull-down."""

from __future__ import annotations

from collections.abc import Iterator

from rig.boards.chips import CHIPS, USUAL_CHIP, ChipKind, pin_ranges
from rig.boards.driver_lookup import Driver
from rig.config.errors.errors import ConfigIssue, Loc
from rig.core.model.board import Output
from rig.session.spec.read_rig import Rig, chip_of


def check_driven_pins(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    """Yield the outputs that could do harm: no limit of the program holds while its bootloader runs."""
    for loc, output, chip, how in _driven_outputs(rig, driver):
        if output.max_on_us is not None:
            said = f"pin {output.pin} of {chip.a_board} may drive nothing that could do harm"
            yield rig.error_at(loc, f"{said}: {how}; use {_usable(chip)}")


def flashing_outputs(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    """Yield a warning for each harmless output that something else switches as well."""
    for loc, output, chip, how in _driven_outputs(rig, driver):
        if output.max_on_us is None:
            is_recorded = rig.devices[output.device].of_session
            effect = "the other system records these pulses, too" if is_recorded else "the output follows"
            said = f"pin {output.pin} of {chip.a_board}: {how}"
            yield rig.error_at(loc, f"{said}; {effect}; use {_usable(chip)} if this matters")


def outputs_on_at_reset(rig: Rig, driver: Driver | None) -> Iterator[ConfigIssue]:
    """Yield a warning for each output that could do harm, and that the pull-down of the chip switches on."""
    chip = _chip(rig, driver)
    for loc, output in _outputs(rig) if chip.pull_up else ():
        if output.inverted and output.max_on_us is not None:
            pulled = f"pin {output.pin} of {chip.a_board} is pulled low from a reset until a session begins"
            yield rig.error_at(loc, f"{pulled}, and low switches this output on: it needs a pull-up of {chip.pull_up}")


def _driven_outputs(rig: Rig, driver: Driver | None) -> Iterator[tuple[Loc, Output, ChipKind, str]]:
    chip = _chip(rig, driver)
    # Of a chip that rig file or driver name, pins that are not for devices have a message of their own.
    is_named = chip_of(rig, driver) is not None
    driven = chip.driven_pins if is_named else {**chip.own_pins, **chip.driven_pins}
    for loc, output in _outputs(rig):
        if output.pin in driven:
            yield loc, output, chip, driven[output.pin]


def _chip(rig: Rig, driver: Driver | None) -> ChipKind:
    # The same pins on every Arduino, so that a rig file without `chip` is checked as well.
    return chip_of(rig, driver) or CHIPS[USUAL_CHIP]


def _outputs(rig: Rig) -> Iterator[tuple[Loc, Output]]:
    for name, config in rig.file.devices.items():
        outputs = {channel.pin: channel for channel in rig.devices[name].channels if isinstance(channel, Output)}
        for key, pin in config.pins().items():
            if pin in outputs:
                yield ("devices", name, key), outputs[pin]


def _usable(chip: ChipKind) -> str:
    return pin_ranges(pin for pin in chip.pins if pin not in chip.driven_pins)
