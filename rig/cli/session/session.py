"""``rig session``: each of its commands is a module of this package, named after it."""

from __future__ import annotations

import argparse
from importlib import import_module


def run(arguments: argparse.Namespace) -> int:
    """Run the command of ``rig session`` that was asked for."""
    return int(import_module(f"rig.cli.session.{arguments.what}").run(arguments))
