"""The command that runs one session of a campaign alone, with its journal."""

from __future__ import annotations

import datetime
from contextlib import suppress
from pathlib import Path

from rig.config import find
from rig.core.errors import ConfigError
from rig.platform.command_line import command_line
from rig.session.spec.request import SessionRequest
from rig.system.config_paths import Kind


def alone_command(request: SessionRequest, subject: str, seed: int, start: datetime.datetime) -> str:
    """Return the command of the first session of a subject; a later one needs the records of those before it.

    The folder of its records is a new one: earlier sessions of a subject of this name would go before it.
    """
    if request.protocol:
        what = [_name("protocols", request.protocol)]
    else:
        what = ["--curriculum", _name("curricula", str(request.curriculum))]
    rig = ["--rig", _name("rigs", request.rig)] if request.rig else []
    model = ["--model", request.simulation.model] if request.simulation.model else []
    params = [word for key, value in request.simulation.options.items() for word in ("--param", f"{key}={value}")]
    sets = [word for value in request.sets for word in ("--set", value)]
    when = ["--subject", subject, "--seed", str(seed), "--start", start.isoformat(timespec="minutes")]
    return command_line(["rig", "sim", *what, *rig, *model, *params, *sets, *when, "--data", "alone"])


def _name(kind: Kind, word: str) -> str:
    """Return the name of a file where it finds this very file, and the word itself otherwise."""
    name = Path(word).stem
    with suppress(ConfigError):
        if find(kind, name).absolute() == Path(word):
            return name
    return word
