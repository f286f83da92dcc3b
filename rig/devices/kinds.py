"""Kinds of devices: entry points of ``rig.devices``, ours and a laboratory's alike, and classes in files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rig.core.errors import ConfigError
from rig.devices.base import Device, DeviceConfig
from rig.system.plugins import DEVICES, installed_plugins, load_plugin


def installed_kinds() -> dict[str, type[Device]]:
    """Return the classes of the installed kinds that can be loaded: a broken package hinders only rigs that use it."""
    kinds: dict[str, type[Device]] = {}
    for word in installed_plugins(DEVICES):
        with suppress(ConfigError):
            kinds[word] = installed_kind(word)
    return kinds


def installed_kind(word: str) -> type[Device]:
    """Return the class of an installed kind. Raises ``ConfigError``, also if it is not installed."""
    return checked(word, load_plugin(DEVICES, word))


def shipped_kinds() -> dict[str, type[Device]]:
    """Return the kinds of this program, without those of other installed packages."""
    points = installed_plugins(DEVICES).items()
    return {word: installed_kind(word) for word, point in points if point.module[:4] == "rig."}


def checked(word: str, kind: object) -> type[Device]:
    """Return the class of a kind. Raises ``ConfigError`` if it is no device, or has no section of the rig file."""
    if not (isinstance(kind, type) and issubclass(kind, Device)):
        raise ConfigError(f"device '{word}' cannot be loaded: {kind!r} is no Device")
    config: object = getattr(kind, "Config", None)
    if not (isinstance(config, type) and issubclass(config, DeviceConfig)):
        raise ConfigError(f"device '{word}': {kind.__name__} has no keys: wanted Config = a subclass of DeviceConfig")
    if not isinstance(kind.maintenance, Mapping):
        raise ConfigError(f"device '{word}': {kind.__name__}: maintenance: wanted the name and the class of each verb")
    return kind


def word_of(kind: type[Device]) -> str:
    """Return what a rig file writes for a class: its entry point, or its file and name."""
    value = f"{kind.__module__}:{kind.__qualname__}"
    points = installed_plugins(DEVICES).items()
    return next((word for word, point in points if point.value == value), ":".join(_file_and_name(kind)))


def is_kind(kind: type[Device], wanted: type[Device]) -> bool:
    """Whether a class is a wanted one, or inherits from it.

    A file can be loaded twice, for the rig and by the protocol that imports it: both classes are the same kind.
    """
    return issubclass(kind, wanted) or _file_and_name(wanted) in map(_file_and_name, kind.__mro__)


def _file_and_name(kind: type) -> tuple[str, str]:
    module = sys.modules.get(kind.__module__)
    return Path(getattr(module, "__file__", None) or "").name, kind.__qualname__
