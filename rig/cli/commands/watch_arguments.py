"""The arguments of ``rig watch``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.commands.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(watch: Parser) -> None:
    """Add the arguments of ``rig watch``."""
    watch.description = (
        "Watch a session that another program runs on this computer, or one that has ended. Ctrl-C stops watching."
    )
    watch.add_argument(
        "session", nargs="?", metavar="SESSION", help="a session's folder, or its journal (default: the newest one)"
    )
    add_data(watch)
