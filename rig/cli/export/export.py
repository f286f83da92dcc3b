"""``rig export``: write sessions to files of other programs."""

from __future__ import annotations

import argparse
from importlib import import_module

FORMATS = {name: f"rig.cli.commands.export_{name}" for name in ("csv", "parquet", "nwb", "grid")}


def run(arguments: argparse.Namespace) -> int:
    """Run the export to the requested format."""
    return int(import_module(FORMATS[arguments.what]).run(arguments))
