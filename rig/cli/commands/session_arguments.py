"""The arguments of ``rig session``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.commands.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(session: Parser) -> None:
    """Add the arguments of ``rig session``."""
    what = session.add_subparsers(dest="what", metavar="WHAT", required=True)
    reassign = what.add_parser("reassign", help="move a session that was recorded under the wrong animal")
    reassign.add_argument("session", metavar="SESSION", help="its folder, or SUBJECT/DATE/NUMBER below the data folder")
    reassign.add_argument("subject", metavar="SUBJECT", help="the right subject")
    reassign.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded for both subjects")
    reassign.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(reassign)
