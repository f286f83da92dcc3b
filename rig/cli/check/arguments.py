"""The arguments of ``rig check``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(check: Parser) -> None:
    """Add the arguments of ``rig check``."""
    check.description = (
        "Find every mistake in protocol, rig and calibration files, and rehearse each protocol: virtual subjects "
        "play it until they have entered every state. Nothing is written and no board is touched."
    )
    check.add_argument("files", nargs="*", metavar="FILE", help="YAML files, or names of shipped ones")
    check.add_argument(
        "--explain", nargs="?", const="", metavar="KEY", help="print the source of a value; of all values without KEY"
    )
    check.add_argument("--rig", help="check the protocols on this rig")
    check.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's")
    check.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one value")
    check.add_argument("--model", metavar="NAME", help="the virtual subject that plays first")
    check.add_argument("--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model")
    check.add_argument("--subject", metavar="NAME", help="rehearse with what the records say of this subject")
    check.add_argument(
        "--fact",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="what the rehearsal takes as known of the subject, such as weight_g=22",
    )
    add_data(check)
    check.add_argument("--strict", action="store_true", help="treat every warning as a mistake, with exit status 2")
    check.add_argument("--start", metavar="ISO", help="the date for the age of calibrations (default: today)")
    check.add_argument("--json", action="store_true", help="print the result as JSON")
