"""Functions that the commands for sessions share."""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from rig.cli.subject_names import is_near, subject_names
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL
from rig.session.subject import SubjectFolder, check_name, subjects_folder
from rig.system.settings import load_settings

SLOWEST = 0.001
"""A thousandth of real time; below it the system's sleep can overflow."""


def data_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder of the records: ``--data``, or what the computer is set to. Raises ``ConfigError``."""
    return Path(arguments.data or load_settings().data.value)


def known_subject(arguments: argparse.Namespace) -> SubjectFolder:
    """Return the subject, real or with ``--sim`` simulated; its folder must exist.

    A name in other letters finds the subject, and the answer says so. A command without the option is for real
    subjects only. Raises ``ConfigError``.
    """
    data, sim = data_folder(arguments), getattr(arguments, "sim", None)
    place = subjects_folder(data, simulated=bool(sim))
    wanted = SubjectFolder(data, _spelled(place, check_name(arguments.subject)), simulated=bool(sim))
    if wanted.folder.is_dir():
        if wanted.name != arguments.subject:
            print(f"{arguments.subject} is read as {wanted.name}", file=sys.stderr)
        return wanted
    other = subjects_folder(data, simulated=not sim) / wanted.name
    advice = {True: "leave --sim out", False: "add --sim", None: "this command is for real subjects only"}
    hint = f"; {other} is there: {advice[sim]}" if other.is_dir() else _near(place, wanted.name)
    raise ConfigError(f"{place}: has no subject '{wanted.name}'{hint}")


def _spelled(place: Path, name: str) -> str:
    """Return a subject's name as its folder spells it."""
    names = subject_names(place)
    return name if name in names else next((each for each in names if each.lower() == name.lower()), name)


def _near(place: Path, name: str) -> str:
    near = [each for each in subject_names(place) if is_near(each.lower(), name.lower())]
    return f": did you mean {' or '.join(near[:5])}?" if near else ""


def newest_journal(data: Path) -> Path:
    """Return the journal that was written last. Raises ``ConfigError`` when there is none."""
    places = (subjects_folder(data, simulated=simulated) for simulated in (False, True))
    journals = (path for place in places for path in place.glob(f"*/????-??-??/*/{JOURNAL}"))
    found = [(path.stat().st_mtime, path) for path in journals]
    if not found:
        raise ConfigError(f"{data}: has no session yet; name one, or say where they are with --data")
    return max(found)[1]


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Parse ``--param k=v``. Raises ``ConfigError`` that lists every value of another form."""
    wrong = [pair for pair in pairs if "=" not in pair or pair.startswith("=")]
    if wrong:
        raise ConfigError(*(f"--param {pair}: wanted NAME=VALUE, such as --param tau=2" for pair in wrong))
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def now() -> datetime.datetime:
    """Return this computer's date and time, without microseconds."""
    return datetime.datetime.now().replace(microsecond=0)


def start_time(text: str | None) -> datetime.datetime:
    """Parse ``--start``; without it return the current time. Raises ``ConfigError``."""
    if text is None:
        return now()
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--start {text}: is no time; wanted such as 2026-11-21T09:00") from None


def speed(text: str) -> float:
    """Parse ``--speed``. Raises ``ConfigError``."""
    try:
        value = math.inf if text == "max" else float(text)
    except ValueError:
        value = 0.0
    if not value >= SLOWEST:
        raise ConfigError(f"--speed {text}: wanted max, or a number such as 1 (real time) or 60")
    return value


def simulation(arguments: argparse.Namespace, seed: int) -> SimulationOptions:
    """Return the options of the simulated rig."""
    return SimulationOptions(arguments.model, options(arguments.param), seed=seed)
