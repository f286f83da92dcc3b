"""The arguments of ``rig export``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from protocols.searching_commands.export_grid_arguments import add_grid_arguments
from rig.cli.export.export_nwb_arguments import add_nwb_arguments
from rig.cli.export.export_tables_arguments import add_csv_arguments, add_parquet_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(export: Parser) -> None:
    """Add the arguments of ``rig export``."""
    export.description = "Write recorded sessions in formats of other programs. The journal stays the record."
    what = export.add_subparsers(dest="what", metavar="FORMAT", required=True)
    add_csv_arguments(what.add_parser("csv", help="tables as CSV files, for spreadsheets and other programs"))
    add_parquet_arguments(what.add_parser("parquet", help="the same tables as Parquet files, with types and units"))
    add_nwb_arguments(what.add_parser("nwb", help="one file for each session, as Neurodata Without Borders has it"))
    add_grid_arguments(what.add_parser("grid", help="searches on grids, as the public tables of their studies"))
