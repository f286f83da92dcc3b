"""``rig show boards``: the drivers of boards that are installed."""

from __future__ import annotations

import argparse

from rig.cli.listing import show_installed
from rig.installed import BOARDS


def run(arguments: argparse.Namespace) -> int:
    """List them; one that cannot be loaded is listed with its mistake."""
    return show_installed(BOARDS, arguments.json)
