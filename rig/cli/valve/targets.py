"""The rigs and valves that a line names: ``RIG [DEVICE ...] [RIG [DEVICE ...]] ...``, or ``--all``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rig.boards.registry import Driver
from rig.cli.maintenance.valves import ValveTarget, all_valves, plan_of, valve_names, valves_of
from rig.config import collect_errors, find
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from rig.session.spec.rig_file import Rig
from rig.session.spec.uncalibrated_rig import load_uncalibrated_rig
from rig.system.settings import Settings, load_settings, rig_of


@dataclass(frozen=True)
class RigTarget:
    """A rig, the word that names it on the command line, and its valves that are meant."""

    word: str
    rig: Rig
    plan: RigSpec
    driver: Driver
    valves: Sequence[ValveTarget]


def rig_targets(arguments: argparse.Namespace) -> Sequence[RigTarget]:
    """Return the rigs in the order of the line, each with all its valves where it names none.

    Raises ``ConfigError`` that lists every mistake.
    """
    settings = load_settings()
    lines = _all_boxes(arguments, settings) if arguments.all else _split(arguments, settings)
    targets = collect_errors(*(partial(_target, line, settings, arguments.board) for line in lines))
    names = [target.rig.sources[0].resolve() for target in targets]
    if twice := [target.word for target, name in zip(targets, names, strict=True) if names.count(name) > 1]:
        raise ConfigError(f"{twice[-1]}: is named twice: write all its valves behind the first one")
    return targets


def _all_boxes(arguments: argparse.Namespace, settings: Settings) -> list[list[str]]:
    if arguments.rig is not None:
        raise ConfigError("--all: means every box of this computer: leave the names out")
    if not settings.boxes.value:
        raise ConfigError("--all: this computer has no boxes: write them into rig.toml, or name the rigs")
    return [[box] for box in settings.boxes.value]


def _split(arguments: argparse.Namespace, settings: Settings) -> list[list[str]]:
    """Return the words of each rig: a word that is no valve of the rig before it, and names a rig, begins the next."""
    if arguments.rig is None:
        raise ConfigError("which rig? Name one or more, such as `rig valve prime my_rig left right`, or give --all")
    lines = [[arguments.box_of_rig or arguments.rig]]
    for word in arguments.device:
        is_valve = word in valve_names(load_uncalibrated_rig(rig_of(lines[-1][0], settings), arguments.board))
        if not is_valve and _is_rig(word, settings):
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


def _target(line: Sequence[str], settings: Settings, board: str | None) -> RigTarget:
    word, *devices = line
    rig = load_uncalibrated_rig(rig_of(word, settings), board)
    plan, driver = plan_of(rig, board)
    valves = valves_of(rig, devices) if devices else all_valves(rig)
    return RigTarget(word, rig, plan, driver, valves)
