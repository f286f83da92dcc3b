"""``rig show boards``: the drivers of boards that are installed."""

from __future__ import annotations

import argparse

from rig.cli.show.plugin_list import show_installed
from rig.system.plugins import BOARDS


def run(arguments: argparse.Namespace) -> int:
    """Print the installed boards; one that cannot be loaded is listed with its mistake."""
    return show_installed(BOARDS, arguments.json)
