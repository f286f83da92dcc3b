"""The arguments of ``rig watch``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(watch: Parser) -> None:
    """Add the arguments of ``rig watch``."""
    watch.description = (
        "Watch a session that another program runs on this computer, or one that has ended. Ctrl-C stops watching. "
        "With --window it is shown in a window: charts, lanes of all channels, and buttons for a running session. "
        "Several sessions are tabs of one window, with a wall of all of them."
    )
    watch.add_argument(
        "session",
        nargs="*",
        metavar="SESSION",
        help="a session's folder, or its journal (default: the newest one); several need --window",
    )
    watch.add_argument("--all", action="store_true", help="with --window: all sessions that run on this computer")
    watch.add_argument(
        "--boxes",
        nargs="?",
        const="",
        metavar="FILE",
        help="with --window: the boxes whose sessions `rig run --boxes` has started, or those of this file only",
    )
    add_window(watch)
    add_data(watch)
