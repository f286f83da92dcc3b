"""The arguments of ``rig board``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.boards.chips import CHIPS, USUAL_CHIP
from rig.cli.shared_arguments import add_data

STEPS = ("firmware", "wiring", "devices", "reflex", "lease", "cable")
"""The steps of ``rig board accept``, in their order."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(board: Parser) -> None:
    """Add the sub-commands of ``rig board``, each with its arguments."""
    what = board.add_subparsers(dest="what", metavar="WHAT", required=True)
    _list(what.add_parser("list", help="list serial ports, the board on each, and the program that uses it"))
    _check(what.add_parser("check", help="check computer, port and board, and print a fix for each error"))
    _accept(what.add_parser("accept", help="accept a new rig: from the unpacked board to the first drop"))
    _flash(what.add_parser("flash", help="write the rig's firmware to a board"))
    _bench(what.add_parser("bench", help="measure how fast a board answers this computer"))


def _list(listing: Parser) -> None:
    listing.add_argument("--probe", action="store_true", help="identify each board; opening a port resets an Arduino")
    listing.add_argument("--baud", type=int, default=500_000, metavar="N", help="baud rate (default: 500000)")
    listing.add_argument("--json", action="store_true", help="print the list as JSON")


def _check(check: Parser) -> None:
    check.description = (
        "Look at permissions, udev, ModemManager and FTDI chips, and identify the boards, which resets an "
        "Arduino. With --rig, test every input and output while you watch; a simulated rig needs no operator."
    )
    check.add_argument("--rig", help="the rig's name, or the path of its YAML file: test its inputs and outputs")
    check.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, serial")
    check.add_argument(
        "--subject", metavar="NAME", help="the animal in the rig, if there is one: rewards count for its day"
    )
    add_data(check)
    check.add_argument("--port", metavar="PORT", help="check only this port, or use it instead of the rig file's")
    check.add_argument("--json", action="store_true", help="print the result as JSON")


def _accept(accept: Parser) -> None:
    accept.description = (
        "Go through a rig's hardware with a person: firmware, wiring, every input and output, reflex latency through a "
        "jumper, a silent computer, a pulled cable. Stop at any time; the same line goes on with the next step. The "
        "results are written to a page to keep with the rig. No animal may be in the rig."
    )
    accept.add_argument("rig", help="the rig's or its box's name, or the path of its YAML file")
    accept.add_argument("--by", metavar="NAME", help="who signs the page (default: $RIG_EXPERIMENTER)")
    accept.add_argument("--port", metavar="PORT", help="use this port instead of the rig file's")
    accept.add_argument(
        "--into", metavar="DIR", default="acceptance", help="folder of the results (default: acceptance)"
    )
    accept.add_argument("--jumper", metavar="OUT:IN", help="two free pins for the jumper (default: the last free ones)")
    accept.add_argument("--max-ul", type=float, default=100.0, metavar="UL", help="the most water to give (100)")
    accept.add_argument("--step", choices=STEPS, help="do this step only, again")
    accept.add_argument("--from-start", action="store_true", help="forget earlier results")
    accept.add_argument("--flash", action="store_true", help="write the firmware even if the board has it")
    accept.add_argument("--json", action="store_true", help="print the result as JSON too")


def _flash(flash: Parser) -> None:
    flash.description = "Build the firmware, or use the shipped one, and write it with avrdude."
    flash.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    flash.add_argument("--chip", choices=tuple(CHIPS), help="the board type (default: from its USB chip)")
    flash.add_argument("--hex", metavar="FILE", help="write this file")
    flash.add_argument("--dry-run", action="store_true", help="print the firmware and the command; write nothing")


def _bench(bench: Parser) -> None:
    bench.description = (
        "Measure round trips and clock rate of a board; no wiring is needed. Of a simulated board, also "
        "measure the timing at its pins."
    )
    bench.add_argument(
        "--board", metavar="DRIVER", default="serial", help="the driver (default: serial); also sim, avr"
    )
    bench.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    bench.add_argument("--chip", choices=tuple(CHIPS), help=f"the board type (default: {USUAL_CHIP})")
    bench.add_argument("--baud", type=int, metavar="N", help="baud rate (default: the driver's)")
    bench.add_argument(
        "-n",
        type=int,
        metavar="N",
        help="number of measurements (default: 1000, and 10000 at the pins of a simulated board)",
    )
    bench.add_argument("--strict", action="store_true", help="exit with status 1 when a row of the table is not met")
    bench.add_argument("--json", action="store_true", help="print everything as JSON")
