"""``rig subject``: what outlives a subject's sessions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.core.errors import ConfigError, RecordError
from rig.records.read import JOURNAL, read
from rig.session.perform import IF_ENOUGH, KEPT
from rig.session.subject import Subject
from rig.status import OK


def run(arguments: argparse.Namespace) -> int:
    """Make a lost ``state.json`` anew: for each protocol, what its last session that counts left behind."""
    data = common.data_folder(arguments)
    folder = data / arguments.subject
    if not folder.is_dir():
        raise ConfigError(f"{data}: has no subject '{arguments.subject}'")
    state: dict[str, Any] = {}
    with Subject(data, arguments.subject) as subject:
        for session in _sessions(folder):
            _take(session, state)
        subject.write_state(state)
    print(f"{folder / 'state.json'}: made anew, {len(state)} protocols: {', '.join(sorted(state)) or 'none'}")
    return OK


def _sessions(folder: Path) -> list[Path]:
    """List the sessions in their order. Raises ``RecordError`` where one may lie that cannot be seen."""
    try:
        days = [day for day in sorted(folder.glob("????-??-??")) if day.is_dir()]
        return [session for day in days for session in sorted(day.iterdir()) if (session / JOURNAL).exists()]
    except OSError as error:
        raise RecordError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _take(session: Path, state: dict[str, Any]) -> None:
    try:
        lines = read(session)
    except RecordError as error:
        print(f"left out: {error}")
        return
    header, footer = lines[0], lines[-1]
    if footer["k"] != "footer":
        return
    enough = footer["reason"] in IF_ENOUGH and footer["trials"] >= header["stop"]["min_trials"]
    if footer["reason"] in KEPT or enough:
        state[header["protocol"]] = footer["carried"]
