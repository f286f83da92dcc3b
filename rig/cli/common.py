"""What the commands that run sessions share."""

from __future__ import annotations

import argparse
import datetime
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rig.cli.status import FAILED, OK, STOPPED
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal
from rig.records.summary import summarise
from rig.records.trials import write_trials
from rig.session.perform import Performed
from rig.session.recorder import write_json

SLOWEST = 0.001
"""A thousandth of real time; below it the system's own sleep gives up sooner or later."""


def data_folder(arguments: argparse.Namespace) -> Path:
    """Say where records go."""
    return Path(arguments.data or os.environ.get("RIG_DATA") or "data")


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Read ``--param k=v``. Raises ``ConfigError`` listing what is not of that form."""
    wrong = [pair for pair in pairs if "=" not in pair or pair.startswith("=")]
    if wrong:
        raise ConfigError(*(f"--param {pair}: wanted NAME=VALUE, such as --param tau=2" for pair in wrong))
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def start_time(text: str | None) -> datetime.datetime:
    """Read ``--start``, or take the present. Raises ``ConfigError``."""
    if text is None:
        return datetime.datetime.now().replace(microsecond=0)
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--start {text}: is no time; wanted such as 2026-11-21T09:00") from None


def speed(text: str) -> float:
    """Read ``--speed``. Raises ``ConfigError``."""
    try:
        value = math.inf if text == "max" else float(text)
    except ValueError:
        value = 0.0
    if not value >= SLOWEST:
        raise ConfigError(f"--speed {text}: wanted max, or a number such as 1 (real time) or 60")
    return value


def rehearsal(arguments: argparse.Namespace, seed: int) -> Rehearsal:
    """Say how the simulated rig is to behave."""
    return Rehearsal(arguments.model, options(arguments.param), seed=seed)


def keep(performed: Performed) -> dict[str, Any]:
    """Write the tables of a session that has ended; return its summary."""
    write_trials(performed.folder, performed.header["columns"], performed.rows)
    outcome = performed.outcome
    footer = {
        "reason": outcome.reason,
        "detail": outcome.detail,
        "t": outcome.t_us,
        "rewards": outcome.rewards,
        "ul": round(outcome.ul, 6),
        "unconfirmed": outcome.unconfirmed,
    }
    summary = summarise(performed.header, footer, performed.rows)
    write_json(performed.folder / "summary.json", summary)
    return {**summary, "folder": str(performed.folder)}


def status_of(reason: str) -> int:
    """Turn the reason of a session's end into an exit status."""
    return {"fault": FAILED, "operator": STOPPED}.get(reason, OK)
