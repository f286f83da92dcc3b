"""The arguments of ``rig export grid``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_grid_arguments(grid: Parser) -> None:
    """Add the arguments of ``rig export grid``."""
    grid.description = (
        "Write sessions of the grid bandit or the risky bandit as one public table: long, with a row per click, or "
        "wide, with a row per session and its clicks as JSON."
    )
    grid.add_argument(
        "sessions",
        nargs="+",
        type=Path,
        metavar="SESSION",
        help="a session's folder, a journal, a subject's folder, or that of all subjects",
    )
    grid.add_argument("--layout", choices=("long", "wide"), default="long", help="the table to write (default: long)")
    grid.add_argument("--to", type=Path, required=True, metavar="FILE", help="write the table to this file")
    grid.add_argument("--force", action="store_true", help="replace a file that exists")
    grid.add_argument("--json", action="store_true", help="print the result as JSON")
