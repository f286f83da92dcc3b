"""The command line: its commands, and the exit status that a command returns.

``--help``, ``--version`` and completion import few modules, because a person waits for them. A command's
``NAME_arguments`` module is imported when a line names the command; its ``NAME`` module is imported when it runs.
"""

from __future__ import annotations

import os
import sys

from rig import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser

COMMANDS = {
    "run": "run a session in real time",
    "boxes": "show the table of several running boxes again",
    "subject": "manage a subject's records",
    "valve": "calibrate, check, flush and prime valves, and give a drop by hand",
    "report": "write the report of a session, a subject or a day as one HTML file",
    "session": "see and control running sessions; move one to the right animal",
    "check": "find every mistake in protocol, rig and calibration files",
    "catalog": "list and search the sessions of all subjects",
    "demo": "watch a virtual mouse do a two-armed bandit session",
    "watch": "watch a session that another program runs",
    "sim": "run sessions of virtual subjects, as fast as possible",
    "study": "run a study of virtual subjects, or ask how many subjects an effect needs",
    "replay": "check that a protocol decides on a journal's inputs as recorded",
    "recover": "make the records of a crashed session readable again",
    "analyze": "analyze sessions; the columns of their tables select the analysis",
    "export": "write sessions to files of other programs",
    "align": "align another system's recording with a session; number a camera's frames",
    "show": "show protocols, their parameters and states, and other plugins",
    "board": "find, check, flash and benchmark boards",
    "feeder": "test pellet feeders, and keep their stock",
    "hopper": "time the cycles of a hopper, and record its grain",
    "serve-avr": "serve a simulated board at a port, in real time",
    "screen": "measure and test a rig's touch screen",
    "environments": "draw environments for tasks on a grid or a line",
    "completion": "print the shell code for completion",
}
"""The commands, each with its line of help; those of each day come first."""

_EPILOG = """exit status: 0 done, 1 the session failed after its first event (data kept) or a replay differs,
2 your input is wrong, 3 the hardware is missing or wrong, 130 stopped by the operator (data kept)"""


def build(words: Sequence[str] | None = None, *, run_files: bool = False) -> Parser:
    """Build the parser; only commands among the ``words`` of a line get their arguments.

    With ``run_files``, an analysis file of the laboratory that the line names is executed for its options.
    """
    from importlib import import_module

    from rig.cli.argparse_ext import Parser

    parser = Parser(prog="rig", description="Run behavioral experiments on real and simulated rigs.", epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"rig {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text)
        if words is None or name in words:
            import_module(f"{module_of(name)}_arguments").add_arguments(command)
            if name == "analyze":
                from rig.cli.analyze.analyze_options import add_options

                add_options(command, words or (), run_files=run_files)
    return parser


def module_of(command: str) -> str:
    """Return the module of a command; beside it, a module with the suffix ``_arguments`` adds its arguments."""
    folder = command if command in ("board", "session", "show", "valve") else "commands"
    return f"rig.cli.{folder}.{command.replace('-', '_')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status."""
    if "_ARGCOMPLETE" in os.environ:  # a shell requests completions
        from rig.cli.completion import answer

        answer(build(os.environ.get("COMP_LINE", "").split()))
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        print(f"rig {__version__}")
        return 0
    parser = build(words, run_files=True)
    if not words:
        parser.print_help()
        return 0
    arguments = parser.parse_args(words)
    from rig.cli.dispatch import dispatch

    return dispatch(arguments, module_of(arguments.command), last=argv is None)


if __name__ == "__main__":
    sys.exit(main())
