"""What is normal in a session: the sections ``expect`` of the rig's and the protocol's file, by channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from rig.config import LayeredConfig, config_issue
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.models.expect import Expectations, merged
from rig.core.journal.header import RecordedExpectations
from rig.devices import Device
from rig.devices.box import lacking
from rig.session.spec.read_rig import Rig

ErrorAt = Callable[[Loc, str], ConfigIssue]


def check_rig_expectations(rig: Rig) -> Iterator[ConfigIssue]:
    """Yield the names in a rig's ``expect`` that are none of its devices."""
    return iter(()) if rig.file.expect is None else _unknown_names(rig.file.expect, rig.devices, rig.error_at)


def check_protocol_expectations(
    expect: Expectations | None, box_type: type[object], rig: Rig, layered: LayeredConfig
) -> Iterator[ConfigIssue]:
    """Yield the names in a protocol's ``expect`` that the rig lacks, and what contradicts the rig's ``expect``.

    What the box of the protocol lacks is passed over: `find_incompatibilities` yields it.
    """
    if expect is None:
        return

    def error_at(loc: Loc, text: str) -> ConfigIssue:
        return config_issue(layered.location(loc), loc, text)

    if not any(lacking(box_type, rig.devices)):
        yield from _unknown_names(expect, rig.devices, error_at)
    try:
        Expectations.model_validate(merged(rig.file.expect, expect))
    except ValidationError as error:
        for mistake in error.errors():
            text = mistake["msg"].removeprefix("Value error, ")
            yield error_at(("expect", *mistake["loc"]), f"together with the rig's: {text}")


def resolve_expectations(rig: Rig, protocol: Expectations | None) -> RecordedExpectations:
    """Return what is normal as the journal's header has it: each reward with the ``channel`` that collects it."""
    expect = Expectations.model_validate(merged(rig.file.expect, protocol))
    channels = dict(_input_channels(rig.devices))
    values = _without_none(expect.model_dump())
    inputs, rewards = values.pop("inputs"), values.pop("rewards")
    return RecordedExpectations(
        inputs={channels[name]: rates for name, rates in inputs.items() if name in channels},
        rewards={
            name: _reward(name, reward, channels)
            for name, reward in rewards.items()
            if rig.devices[name].gives is not None and reward.get("at", name) in channels
        },
        limits=values,
    )


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values that say something: null means never for one key, and nothing for the others."""
    return {
        key: _without_none(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if value is not None or key == "active_within_min"
    }


def _reward(device: str, reward: dict[str, Any], channels: Mapping[str, str]) -> dict[str, Any]:
    return {"channel": channels[reward.pop("at", device)], **reward}


def _unknown_names(expect: Expectations, devices: Mapping[str, Device], error_at: ErrorAt) -> Iterator[ConfigIssue]:
    """Yield the names that are no such device; what is said of a part that a device lacks does not apply."""
    inputs = [name for name, device in devices.items() if _may_have(device, "beam")]
    giving = [name for name, device in devices.items() if device.gives is not None or _may_have(device, "valve")]
    inputs = list(dict.fromkeys([*inputs, *(name for name, _ in _input_channels(devices))]))
    for name in expect.inputs:
        if name not in inputs:
            yield error_at(("expect", "inputs", name), unknown_name("no such input on this rig", name, inputs))
    for name, reward in expect.rewards.items():
        loc: Loc = ("expect", "rewards", name)
        if name not in giving:
            yield error_at(loc, unknown_name("no such source of rewards on this rig", name, giving))
        elif (place := reward.at or name) not in inputs:
            where = loc if reward.at is None else (*loc, "at")
            said = unknown_name(f"'{place}' has no input that sees the subject", place, inputs)
            yield error_at(where, f"{said}; name one with at:")


def _may_have(device: Device, part: str) -> bool:
    """Whether a device of this kind can have such a part."""
    config = getattr(device, "Config", None)  # the touch screen has a section of its own
    return config is not None and part in config.model_fields


def _input_channels(devices: Mapping[str, Device]) -> Iterator[tuple[str, str]]:
    """Yield each device with an input, and the name under which the journal has that input."""
    for name, device in devices.items():
        yield from ((name, of_input) for of_input in device.input_names)
