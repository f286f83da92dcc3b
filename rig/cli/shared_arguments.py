"""Arguments that several commands have."""

from __future__ import annotations

from argparse import ArgumentTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _ActionsContainer as Arguments

    from rig.cli.argparse_ext import Parser


class SessionGroups:
    """The groups of the arguments of a session, as its help page shows them."""

    def __init__(self, parser: Parser) -> None:
        self.task = parser.add_argument_group("what runs")
        self.subject = parser.add_argument_group("the subject")
        self.virtual = parser.add_argument_group("a simulated session")
        self.records = parser.add_argument_group("records and display")


def add_data(parser: Arguments) -> None:
    """Add ``--data``, the folder of the records."""
    parser.add_argument(
        "--data", metavar="DIR", help="folder of the records (default: $RIG_DATA, else that of rig.toml, else ./data)"
    )


def add_baud(parser: Arguments, usual: str = "500000") -> None:
    """Add ``--baud``, the speed of the line to a board; None is its ``usual`` one."""
    parser.add_argument("--baud", type=baud, metavar="N", help=f"baud rate (default: {usual})")


def baud(text: str) -> int:
    """Return the speed that a text names. Raises ``ValueError``, or ``ArgumentTypeError`` for one that does harm."""
    # Not above: completion reads this file, and needs nothing of boards.
    from rig.boards.baud import check_baud

    speed = int(text)
    try:
        return check_baud(speed)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def add_json(parser: Arguments, text: str = "print the result as JSON") -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help=text)


def add_jobs(parser: Arguments) -> None:
    """Add ``--jobs``, the number of processes."""
    text = "number of processes (default: one less than the processors); results do not depend on it"
    parser.add_argument("--jobs", type=int, metavar="J", help=text)


def add_by(parser: Arguments) -> None:
    """Add ``--by``, the person responsible."""
    parser.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")


def add_reason(parser: Arguments, text: str = "the reason; recorded") -> None:
    """Add ``--reason``, which must be given."""
    parser.add_argument("--reason", required=True, metavar="WHY", help=text)


def add_params(parser: Arguments) -> None:
    """Add ``--param``, a parameter of the virtual subject."""
    parser.add_argument(
        "--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model: --param tau=2"
    )


def add_set(parser: Arguments) -> None:
    """Add ``--set``, a value in place of that of a file."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change one value: --set params.p_high=0.9"
    )


def add_facts(parser: Arguments) -> None:
    """Add ``--fact``, what a simulated session takes as known of its subject."""
    text = "what is taken as known of the subject, such as weight_g=22"
    parser.add_argument("--fact", action="append", default=[], metavar="KEY=VALUE", help=text)


def add_driver(parser: Arguments) -> None:
    """Add ``--board``, a driver in place of that of the rig's file."""
    text = "use this driver instead of the rig file's: sim, avr, pico, serial"
    parser.add_argument("--board", metavar="DRIVER", help=text)


def add_window(parser: Arguments) -> None:
    """Add ``--window`` and ``--theme``."""
    parser.add_argument(
        "--window", action="store_true", help="show a window too (pip install 'behavior-rig[gui]'); q closes it"
    )
    add_theme(parser)


def add_theme(parser: Arguments) -> None:
    """Add ``--theme``."""
    parser.add_argument(
        "--theme", choices=("system", "light", "dark"), default="system", help="the colors of the window"
    )


def add_session(parser: Parser) -> SessionGroups:
    """Add what ``rig run`` and ``rig sim`` share: protocol, rig, subject, model and values; return their groups."""
    groups = SessionGroups(parser)
    task, virtual = groups.task, groups.virtual
    task.add_argument("protocol", nargs="?", help="a protocol's name, or the path of its YAML file")
    task.add_argument(
        "--curriculum",
        metavar="NAME",
        help="use a curriculum instead (name or file); the subject's records select the stage",
    )
    task.add_argument("--rig", help="the rig's or its box's name, or the path of its YAML file")
    add_driver(task)
    add_set(task)
    groups.subject.add_argument("--subject", metavar="NAME", help="the subject's name")
    virtual.add_argument("--model", metavar="NAME", help="the virtual subject: a name, or ./mouse.py:Mouse")
    add_params(virtual)
    virtual.add_argument(
        "--from-records", action="store_true", help="start the simulated session from the real subject's records"
    )
    virtual.add_argument("--start", metavar="ISO", help="start time, such as 2026-11-21T09:00 (default: now)")
    add_json(groups.records, "print the summary as JSON")
    add_data(groups.records)
    return groups
