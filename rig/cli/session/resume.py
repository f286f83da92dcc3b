"""``rig session resume``: go on with a paused session."""

from __future__ import annotations

import argparse

from rig.cli.session.control import send


def run(arguments: argparse.Namespace) -> int:
    """Send the request."""
    return send(arguments.subject, do="resume")
