"""The arguments of ``rig hopper``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(hopper: Parser) -> None:
    """Add the sub-commands of ``rig hopper``, each with its arguments."""
    verbs = hopper.verbs("rig.cli.commands", "test 'box a' hopper")
    test = verbs.add(
        "test", "raise a hopper some times, and time each cycle by the board's clock", "hopper:run", "'box a' hopper"
    )
    fill = verbs.add("fill", "record how much grain a hopper holds now", "hopper:run", "'box a' hopper --grain-g 50")
    for parser in (test, fill):
        parser.add_argument("rig", help="the rig's name, or the path of its YAML file")
        parser.add_argument("device", metavar="DEVICE", help="the hopper, such as hopper")
    test.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, avr, serial")
    test.add_argument("--cycles", type=int, default=5, metavar="N", help="how many times (default: 5)")
    test.add_argument("--up-s", type=float, default=3.0, metavar="S", help="seconds up (default: 3)")
    test.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
    fill.add_argument("--grain-g", type=float, required=True, metavar="G", help="grain in it, in g")
    fill.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(fill)
