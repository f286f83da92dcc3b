"""The arguments of ``rig serve-avr``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(serve: Parser) -> None:
    """Add the arguments of ``rig serve-avr``."""
    serve.description = (
        "Serve a simulated board at a pseudo-terminal, in real time: the firmware itself on a simulated Uno or Mega, "
        "wired as the rig file says. Other programs open it like a board on a port. Ctrl-C ends it."
    )
    serve.add_argument("rig", help="the rig's name, or the path of its YAML file")
    serve.add_argument(
        "--link", metavar="PATH", help="create this symbolic link to the port; the port's own name changes each time"
    )
    serve.add_argument("--scale", metavar="PATH", help="also serve a scale under the valves, at a port with this name")
    serve.add_argument(
        "--leads",
        action="store_true",
        help="move leads, a jumper and the cable by lines of standard input; `help` lists them",
    )
    serve.add_argument("--model", metavar="NAME", help="the virtual subject (default: the keyboard, at a terminal)")
    serve.add_argument("--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model")
    serve.add_argument("--protocol", metavar="NAME", help="pass this protocol's hints to the model")
    serve.add_argument("--seed", type=int, default=1, help="random seed of the model (default: 1)")
