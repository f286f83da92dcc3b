"""The arguments of ``rig replay``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(replay: Parser) -> None:
    """Add the arguments of ``rig replay``."""
    replay.description = (
        "Replay sessions with the installed protocol. A laboratory's own file runs from the copy in a session's "
        "folder, only with --trust, and only if it is what was recorded."
    )
    replay.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder, or its journal")
    replay.add_argument(
        "--any-version", action="store_true", help="replay although the installed protocol is not the recorded version"
    )
    replay.add_argument("--trust", action="store_true", help="run the code in the sessions' folders; read it first")
    replay.add_argument("--json", action="store_true", help="print the result as JSON")
