"""The arguments of ``rig boxes``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(boxes: Parser) -> None:
    """Add the sub-commands of ``rig boxes``, each with its arguments."""
    boxes.description = (
        "Take up the sessions that `rig run --boxes` has started. They go on when its table is closed, and when its "
        "program dies."
    )
    what = boxes.add_subparsers(dest="what", metavar="WHAT", required=True)
    attach = what.add_parser("attach", help="show the table of the running boxes again, with its keys")
    attach.add_argument("boxes", nargs="?", metavar="FILE", help="show the boxes of this file only")
    attach.add_argument(
        "--experimenter", metavar="NAME", help="who gives the top-ups (default: $RIG_EXPERIMENTER, else the login)"
    )
    attach.add_argument("--json", action="store_true", help="print the results as JSON")
    add_data(attach)
