"""``rig subject``: manage a subject's records."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.records.history import past_sessions
from rig.session.subject import STATE
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Run the requested sub-command."""
    if arguments.what == "why":
        from rig.cli.commands import subject_why

        return subject_why.run(arguments)
    if arguments.what == "given":
        from rig.cli.commands import subject_given

        return subject_given.run(arguments)
    if arguments.what in ("form", "forget"):
        from rig.cli.commands import subject_form

        return subject_form.run(arguments)
    return _rebuild(arguments)


def _rebuild(arguments: argparse.Namespace) -> int:
    """Build ``state.json`` again: for each protocol, the carry-over of its last session that counts."""
    state: dict[str, Any] = {}
    with common.known_subject(arguments) as subject:
        for past in reversed(list(past_sessions(subject.folder, simulated=subject.simulated))):
            if isinstance(past, Path):
                print(f"left out: {past.parent}: has no header that can be read")
            elif past.advances_state:
                state[past.protocol] = past.carried_over()[1]
            elif past.reason is None:
                print(f"left out: {past.folder}: has no end")
        subject.write_state(state)
    print(f"{subject.folder / STATE}: rebuilt, {len(state)} protocols: {', '.join(sorted(state)) or 'none'}")
    return OK
