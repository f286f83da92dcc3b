"""``rig show analyses``: the analyses that are installed, and the columns that each needs."""

from __future__ import annotations

import argparse

from rig.cli.show.plugin_list import show_installed
from rig.system.plugins import ANALYSES


def run(arguments: argparse.Namespace) -> int:
    """Print the installed analyses; one that cannot be loaded is listed with its mistake."""
    return show_installed(ANALYSES, arguments.json, "columns")
