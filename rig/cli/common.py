"""Functions that the commands for sessions share."""

from __future__ import annotations

import argparse
import datetime
import getpass
import math
import os
from collections.abc import Sequence
from pathlib import Path

from rig.core.errors import ConfigError
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL
from rig.session.subject_folder import subjects_folder
from rig.system.settings import check_experimenter, load_settings

SLOWEST = 0.001
"""A thousandth of real time; below it the system's sleep can overflow."""


def data_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder of the records: ``--data``, or what the computer is set to. Raises ``ConfigError``."""
    return Path(arguments.data or load_settings().data.value)


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


def signed_by(arguments: argparse.Namespace) -> str:
    """Return the person of ``--by`` or $RIG_EXPERIMENTER, after a check that ``--reason`` is not empty.

    Raises ``ConfigError``.
    """
    reason = getattr(arguments, "reason", None)
    if reason is not None and not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    return named_person(arguments.by, "--by NAME")


def named_person(option: str | None, spelled: str) -> str:
    """Return the responsible person, from an option or $RIG_EXPERIMENTER; a shared login is not accepted.

    Raises ``ConfigError``, also for a name that this computer's list of experimenters lacks.
    """
    name = option or os.environ.get("RIG_EXPERIMENTER") or ""
    if not name.strip():
        raise ConfigError(f"who says so? Give {spelled}, or set $RIG_EXPERIMENTER: the name is written down")
    return check_experimenter(name, load_settings())


def experimenter(option: str | None) -> str:
    """Return the experimenter: --experimenter, $RIG_EXPERIMENTER, or the login name.

    Raises ``ConfigError`` for a name that this computer's list of experimenters lacks.
    """
    settings = load_settings()
    named = option or os.environ.get("RIG_EXPERIMENTER")
    if named:
        return check_experimenter(named, settings)
    login, known = _login(), settings.experimenters
    if known.value and login not in known.value:
        raise ConfigError(f"who are you? Give --experimenter NAME: {', '.join(known.value)} ({known.source})")
    return login


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name
        return "unknown"
