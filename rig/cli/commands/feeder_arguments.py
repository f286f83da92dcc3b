"""The arguments of ``rig feeder``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(feeder: Parser) -> None:
    """Add the sub-commands of ``rig feeder``, each with its arguments."""
    verbs = feeder.verbs("rig.cli.commands", "fill 'box a' left --pellets 400")
    test = verbs.add("test", "give pellets, and count them by the sensor", "feeder:run", "'box a' left")
    fill = verbs.add("fill", "record how many pellets a feeder holds now", "feeder:run", "'box a' left --pellets 400")
    stock = verbs.add("stock", "print how many pellets are left in each feeder", "feeder:run", "'box a'")
    for parser in (test, fill, stock):
        parser.add_argument("rig", help="the rig's name, or the path of its YAML file")
    for parser in (test, fill):
        parser.add_argument("device", metavar="DEVICE", help="the feeder, such as left_feeder")
    test.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, avr, serial")
    test.add_argument("--pellets", type=int, default=10, metavar="N", help="how many (default: 10)")
    test.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
    fill.add_argument(
        "--pellets", type=int, required=True, metavar="N", help="how many it holds, with those from before"
    )
    fill.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    for parser in (test, fill, stock):
        add_data(parser)
