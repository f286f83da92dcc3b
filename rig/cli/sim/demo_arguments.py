"""The arguments of ``rig demo``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(demo: Parser) -> None:
    """Add the arguments of ``rig demo``."""
    add_data(demo)
    demo.add_argument("--seed", type=int, default=1, help="random seed of the session (default: 1)")
    demo.add_argument("--speed", default="600", help="max, or how many times real time (default: 600)")
