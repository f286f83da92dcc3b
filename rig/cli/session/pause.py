"""``rig session pause``: pause a running session."""

from __future__ import annotations

import argparse

from rig.cli.session.control import send


def run(arguments: argparse.Namespace) -> int:
    """Send the request, and print whether it pauses now or later."""
    return send(arguments.subject, do="pause")
