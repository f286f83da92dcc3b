"""``rig session end``: end a running session."""

from __future__ import annotations

import argparse

from rig.cli.session.control import send


def run(arguments: argparse.Namespace) -> int:
    """End the session."""
    return send(arguments.subject, do="end")
