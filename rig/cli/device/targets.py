"""The rigs and devices that a line names: ``RIG [DEVICE ...] [RIG [DEVICE ...]] ...``, or ``--all``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rig.config import collect_errors, find
from rig.config.errors.closest_names import unknown_name
from rig.core.errors import ConfigError
from rig.devices import Device
from rig.devices.kinds import installed_kinds
from rig.maintenance.verb import Verb, verbs_of
from rig.session.spec.compatibility import check_rig
from rig.session.spec.read_rig import Rig, read_rig
from rig.session.spec.uncalibrated_rig import load_uncalibrated_rig
from rig.system.settings import Settings, load_settings, rig_of


@dataclass(frozen=True)
class Target:
    """A rig, the word that names it on the command line, and its devices that are meant."""

    word: str
    rig: Rig
    devices: Sequence[Device]


def find_targets(arguments: argparse.Namespace, verb: Verb) -> Sequence[Target]:
    """Return the rigs in the order of the line, each with all its suitable devices where it names none.

    Raises ``ConfigError`` that lists every mistake.
    """
    settings = load_settings()
    lines = _lines(arguments, verb, settings)
    targets = collect_errors(*(partial(_target, line, settings, arguments, verb) for line in lines))
    files = [target.rig.sources[0].resolve() for target in targets]
    if twice := [target.word for target, file in zip(targets, files, strict=True) if files.count(file) > 1]:
        raise ConfigError(f"{twice[-1]}: is named twice: write all its devices behind the first one")
    return targets


def _lines(arguments: argparse.Namespace, verb: Verb, settings: Settings) -> list[list[str]]:
    """Return the words of each rig."""
    if verb.names != "rigs":
        devices = [arguments.device] if verb.names == "device" else arguments.device
        return [[arguments.box_of_rig or arguments.rig, *devices]]
    if arguments.all:
        if arguments.rig is not None:
            raise ConfigError("--all: means every box of this computer: leave the names out")
        if not settings.boxes.value:
            raise ConfigError("--all: this computer has no boxes: write them into rig.toml, or name the rigs")
        return [[box] for box in settings.boxes.value]
    if arguments.rig is None:
        line = f"`rig device {arguments.what} my_rig left right`"
        raise ConfigError(f"which rig? Name one or more, such as {line}, or give --all")
    return _split(arguments, settings)


def _split(arguments: argparse.Namespace, settings: Settings) -> list[list[str]]:
    """Return the words of each rig: a word that is no device of the rig before it, and names a rig, begins the next."""
    lines = [[arguments.box_of_rig or arguments.rig]]
    for word in arguments.device:
        is_device = word in load_uncalibrated_rig(rig_of(lines[-1][0], settings), arguments.board).devices
        if not is_device and _is_rig(word, settings):
            lines.append([word])
        else:
            lines[-1].append(word)
    return lines


def _is_rig(word: str, settings: Settings) -> bool:
    try:
        find("rigs", rig_of(word, settings))
    except ConfigError:
        return False
    return True


def _target(line: Sequence[str], settings: Settings, arguments: argparse.Namespace, verb: Verb) -> Target:
    word, *names = line
    rig = _read(rig_of(word, settings), verb, getattr(arguments, "board", None))
    suitable = [name for name, device in rig.devices.items() if not _reason_against(device, arguments.what, verb)]
    if mistakes := list(_mistakes(rig, names, arguments.what, verb, suitable)):
        raise ConfigError(*mistakes)
    return Target(word, rig, [rig.devices[name] for name in names or suitable])


def _read(name: str, verb: Verb, board: str | None) -> Rig:
    if not verb.is_calibrated:
        return load_uncalibrated_rig(name, board)
    rig = read_rig(find("rigs", name))
    if verb.opens_board and (mistakes := list(check_rig(rig, board))):
        raise ConfigError(*mistakes)
    return rig


def _mistakes(rig: Rig, names: Sequence[str], word: str, verb: Verb, suitable: Sequence[str]) -> Iterator[str]:
    if not names and not suitable:
        kinds = " or ".join(kind for kind, device in installed_kinds().items() if word in device.maintenance)
        yield f"{rig.name}: has no device for '{word}': give it a {kinds}"
    for name in dict.fromkeys(names):
        if name not in rig.devices:
            yield unknown_name(f"{rig.name} has no device {name!r}", name, suitable)
        elif reason := _reason_against(rig.devices[name], word, verb):
            yield f"{rig.name}: {reason}"
        if names.count(name) > 1:
            yield f"{name}: is named twice"


def _reason_against(device: Device, word: str, verb: Verb) -> str:
    """Return why a verb cannot be used with a device; empty when it can."""
    offered = verbs_of([type(device)])
    if word not in offered:
        names = ", ".join(offered)
        return f"{device.name}: offers no '{word}'; it offers {names}" if names else f"{device.name}: offers no verbs"
    if _identity(offered[word]) != _identity(verb):
        return f"{device.name}: its '{word}' is not that of the installed devices: give it another name in its class"
    part = verb.part
    if not part or type(device).__name__.lower() == part or device.has(part):
        return ""
    return f"{device.name}: has no {part}: give it one in the rig file (`{part}: PIN`)"


def _identity(verb: Verb) -> tuple[str, str]:
    # Not the class itself: that of a laboratory's file is loaded once for the line, and once for the rig.
    return type(verb).__module__, type(verb).__qualname__
