"""``rig show models``: the virtual subjects that are installed, and what each needs of a rig."""

from __future__ import annotations

import argparse

from rig.cli.show.plugin_list import show_installed
from rig.system.plugins import MODELS


def run(arguments: argparse.Namespace) -> int:
    """Print the installed models; one that cannot be loaded is listed with its mistake."""
    return show_installed(MODELS, arguments.json, "needs")
