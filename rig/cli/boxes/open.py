"""``rig boxes open``: open the launcher, a window with a card for each box of a file."""

from __future__ import annotations

import argparse
import os

from rig.cli import common
from rig.cli.terminal.window import show_window
from rig.config import find
from rig.system.statuses import OK
from rig.window.launch import WindowRequest, check_window


def run(arguments: argparse.Namespace) -> int:
    """Show the launcher until it is closed; it shows the mistakes of a file itself. Raises ``ConfigError``."""
    check_window()
    find("boxes", arguments.boxes)
    data = common.data_folder(arguments)
    show_window(
        WindowRequest(
            boxes_data=str(data.absolute()),
            boxes_file=arguments.boxes,
            options=[] if arguments.data is None else ["--data", arguments.data],
            experimenter=arguments.experimenter or os.environ.get("RIG_EXPERIMENTER", ""),
            theme=arguments.theme,
        )
    )
    return OK
