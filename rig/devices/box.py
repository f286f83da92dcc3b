"""The box: the devices of one task by name and type, filled from a rig file and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import NoneType
from typing import Annotated, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from rig.core.close_words import closest_word
from rig.core.errors import ConfigError
from rig.devices.base import Device, Needs
from rig.devices.kinds import is_kind, word_of

B = TypeVar("B")


def wanted_by(box_type: type[object]) -> dict[str, tuple[type[Device], tuple[str, ...], bool]]:
    """Return what a box needs: name -> (type of device, parts it must have, whether it may be missing)."""
    # A protocol may postpone its annotations, which are then text; `Needs` is in their extras.
    hints = get_type_hints(box_type, include_extras=True)
    return {name: _read_hint(hint) for name, hint in hints.items()}


def _read_hint(hint: object) -> tuple[type[Device], tuple[str, ...], bool]:
    parts: tuple[str, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
        parts = tuple(part for mark in marks if isinstance(mark, Needs) for part in mark.parts)
    options = [arg for arg in get_args(hint) if arg is not NoneType] or [hint]
    return options[0], parts, NoneType in get_args(hint)


def lacking(box_type: type[object], devices: Mapping[str, Device]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what a rig lacks for a box: the location in the rig file, and the text of the mistake."""
    box = wanted_by(box_type)
    for name, (kind, parts, optional) in box.items():
        device, wanted = devices.get(name), kind.__name__.lower()
        if device is None:
            if not optional and kind.section is not None:
                yield (name,), f"is missing; the protocol needs a {kind.section}: give the rig a section `{name}:`"
            elif not optional:
                yield _missing(name, kind, devices, box)
        elif device.of_session:
            said = "sends a sync signal for the session, and the protocol needs it for itself"
            yield ("devices", name), f"{said}: leave out `sync`, or give the signal another output"
        elif not is_kind(type(device), kind):
            yield ("devices", name), f"is a {type(device).__name__.lower()}, the protocol needs a {wanted}"
        else:
            for part in parts:
                if not device.has(part):
                    yield ("devices", name), f"has no {part}, and the protocol needs it: give it a pin (`{part}: N`)"


def _missing(
    name: str, kind: type[Device], devices: Mapping[str, Device], box: Collection[str]
) -> tuple[tuple[str, ...], str]:
    """Return the text of a missing device, and its place: that of a spare one whose name is close, if there is one."""
    wanted, there = kind.__name__.lower(), ", ".join(sorted(devices)) or "none"
    close = closest_word(name, (other for other in devices if other not in box and is_kind(type(devices[other]), kind)))
    text = f"'{name}' is missing; the protocol needs a {wanted} of that name, the rig has: {there}"
    return (("devices",), text) if close is None else (("devices", close), f"{text}; rename {close} to {name}?")


def groups_without_device(
    params: BaseModel, box_type: type[object], devices: Mapping[str, Device]
) -> Iterator[tuple[str, str]]:
    """Yield the groups of parameters that are given for an optional device which the rig lacks, and what to do.

    A group has the name of its device: ``laser: LaserParams | None`` beside ``laser: TtlOut | None`` in the box.
    """
    for name, (kind, _, optional) in wanted_by(box_type).items():
        if optional and name not in devices and isinstance(getattr(params, name, None), BaseModel):
            mend = f"give the rig file a device `{name}: {{kind: {word_of(kind)}, ...}}`, or take {name} out"
            yield name, f"is for a device that the rig does not have: {mend}"


def build_box(box_type: type[B], devices: Mapping[str, Device], where: str) -> B:
    """Build a box of the rig's devices. Raises ``ConfigError`` listing everything that is missing or wrong."""
    mistakes = [f"{where}: {'.'.join(place)}: {text}" for place, text in lacking(box_type, devices)]
    if mistakes:
        raise ConfigError(*mistakes)
    return box_type(**{name: devices.get(name) for name in wanted_by(box_type)})
