"""The arguments of ``rig analyze``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(analyze: Parser) -> None:
    """Add the arguments of ``rig analyze``."""
    analyze.add_argument(
        "sessions",
        nargs="+",
        metavar="SESSION",
        help="the folder of a session, a day, a subject or all data; a journal; or a CSV file that an analysis reads",
    )
    analyze.add_argument("--figures", metavar="DIR", help="write figures to this folder, as PNG")
    analyze.add_argument(
        "--pool-different",
        action="store_true",
        help="pool sessions although they differ in the code of their protocol, or in its parameters",
    )
    analyze.add_argument("--json", action="store_true", help="print everything as JSON")
    analyze.add_argument(
        "--analysis", metavar="NAME", help="an analysis, or ./mine.py:Mine (default: selected by the columns)"
    )
