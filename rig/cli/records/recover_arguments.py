"""The arguments of ``rig recover``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(recover: Parser) -> None:
    """Add the arguments of ``rig recover``."""
    recover.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder")
    recover.add_argument(
        "--port",
        metavar="PORT",
        help="ask the session's board at this port what it gave, which settles the rewards in doubt",
    )
    recover.add_argument("--baud", type=int, metavar="N", help="baud rate (default: 500000)")
    recover.add_argument("--json", action="store_true", help="print the result as JSON")
