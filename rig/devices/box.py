"""The box: the typed list of devices that one task sees, filled from a rig file or refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from rig.core.errors import ConfigError
from rig.devices.base import Device, Needs

B = TypeVar("B")


def wanted_by(box_type: type[Any]) -> dict[str, tuple[type[Device], tuple[str, ...], bool]]:
    """List what a box needs: name -> (type of device, parts it must have, whether it may be missing)."""
    hints = get_type_hints(box_type, include_extras=True)
    return {name: _read_hint(hint) for name, hint in hints.items()}


def _read_hint(hint: Any) -> tuple[type[Device], tuple[str, ...], bool]:
    parts: tuple[str, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
        parts = tuple(part for mark in marks if isinstance(mark, Needs) for part in mark.parts)
    options = [arg for arg in get_args(hint) if arg is not NoneType] or [hint]
    return options[0], parts, NoneType in get_args(hint)


def build_box(box_type: type[B], devices: Mapping[str, Device], where: str) -> B:
    """Fill a box with the rig's devices. Raises ``ConfigError`` listing everything that is missing or wrong."""
    mistakes: list[str] = []
    chosen: dict[str, Device | None] = {}
    for name, (kind, parts, optional) in wanted_by(box_type).items():
        device = devices.get(name)
        chosen[name] = device
        if device is None:
            if not optional:
                there = ", ".join(sorted(devices)) or "none"
                mistakes.append(
                    f"{where}: devices: '{name}' is missing; the protocol needs a {kind.__name__.lower()} "
                    f"of that name, the rig has: {there}"
                )
        elif not isinstance(device, kind):
            mistakes.append(
                f"{where}: devices.{name}: is a {type(device).__name__.lower()}, "
                f"the protocol needs a {kind.__name__.lower()}"
            )
        else:
            mistakes += [
                f"{where}: devices.{name}: has no {part}, and the protocol needs it: give it a pin (`{part}: N`)"
                for part in parts
                if not device.has(part)
            ]
    if mistakes:
        raise ConfigError(*mistakes)
    return box_type(**chosen)
