"""The arguments of ``rig catalog``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(catalog: Parser) -> None:
    """Add the arguments of ``rig catalog``."""
    catalog.description = (
        "List the sessions of all subjects, or search them. The catalog is made from the journals, and may be deleted."
    )
    catalog.add_argument("what", nargs="?", choices=("list", "rebuild"), default="list", help="list, or make it again")
    catalog.add_argument("--subject", metavar="NAME", help="only sessions of this subject")
    catalog.add_argument("--protocol", metavar="NAME", help="only sessions of this protocol or variant")
    catalog.add_argument("--reason", metavar="REASON", help="only sessions that ended so: time_limit, fault, none, ...")
    catalog.add_argument(
        "--failed",
        action="store_true",
        help="only sessions that broke off, also if they went on, and those that ended by a fault or a panic",
    )
    catalog.add_argument(
        "--changes",
        action="store_true",
        help="only sessions whose code or parameters differ from the subject's last session of the protocol",
    )
    catalog.add_argument(
        "--since",
        metavar="DATE",
        help="only sessions of this day and later: YYYY-MM-DD, today, yesterday, or week for the last 7 days",
    )
    catalog.add_argument("--until", metavar="DATE", help="only sessions of this day and earlier, as --since")
    catalog.add_argument("--sim", action="store_true", help="sessions of virtual subjects instead")
    catalog.add_argument("--json", action="store_true", help="print it as JSON")
    add_data(catalog)
