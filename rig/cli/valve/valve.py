"""``rig valve``: measure, check, flush and prime valves, and give a drop by hand."""

from __future__ import annotations

import argparse
from importlib import import_module

_MODULES = {"flush": "flush", "prime": "flush"}


def run(arguments: argparse.Namespace) -> int:
    """Run the command of ``rig valve`` that was asked for."""
    return int(import_module(f"rig.cli.valve.{_MODULES.get(arguments.what, arguments.what)}").run(arguments))
