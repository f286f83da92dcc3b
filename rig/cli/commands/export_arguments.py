"""The arguments of ``rig export``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.commands.export_nwb_arguments import add_nwb_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(export: Parser) -> None:
    """Add the arguments of ``rig export``."""
    what = export.add_subparsers(dest="what", metavar="FORMAT", required=True)
    add_nwb_arguments(what.add_parser("nwb", help="one file for each session, as Neurodata Without Borders has it"))
