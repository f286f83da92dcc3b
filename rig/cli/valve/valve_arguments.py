"""The arguments of ``rig valve``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(valve: Parser) -> None:
    """Add the sub-commands of ``rig valve``, each with its arguments."""
    verbs = valve.verbs("rig.cli.valve", "prime 'box a' left right")
    _calibrate(
        verbs.add("calibrate", "weigh drops and write a new calibration file", "valve:run", "'box a' left right")
    )
    _check(
        verbs.add(
            "check", "weigh one burst; a calibration that still agrees counts as new", "valve:run", "'box a' left"
        )
    )
    _reward(verbs.add("reward", "give one drop", "valve:run", "'box a' left --ul 2.5"))
    _flush(verbs.add("flush", "rinse valves with long openings", "valve:run", "'box a' left right"), 60.0)
    _flush(
        verbs.add("prime", "fill the tubes with water, until a key is pressed", "valve:run", "'box a' left right"),
        60.0,
    )


def _rig(parser: Parser) -> None:
    parser.add_argument("rig", help="the rig's name, or the path of its YAML file")
    parser.add_argument("device", metavar="DEVICE", help="the device with the valve, such as left")
    _board(parser)


def _rigs(parser: Parser) -> None:
    parser.add_argument("rig", nargs="?", help="the rig's name, or the path of its YAML file")
    parser.add_argument(
        "device",
        nargs="*",
        metavar="DEVICE",
        help="its devices with a valve, such as left (default: all); then the next rig and its devices",
    )
    parser.add_argument("--all", action="store_true", help="all valves of all boxes of this computer (rig.toml)")
    _board(parser)


def _board(parser: Parser) -> None:
    parser.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, avr, serial")


def _weighing(parser: Parser) -> None:
    parser.add_argument(
        "--scale", metavar="PORT", help="read the scale at PORT, PORT:BAUD or PORT:BAUD:FRAME; sim: a simulated one"
    )
    parser.add_argument("--in-place", action="store_true", help="the vial stays on the scale, under the valve")
    parser.add_argument(
        "--water-c", type=float, default=20.0, metavar="C", help="temperature of the water (default: 20)"
    )
    parser.add_argument("--pulses", type=int, metavar="N", help="drops of each burst (default: 50 or more, 280 mg)")
    parser.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    parser.add_argument("--yes", action="store_true", help="say that no animal is in the rig")


def _calibrate(calibrate: Parser) -> None:
    calibrate.description = (
        "Weigh bursts of drops at three or more open times, in an order that hides a drift, one valve after the other. "
        "u takes the last weight back. Stopped in the middle, the same command goes on. An existing file is never "
        "changed."
    )
    _rigs(calibrate)
    _weighing(calibrate)
    calibrate.add_argument("--open-ms", metavar="MS,MS,…", help="open times (default: those of about 0.85 to 6.8 ul)")
    calibrate.add_argument("--repeats", type=int, default=2, metavar="N", help="bursts of each open time (default: 2)")
    calibrate.add_argument("--protocol", metavar="NAME", help="compare the valves at the rewards of this protocol")
    calibrate.add_argument(
        "--reward-ul", type=float, metavar="X", help="compare the valves at this volume (default: 2.5)"
    )
    calibrate.add_argument("--note", default="", metavar="TEXT", help="anything worth knowing: pressure, tube")
    calibrate.add_argument("--folder", metavar="DIR", help="where the file is written (default: beside the rig's)")
    calibrate.add_argument("--restart", action="store_true", help="start again; earlier weights stay in another file")
    add_data(calibrate)


def _check(check: Parser) -> None:
    check.description = (
        "Weigh one burst, and add a dated check to the calibration's file. Within 5 % it counts as new; beyond, each "
        "session on this valve needs a reason until a check passes or the valve is measured again."
    )
    _rig(check)
    _weighing(check)
    check.add_argument("--ul", type=float, metavar="X", help="volume of the drops (default: the middle of the curve)")


def _reward(reward: Parser) -> None:
    reward.description = "Give one drop. With --subject it is recorded, and counts for the animal's day."
    _rig(reward)
    reward.add_argument("--ul", type=float, required=True, metavar="X", help="volume of the drop in ul")
    reward.add_argument("--subject", metavar="NAME", help="the animal that gets it: it counts for its day")
    reward.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    reward.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
    add_data(reward)


def _flush(flush: Parser, seconds: float) -> None:
    flush.description = (
        "Open the valves again and again, one after the other. `prime`: a key says that water is there, and the next "
        "valve follows; `flush`: a key stops it. Ctrl-C stops all, and so does the board when the computer fails."
    )
    _rigs(flush)
    flush.add_argument(
        "--seconds", type=float, default=seconds, metavar="S", help=f"the longest time for each (default: {seconds:g})"
    )
    flush.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
