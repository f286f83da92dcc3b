"""``rig session``: act on a session."""

from __future__ import annotations

import argparse
from importlib import import_module

MODULES = {"reassign": "session_reassign"}
"""The module of each sub-command."""


def run(arguments: argparse.Namespace) -> int:
    """Run the requested sub-command."""
    return int(import_module(f"rig.cli.commands.{MODULES[arguments.what]}").run(arguments))
