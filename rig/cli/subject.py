"""``rig subject``: what outlives a subject's sessions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.core.errors import ConfigError, RecordError
from rig.records.past import counts, journals
from rig.records.read import read
from rig.session.subject import Subject
from rig.status import OK


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked of a subject's records."""
    if arguments.what == "why":
        from rig.cli import subject_why

        return subject_why.run(arguments)
    if arguments.what in ("form", "forget"):
        from rig.cli import subject_form

        return subject_form.run(arguments)
    return _rebuild(arguments)


def _rebuild(arguments: argparse.Namespace) -> int:
    """Make a lost ``state.json`` anew: for each protocol, what its last session that counts left behind."""
    data = common.data_folder(arguments)
    folder = data / arguments.subject
    if not folder.is_dir():
        raise ConfigError(f"{data}: has no subject '{arguments.subject}'")
    state: dict[str, Any] = {}
    with Subject(data, arguments.subject) as subject:
        for journal in reversed(list(journals(folder))):
            _take(journal.parent, state)
        subject.write_state(state)
    print(f"{folder / 'state.json'}: made anew, {len(state)} protocols: {', '.join(sorted(state)) or 'none'}")
    return OK


def _take(session: Path, state: dict[str, Any]) -> None:
    try:
        lines = read(session)
    except RecordError as error:
        print(f"left out: {error}")
        return
    header, footer = lines[0], lines[-1]
    if footer["k"] != "footer":
        return
    if counts(footer["reason"], footer["trials"], header["stop"]["min_trials"]):
        state[header["protocol"]] = footer["carried"]
