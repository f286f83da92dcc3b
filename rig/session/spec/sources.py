"""The analog inputs and encoders of a rig: their names, what their thresholds compare, and the room for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rig.boards.chips import SAMPLING_BOARDS, ChipKind, pin_ranges
from rig.boards.driver_lookup import Driver
from rig.boards.wire.block_size import bytes_per_s
from rig.config.errors.errors import ConfigIssue
from rig.core.model.board import (
    MAX_PERIOD_US,
    MIN_PERIOD_US,
    SOURCE_NAME,
    AnalogSource,
    EncoderSource,
    Source,
    Threshold,
)
from rig.session.spec.read_rig import Rig, chip_of

LINE_SHARE = 0.5
"""The share of the line that values may take; the rest is for events, orders and their repetitions."""

_BITS_PER_BYTE = 10
"""A start bit, eight bits and a stop bit."""


def check_sources(rig: Rig, driver: Driver | None, baud: int) -> Iterator[ConfigIssue]:
    """Yield the mistakes of what the board of a rig samples, on a line of ``baud`` bits per second."""
    sources = [(name, source) for name, device in rig.devices.items() for source in device.sources]
    yield from _check_names(rig, sources)
    yield from _check_thresholds(rig, {source.name for _, source in sources})
    yield from _check_number(rig, driver, [name for name, _ in sources])
    chip = chip_of(rig, driver)
    if chip is not None and chip.sources:
        yield from _check_pins(rig, chip, sources)
        yield from _check_encoders(rig, chip, sources)
        yield from _check_levels(rig, chip, sources)
    wrong_periods = list(_check_periods(rig, sources))
    yield from wrong_periods
    # A period of 0 would take all of the line.
    if not wrong_periods:
        yield from _check_line(rig, [source for _, source in sources], baud)


def _check_names(rig: Rig, sources: list[tuple[str, Source]]) -> Iterator[ConfigIssue]:
    owners: dict[str, str] = {}
    for device, source in sources:
        if not re.fullmatch(SOURCE_NAME, source.name):
            rule = f"a name is small letters, digits and _, a letter first, such as {device}_x"
            yield rig.error_at(("devices", device), f"its source is called '{source.name}': {rule}")
        elif source.name in owners:
            said = f"its source '{source.name}' has the name of a source of '{owners[source.name]}'"
            yield rig.error_at(("devices", device), f"{said}: begin it with the device's name, such as {device}_x")
        owners.setdefault(source.name, device)


def _check_periods(rig: Rig, sources: list[tuple[str, Source]]) -> Iterator[ConfigIssue]:
    for device, source in sources:
        if not MIN_PERIOD_US <= source.period_us <= MAX_PERIOD_US:
            said = f"its source '{source.name}' is sampled every {source.period_us} us"
            yield rig.error_at(("devices", device), f"{said}: wanted {MIN_PERIOD_US} to {MAX_PERIOD_US} us")


def _check_thresholds(rig: Rig, sources: set[str]) -> Iterator[ConfigIssue]:
    for name, device in rig.devices.items():
        for channel in device.channels:
            if isinstance(channel, Threshold) and channel.source not in sources:
                said = f"the threshold {channel.name} is on a source '{channel.source}', which the rig lacks"
                has = ", ".join(sorted(sources)) or "none"
                yield rig.error_at(("devices", name), f"{said}; it has: {has}")


def _check_number(rig: Rig, driver: Driver | None, devices: list[str]) -> Iterator[ConfigIssue]:
    if driver is None:
        return
    chip = chip_of(rig, driver)
    room = driver.max_sources if chip is None else chip.sources
    if room == 0:
        said = "the board has to sample this input, and the rig's board cannot"
        for name in dict.fromkeys(devices):
            yield rig.error_at(("devices", name), f"{said}: {SAMPLING_BOARDS}")
    elif room is not None and len(devices) > room:
        said = f"the rig has {len(devices)} inputs to sample, and its board has room for {room}"
        yield rig.error_at(("devices", devices[room]), f"{said}: remove {len(devices) - room}")


def _check_pins(rig: Rig, chip: ChipKind, sources: list[tuple[str, Source]]) -> Iterator[ConfigIssue]:
    for device, source in sources:
        if isinstance(source, AnalogSource):
            if source.pin not in chip.analog_pins:
                said = f"pin {source.pin} of {chip.a_board} is no analog input: use {pin_ranges(chip.analog_pins)}"
                yield rig.error_at(("devices", device), said)
        elif not chip.can_be_encoder(source.pin_a, source.pin_b):
            said = f"{chip.a_board} counts no encoder on pins {source.pin_a} and {source.pin_b}"
            yield rig.error_at(("devices", device), f"{said}: use two inputs side by side, such as 2 and 3")


def _check_encoders(rig: Rig, chip: ChipKind, sources: list[tuple[str, Source]]) -> Iterator[ConfigIssue]:
    encoders = [device for device, source in sources if isinstance(source, EncoderSource)]
    if len(encoders) > chip.encoders:
        said = f"the rig has {len(encoders)} encoders, and {chip.a_board} counts {chip.encoders}"
        yield rig.error_at(("devices", encoders[chip.encoders]), f"{said}: remove {len(encoders) - chip.encoders}")


def _check_levels(rig: Rig, chip: ChipKind, sources: list[tuple[str, Source]]) -> Iterator[ConfigIssue]:
    voltages = {source.name for _, source in sources if isinstance(source, AnalogSource)}
    thresholds = [
        (name, channel)
        for name, device in rig.devices.items()
        for channel in device.channels
        if isinstance(channel, Threshold)
    ]
    if len(thresholds) > chip.thresholds:
        said = f"the rig has {len(thresholds)} thresholds, and {chip.a_board} compares {chip.thresholds}"
        loc = ("devices", thresholds[chip.thresholds][0])
        yield rig.error_at(loc, f"{said}: remove {len(thresholds) - chip.thresholds}")
    for name, threshold in thresholds:
        if threshold.source in voltages and (threshold.above > chip.analog_steps or threshold.below < 0):
            said = f"the threshold {threshold.name} is {threshold.below} and {threshold.above} steps of the board"
            yield rig.error_at(("devices", name), f"{said}: {chip.a_board} gives 0 to {chip.analog_steps}")


def _check_line(rig: Rig, sources: list[Source], baud: int) -> Iterator[ConfigIssue]:
    bytes_of = {source.name: bytes_per_s(source) for source in sources}
    most = LINE_SHARE * baud / _BITS_PER_BYTE
    if (needed := sum(bytes_of.values())) > most:
        parts = ", ".join(f"{name} {count:.0f}" for name, count in bytes_of.items())
        said = f"the inputs to sample take {needed:.0f} bytes/s of the line ({parts})"
        bound = f"at most {most:.0f} are for them, half of the line at baud {baud}"
        yield rig.error_at(("devices",), f"{said}, and {bound}: make their period longer, or sample fewer")
