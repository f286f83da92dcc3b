"""``rig subject``: manage a subject's records."""

from __future__ import annotations

import argparse
from importlib import import_module

from rig.cli import common
from rig.session.subject import STATE
from rig.system.statuses import OK
from rig.terminal.format import pluralize

MODULES = {
    "add": "subject_add",
    "set": "subject_add",
    "import": "subject_import",
    "weigh": "subject_record",
    "water": "subject_record",
    "food": "subject_record",
    "note": "subject_record",
    "rename": "subject_rename",
    "merge": "subject_merge",
    "retire": "subject_retire",
    "unretire": "subject_retire",
    "void": "subject_void",
    "undo": "subject_void",
    "record": "subject_entries",
    "show": "subject_show",
    "list": "subject_list",
    "due": "subject_due",
    "why": "subject_why",
    "given": "subject_given",
    "form": "subject_form",
    "forget": "subject_form",
}
"""The module of each sub-command but ``rebuild``."""


def run(arguments: argparse.Namespace) -> int:
    """Run the requested sub-command."""
    if arguments.what == "rebuild":
        return _rebuild(arguments)
    module = import_module(f"rig.cli.commands.{MODULES[arguments.what]}")
    return int(module.run(arguments))


def _rebuild(arguments: argparse.Namespace) -> int:
    """Build ``state.json`` again: for each protocol, the carry-over of its last session that counts."""
    with common.known_subject(arguments) as subject:
        state, left_out = subject.rebuild_state()
    for text in left_out:
        print(f"left out: {text}")
    print(
        f"{subject.folder / STATE}: rebuilt, {pluralize(len(state), 'protocol')}: {', '.join(sorted(state)) or 'none'}"
    )
    return OK
