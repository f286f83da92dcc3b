"""``rig board``: find a board, see that it is well, put firmware on it, measure it."""

from __future__ import annotations

import argparse
from importlib import import_module


def run(arguments: argparse.Namespace) -> int:
    """Run the command of ``rig board`` that was asked for."""
    return int(import_module(f"rig.cli.board.{arguments.what}").run(arguments))
