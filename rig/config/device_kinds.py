"""The kinds of devices that a rig file names: what is installed, and classes in files beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rig.config.errors.errors import Loc, collect_errors, config_issue
from rig.config.inheritance import LayeredConfig
from rig.config.user_classes import ClassFinder, hashes, is_file_reference, package_hashes, source_files
from rig.core.errors import ConfigError
from rig.core.journal.header import RecordedKind
from rig.devices.base import Device
from rig.devices.kinds import checked, installed_kind
from rig.system.local_imports import kept_folder
from rig.system.plugins import DEVICES, installed_plugins

DEVICE_CLASSES: ClassFinder[Device] = ClassFinder(
    what="device",
    noun="device",
    example="puffer.py:Puffer",
    begins="class Puffer(Device)",
    matches=lambda kind: issubclass(kind, Device),
)


def kinds_in(layered: LayeredConfig) -> dict[str, type[Device]]:
    """Return the class of each kind that a rig file names, as far as it is installed or a file.

    The path of a file is counted from the file that names it. Raises ``ConfigError`` with the place of each that
    cannot be loaded.
    """
    places: dict[str, Loc] = {}
    devices = layered.data.get("devices")
    for name, section in devices.items() if isinstance(devices, dict) else ():
        word = section.get("kind") if isinstance(section, dict) else None
        if isinstance(word, str):
            places.setdefault(word, ("devices", str(name), "kind"))
    loaded = collect_errors(*(partial(_loaded, word, layered, loc) for word, loc in places.items()))
    return {word: kind for found in loaded for word, kind in found.items()}


def _loaded(word: str, layered: LayeredConfig, loc: Loc) -> dict[str, type[Device]]:
    mark = layered.location(loc)
    try:
        if not is_file_reference(word):
            return {word: installed_kind(word)} if word in installed_plugins(DEVICES) else {}
        return {word: file_kind(word, layered.sources[0].parent if mark.line is None else Path(mark.file).parent)}
    except ConfigError as error:
        raise ConfigError(config_issue(mark, loc, str(error))) from None


def file_kind(word: str, near: Path) -> type[Device]:
    """Return the class in a file that a word means, counted from a folder. Raises ``ConfigError``."""
    with kept_folder():
        kind = checked(word, DEVICE_CLASSES.find(word, near)[0])
        source_files(kind)  # which are known while the folder's modules are loaded
        return kind


def is_shipped(kind: type[Device]) -> bool:
    """Whether a kind is one of this program."""
    return kind.__module__.startswith("rig.")


def recorded_kind(word: str, kind: type[Device]) -> RecordedKind:
    """Return what a journal's header says of a laboratory's kind: what it is, and the SHA-256 of its code."""
    code = hashes(source_files(kind)) if is_file_reference(word) else package_hashes(kind)
    return RecordedKind(dict(code), kind.description or "")
