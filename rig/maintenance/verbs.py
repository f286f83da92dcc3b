"""The verbs of valves, feeders and hoppers, with their options. Import nothing heavy: ``--help`` reads it."""

from __future__ import annotations

from rig.maintenance.verb import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from argparse import ArgumentParser as Parser
    from collections.abc import Sequence

    from rig.devices.base import Device
    from rig.maintenance.bench import Bench


class _ValveVerb(Verb):
    """A verb of a valve, also of one that is a part of a port."""

    def missing_part(self, device: Device) -> str:
        """Return ``valve`` for a port without one."""
        from rig.maintenance.valves.target import valve_output

        return "" if valve_output(device) else "valve"


class Calibrate(_ValveVerb):
    """Weigh bursts of drops, and write a calibration file for each valve."""

    help = "weigh drops and write a new calibration file"
    description = (
        "Weigh bursts of drops at three or more open times, in an order that hides a drift, one valve after the other. "
        "u takes the last weight back. Stopped in the middle, the same command goes on. An existing file is never "
        "changed."
    )
    names = "rigs"
    is_calibrated = False
    has_records = True

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

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Run the measurement of one rig."""
        return self.run_all([bench], arguments)

    def run_all(self, benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
        """Run the measurement of one rig after the other."""
        from rig.maintenance.valves.calibrate import calibrate

        return calibrate(benches, arguments)


class Check(_ValveVerb):
    """Weigh one burst, and add the check to the calibration."""

    help = "weigh one burst; a calibration that still agrees counts as new"
    description = (
        "Weigh one burst, and add a dated check to the calibration's file. Within 5 % it counts as new; beyond, each "
        "session on this valve needs a reason until a check passes or the valve is measured again."
    )

    def add_arguments(self, parser: Parser) -> None:
        """Add the options of weighing, and the volume."""
        _add_weighing(parser)
        parser.add_argument("--ul", type=float, metavar="X", help="volume of the drops (default: middle of the curve)")

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Check the calibration of one valve."""
        from rig.maintenance.valves.check import check

        return check(bench, arguments)


class Reward(_ValveVerb):
    """Give one drop by hand."""

    help = "give one drop"
    description = "Give one drop. With --subject it is recorded, and counts for the animal's day."
    has_records = True

    def add_arguments(self, parser: Parser) -> None:
        """Add the volume, and the animal that gets it."""
        parser.add_argument("--ul", type=float, required=True, metavar="X", help="volume of the drop in ul")
        parser.add_argument("--subject", metavar="NAME", help="the animal that gets it: it counts for its day")
        _add_by(parser)

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Send the drop."""
        from rig.maintenance.valves.reward import reward

        return reward(bench, arguments)


class Flush(_ValveVerb):
    """Rinse valves for a bounded time."""

    help = "rinse valves with long openings"
    description = (
        "Open the valves again and again, one after the other. `prime`: a key says that water is there, and the next "
        "valve follows; `flush`: a key stops it. Ctrl-C stops all, and so does the board when the computer fails."
    )
    names = "rigs"
    is_calibrated = False
    goes_on = False
    """Whether a key goes on to the next valve."""

    def add_arguments(self, parser: Parser) -> None:
        """Add the longest time."""
        parser.add_argument(
            "--seconds", type=float, default=60.0, metavar="S", help="the longest time for each (default: 60)"
        )

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Run water through the valves of one rig."""
        return self.run_all([bench], arguments)

    def run_all(self, benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
        """Run water through the valves of one rig after the other."""
        from rig.maintenance.valves.flush import flush

        return flush(benches, arguments.seconds, key_goes_on=self.goes_on)


class Prime(Flush):
    """Fill the tubes of valves; a key says that water is there."""

    help = "fill the tubes with water, until a key is pressed"
    goes_on = True


class PelletTest(Verb):
    """Give pellets, and count them by the feeder's sensor."""

    help = "give pellets, and count them by the sensor"
    needs_timing = False
    has_records = True

    def add_arguments(self, parser: Parser) -> None:
        """Add the number of pellets."""
        parser.add_argument("--pellets", type=int, default=10, metavar="N", help="how many (default: 10)")

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Run one feeder."""
        from rig.maintenance.feeder import give_test_pellets

        return give_test_pellets(bench, arguments.pellets)


class Cycles(Verb):
    """Raise a hopper some times, and time each cycle."""

    help = "raise a hopper some times, and time each cycle by the board's clock"

    def add_arguments(self, parser: Parser) -> None:
        """Add the number of cycles and their length."""
        parser.add_argument("--cycles", type=int, default=5, metavar="N", help="how many times (default: 5)")
        parser.add_argument("--up-s", type=float, default=3.0, metavar="S", help="seconds up (default: 3)")

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Run one hopper."""
        from rig.maintenance.hopper import time_cycles

        return time_cycles(bench, arguments.cycles, arguments.up_s)


class Fill(Verb):
    """Record what a feeder or a hopper holds."""

    help = "record how much a feeder or a hopper holds now"
    opens_board = False
    has_records = True

    def add_arguments(self, parser: Parser) -> None:
        """Add the amount and the person."""
        amount = parser.add_mutually_exclusive_group(required=True)
        amount.add_argument("--pellets", type=int, metavar="N", help="pellets in the feeder, with those from before")
        amount.add_argument("--grain-g", type=float, metavar="G", help="grain in the hopper, in g")
        _add_by(parser)

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Record the filling of one device."""
        from rig.maintenance.stock import fill

        return fill(bench, arguments)


class Stock(Verb):
    """Print how many pellets are left."""

    help = "print how many pellets are left in each feeder"
    names = "devices"
    opens_board = False
    has_records = True

    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Print the stock of the feeders of a rig."""
        from rig.maintenance.stock import print_stock

        return print_stock(bench)


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
