"""``rig session note``: write a note into the journal of a running session."""

from __future__ import annotations

import argparse

from rig.cli.session.control import send


def run(arguments: argparse.Namespace) -> int:
    """Write it."""
    return send(arguments.subject, do="note", text=" ".join(arguments.text))
