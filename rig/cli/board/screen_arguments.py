"""The arguments of ``rig screen``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(screen: Parser) -> None:
    """Add the arguments of ``rig screen``."""
    screen.description = (
        "Show a line to measure with a ruler and marks to touch on a rig's screen, and print every touch. "
        "Closing the window, or Ctrl-C, ends it."
    )
    screen.add_argument("rig", help="the rig's name, or the path of its YAML file")
