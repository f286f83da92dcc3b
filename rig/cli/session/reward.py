"""``rig session reward``: give one reward in a running session."""

from __future__ import annotations

import argparse

from rig.cli.session.control import send


def run(arguments: argparse.Namespace) -> int:
    """Send the request, and print the reward's status."""
    return send(arguments.subject, do="reward", source=arguments.source)
