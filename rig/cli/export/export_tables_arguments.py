"""The arguments of exports that write tables. Import nothing heavy: completion reads it."""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_csv_arguments(parser: Parser) -> None:
    """Add the arguments of ``rig export csv``."""
    parser.description = (
        "Write the tables of sessions as CSV: trials and the further tables of the protocol, edges, spans of inputs "
        "and outputs, states, rewards, touches, positions, notes, faults and others. columns.json describes them. "
        "After `rig align` each time is there on the other system's clock, too."
    )
    _add_arguments(parser)


def add_parquet_arguments(parser: Parser) -> None:
    """Add the arguments of ``rig export parquet``."""
    parser.description = (
        "Write the tables of sessions as Parquet: those of `rig export csv`, with types. The fields have units and "
        "descriptions as metadata. It needs the extra data: pip install 'behavior-rig[data]'."
    )
    _add_arguments(parser)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "sessions",
        nargs="+",
        type=Path,
        metavar="SESSION",
        help="a session's folder, a journal, a subject's folder, or that of all subjects",
    )
    parser.add_argument(
        "--to",
        type=Path,
        default=Path(),
        metavar="FOLDER",
        help="write a folder for each session here (default: the folder in which you are)",
    )
    parser.add_argument("--force", action="store_true", help="replace the tables of an earlier export")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
