"""The verbs of valves, feeders and hoppers, with their options. Import nothing heavy: ``--help`` reads it."""

from __future__ import annotations

from rig.maintenance.verb import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser as Parser


class Calibrate(Verb):
    """Weigh bursts of drops, and write a calibration file for each valve."""

    help = "weigh drops and write a new calibration file"
    description = (
        "Weigh bursts of drops at three or more open times, in an order that hides a drift, one valve after the other. "
        "u takes the last weight back. Stopped in the middle, the same command goes on. An existing file is never "
        "changed."
    )
    example = "'box a' left right"
    names = "rigs"
    part = "valve"
    is_calibrated = False
    has_records = True
    work = "rig.maintenance.valves.calibrate:calibrate"

    def add_arguments(self, parser: Parser) -> None:
        """Add the options of weighing, and those of the curve."""
        _add_weighing(parser)
        parser.add_argument("--open-ms", metavar="MS,MS,…", help="open times (default: those of about 0.85 to 6.8 ul)")
        parser.add_argument("--repeats", type=int, default=2, metavar="N", help="bursts of each open time (default: 2)")
        parser.add_argument("--protocol", metavar="NAME", help="compare the valves at the rewards of this protocol")
        parser.add_argument(
            "--reward-ul", type=float, metavar="X", help="compare the valves at this volume (default: 2.5)"
        )
        parser.add_argument("--note", default="", metavar="TEXT", help="anything worth knowing: pressure, tube")
        parser.add_argument("--folder", metavar="DIR", help="where the file is written (default: beside the rig's)")
        parser.add_argument("--restart", action="store_true", help="start again; earlier weights stay in another file")


class Check(Verb):
    """Weigh one burst, and add the check to the calibration."""

    help = "weigh one burst; a calibration that still agrees counts as new"
    description = (
        "Weigh one burst, and add a dated check to the calibration's file. Within 5 % it counts as new; beyond, each "
        "session on this valve needs a reason until a check passes or the valve is measured again."
    )
    part = "valve"
    work = "rig.maintenance.valves.check:check"

    def add_arguments(self, parser: Parser) -> None:
        """Add the options of weighing, and the volume."""
        _add_weighing(parser)
        parser.add_argument("--ul", type=float, metavar="X", help="volume of the drops (default: middle of the curve)")


class Reward(Verb):
    """Give one drop by hand."""

    help = "give one drop"
    description = "Give one drop. With --subject it is recorded, and counts for the animal's day."
    example = "'box a' left --ul 2.5"
    part = "valve"
    has_records = True
    work = "rig.maintenance.valves.reward:reward"

    def add_arguments(self, parser: Parser) -> None:
        """Add the volume, and the animal that gets it."""
        parser.add_argument("--ul", type=float, required=True, metavar="X", help="volume of the drop in ul")
        parser.add_argument("--subject", metavar="NAME", help="the animal that gets it: it counts for its day")
        _add_by(parser)


class Flush(Verb):
    """Rinse valves for a bounded time."""

    help = "rinse valves with long openings"
    description = (
        "Open the valves again and again, one after the other. `prime`: a key says that water is there, and the next "
        "valve follows; `flush`: a key stops it. Ctrl-C stops all, and so does the board when the computer fails."
    )
    example = "'box a' left right"
    names = "rigs"
    part = "valve"
    is_calibrated = False
    work = "rig.maintenance.valves.flush:flush"

    def add_arguments(self, parser: Parser) -> None:
        """Add the longest time."""
        parser.add_argument(
            "--seconds", type=float, default=60.0, metavar="S", help="the longest time for each (default: 60)"
        )


class Prime(Flush):
    """Fill the tubes of valves; a key says that water is there."""

    help = "fill the tubes with water, until a key is pressed"
    work = "rig.maintenance.valves.flush:prime"


class PelletTest(Verb):
    """Give pellets, and count them by the feeder's sensor."""

    help = "give pellets, and count them by the sensor"
    example = "'box a' left_feeder"
    needs_timing = False
    has_records = True
    work = "rig.maintenance.feeder:give_test_pellets"

    def add_arguments(self, parser: Parser) -> None:
        """Add the number of pellets."""
        parser.add_argument("--pellets", type=int, default=10, metavar="N", help="how many (default: 10)")


class Cycles(Verb):
    """Raise a hopper some times, and time each cycle."""

    help = "raise a hopper some times, and time each cycle by the board's clock"
    example = "'box a' hopper"
    work = "rig.maintenance.hopper:time_cycles"

    def add_arguments(self, parser: Parser) -> None:
        """Add the number of cycles and their length."""
        parser.add_argument("--cycles", type=int, default=5, metavar="N", help="how many times (default: 5)")
        parser.add_argument("--up-s", type=float, default=3.0, metavar="S", help="seconds up (default: 3)")


class Fill(Verb):
    """Record what a feeder or a hopper holds."""

    help = "record how much a feeder or a hopper holds now"
    example = "'box a' left_feeder --pellets 400"
    opens_board = False
    has_records = True
    work = "rig.maintenance.stock:fill"

    def add_arguments(self, parser: Parser) -> None:
        """Add the amount and the person."""
        amount = parser.add_mutually_exclusive_group(required=True)
        amount.add_argument("--pellets", type=int, metavar="N", help="pellets in the feeder, with those from before")
        amount.add_argument("--grain-g", type=float, metavar="G", help="grain in the hopper, in g")
        _add_by(parser)


class Stock(Verb):
    """Print how many pellets are left."""

    help = "print how many pellets are left in each feeder"
    example = "'box a'"
    names = "devices"
    opens_board = False
    has_records = True
    work = "rig.maintenance.stock:print_stock"


def _add_weighing(parser: Parser) -> None:
    parser.add_argument(
        "--scale", metavar="PORT", help="read the scale at PORT, PORT:BAUD or PORT:BAUD:FRAME; sim: a simulated one"
    )
    parser.add_argument("--in-place", action="store_true", help="the vial stays on the scale, under the valve")
    parser.add_argument(
        "--water-c", type=float, default=20.0, metavar="C", help="temperature of the water (default: 20)"
    )
    parser.add_argument("--pulses", type=int, metavar="N", help="drops of each burst (default: 50 or more, 280 mg)")
    _add_by(parser)


def _add_by(parser: Parser) -> None:
    parser.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
