"""The arguments of ``rig board``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.boards.chips import CHIPS
from rig.cli.shared_arguments import add_baud, add_data, add_driver, add_json, add_params

STEPS = ("firmware", "wiring", "devices", "reflex", "lease", "cable")
"""The steps of ``rig board accept``, in their order."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_board(board: Parser) -> None:
    """Add the verbs of ``rig board``, each with its arguments."""
    verbs = board.verbs("rig.cli.board", "list")
    _list(
        verbs.add("list", "list serial ports, the board on each, and the program that uses it", "list:run", "--probe")
    )
    _check(verbs.add("check", "check computer, port and board, and print a fix for each error", "check:run", ""))
    _accept(verbs.add("accept", "accept a new rig: from the unpacked board to the first drop", "accept:run", "'box a'"))
    _flash(verbs.add("flash", "write the rig's firmware to a board", "flash:run", ""))
    _bench(verbs.add("bench", "measure how fast a board answers this computer", "bench:run", ""))
    _serve(verbs.add("serve", "serve a simulated board at a port, in real time", "serve:run", "nose_ports_uno"))


def add_screen(screen: Parser) -> None:
    """Add the arguments of ``rig screen``."""
    screen.runs("rig.cli.board.screen:run", "'box a'")
    screen.description = (
        "Show a line to measure with a ruler and marks to touch on a rig's screen, and print every touch. "
        "Closing the window, or Ctrl-C, ends it."
    )
    screen.add_argument("rig", help="the rig's name, or the path of its YAML file")


def _list(listing: Parser) -> None:
    listing.add_argument("--probe", action="store_true", help="identify each board; opening a port resets an Arduino")
    add_baud(listing)
    add_json(listing, "print the list as JSON")


def _check(check: Parser) -> None:
    check.description = (
        "Look at permissions, udev, ModemManager and FTDI chips, and identify the boards, which resets an "
        "Arduino. With --rig, test every input and output while you watch; a simulated rig needs no operator."
    )
    check.add_argument("--rig", help="the rig's name, or the path of its YAML file: test its inputs and outputs")
    add_driver(check)
    check.add_argument(
        "--subject", metavar="NAME", help="the animal in the rig, if there is one: rewards count for its day"
    )
    add_data(check)
    check.add_argument("--port", metavar="PORT", help="check only this port, or use it instead of the rig file's")
    add_json(check)


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
    add_json(accept, "print the result as JSON too")


def _flash(flash: Parser) -> None:
    flash.description = (
        "Build the firmware, or use the shipped one, and write it: to an Arduino with avrdude, to a Pico as a copy to "
        "its drive. A Pico is a drive when its button BOOTSEL was held while it was plugged in."
    )
    flash.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    flash.add_argument("--drive", metavar="DIR", help="the drive of a Pico (default: the only one)")
    flash.add_argument("--chip", choices=tuple(CHIPS), help="the board type (default: from its USB chip)")
    flash.add_argument("--hex", metavar="FILE", help="write this file: Intel HEX, or UF2 for a Pico")
    flash.add_argument("--dry-run", action="store_true", help="print the firmware and what would be done")


def _bench(bench: Parser) -> None:
    bench.description = (
        "Measure round trips and clock rate of a board; no wiring is needed. Of a simulated board, also "
        "measure the timing at its pins."
    )
    bench.add_argument(
        "--board", metavar="DRIVER", default="serial", help="the driver (default: serial); also sim, avr, pico"
    )
    bench.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    bench.add_argument("--chip", choices=tuple(CHIPS), help="the board type (default: the board's own)")
    add_baud(bench, "the driver's")
    bench.add_argument(
        "-n",
        type=int,
        metavar="N",
        help="number of measurements (default: 1000, and 10000 at the pins of a simulated board)",
    )
    bench.add_argument("--strict", action="store_true", help="exit with status 1 when a row of the table is not met")
    add_json(bench, "print everything as JSON")


def _serve(serve: Parser) -> None:
    serve.description = (
        "Serve a simulated board at a port, in real time: the firmware itself on a simulated Uno, Mega or Pico, wired "
        "as the rig file says. Other programs open it like a board on a serial port. The port is a pseudo-terminal; on "
        "Windows, or with --tcp, it is a TCP port of this computer, for one program at a time. Ctrl-C ends it."
    )
    serve.add_argument("rig", help="the rig's name, or the path of its YAML file")
    serve.add_argument(
        "--link", metavar="PATH", help="create this symbolic link to the port; the port's own name changes each time"
    )
    serve.add_argument(
        "--tcp",
        metavar="PORT",
        nargs="?",
        const="0",
        help="serve it at this TCP port (default: a free one), for programs of this computer; HOST:PORT for others too",
    )
    serve.add_argument(
        "--scale",
        metavar="PATH",
        help="also serve a scale under the valves, at a port with this name; with --tcp at this TCP port",
    )
    serve.add_argument(
        "--leads",
        action="store_true",
        help="move leads, a jumper and the cable by lines of standard input; `help` lists them",
    )
    serve.add_argument("--model", metavar="NAME", help="the virtual subject (default: the keyboard, at a terminal)")
    add_params(serve)
    serve.add_argument("--protocol", metavar="NAME", help="pass this protocol's hints to the model")
    serve.add_argument("--seed", type=int, default=1, help="random seed of the model (default: 1)")
