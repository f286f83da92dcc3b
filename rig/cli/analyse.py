"""``rig analyse``: say what sessions show, of a two-armed bandit, of delay discounting or of the disk bandit."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from rig.analysis.maze.track import Operator
from rig.cli.analyse_print import INSTALL, missing_extra
from rig.cli.analyse_sources import read_sessions
from rig.core.errors import ConfigError
from rig.places import SIMULATED
from rig.records.read import JOURNAL
from rig.status import OK

ANALYSES = {
    "two_armed_bandit": "rig.cli.analyse_bandit",
    "delay_discounting": "rig.cli.analyse_maze",
    "disk_bandit": "rig.cli.analyse_disks",
}

NOT_NEGATIVE = ("skip_first", "seed", "split_seed", "min_laps", "smoothing_s", "min_pecks")
OWN = {
    "two_armed_bandit": ("skip_first", "split_seed", "ngram"),
    "delay_discounting": ("min_laps", "window_s", "smoothing_s", "backpack", "laps", "fill"),
    "disk_bandit": ("min_pecks", "cells"),
}
"""Options that only the analysis of one protocol has."""


def run(arguments: argparse.Namespace) -> int:
    """Read the sessions, and hand them to the analysis of their protocol."""
    for option in NOT_NEGATIVE:
        if (value := getattr(arguments, option)) is not None and value < 0:
            raise ConfigError(f"{_spelled(option)} {value}: wanted 0 or more")
    if arguments.window_s is not None and arguments.window_s <= 0:
        raise ConfigError(f"{_spelled('window_s')} {arguments.window_s}: wanted more than 0")
    if arguments.figures and (missing := missing_extra()):
        raise ConfigError(f"--figures {arguments.figures}: needs {' and '.join(missing)}: {INSTALL}")
    given = {name: getattr(arguments, name) for name in ("window_s", "smoothing_s")}
    operator = Operator(**{name: value for name, value in given.items() if value is not None})
    protocol, sources = read_sessions(_without_simulated_days(arguments.sessions), operator)
    _refuse_options_of_others(arguments, protocol)
    import_module(ANALYSES[protocol]).analyse(arguments, sources)
    return OK


def _without_simulated_days(names: Sequence[str]) -> list[str]:
    """Leave out what ``data/*/*/*`` finds of simulated subjects, whose sessions lie deeper. Raises ``ConfigError``."""
    days = [name for name in names if _is_simulated_day(Path(name))]
    if not days:
        return list(names)
    sessions = Path(days[0]).parent.parent / "*" / "*" / "*"
    said = f"{days[0]}: is a day of a simulated subject, whose sessions are {sessions}"
    if len(days) == len(names):
        raise ConfigError(said)
    print(f"left out, with {len(days) - 1} more: {said}" if len(days) > 1 else f"left out: {said}", file=sys.stderr)
    return [name for name in names if name not in days]


def _is_simulated_day(folder: Path) -> bool:
    return folder.parent.parent.name == SIMULATED and any(folder.glob(f"*/{JOURNAL}"))


def _refuse_options_of_others(arguments: argparse.Namespace, protocol: str) -> None:
    others = ((other, option) for other in OWN if other != protocol for option in OWN[other])
    for other, option in others:
        if getattr(arguments, option):
            raise ConfigError(f"{_spelled(option)}: is for sessions of {other}, and these are of {protocol}")


def _spelled(option: str) -> str:
    return f"--{option.removesuffix('_s').replace('_', '-')}"
