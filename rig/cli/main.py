"""The command line: its commands, and the exit status that a command returns.

``--help``, ``--version`` and completion import few modules, because a person waits for them. The function that adds a
command's arguments is imported when a line names the command; the function that runs it, when it runs.
"""

from __future__ import annotations

import os
import sys

from rig import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser

GROUPS = {
    "each day": {
        "run": ("rig.cli.run.arguments:add_run", "run a session in real time"),
        "boxes": ("rig.cli.boxes.arguments:add_boxes", "start and control several boxes in a window, the launcher"),
        "session": ("rig.cli.session.arguments:add_session", "see, control and correct sessions"),
        "subject": ("rig.cli.subject.arguments:add_subject", "weigh and feed subjects, and manage their records"),
        "device": ("rig.cli.device.arguments:add_arguments", "calibrate, check, flush, fill and test devices"),
        "report": ("rig.cli.records.arguments:add_report", "write the report of a session, a subject or a day"),
        "catalog": ("rig.cli.records.arguments:add_catalog", "list and search the sessions of all subjects"),
    },
    "designing experiments": {
        "check": ("rig.cli.check.arguments:add_check", "find every mistake in protocol, rig and calibration files"),
        "sim": ("rig.cli.sim.arguments:add_sim", "run sessions of virtual subjects, as fast as possible"),
        "study": ("rig.cli.study.arguments:add_study", "run a study of virtual subjects, or ask for its power"),
        "show": ("rig.cli.show.arguments:add_show", "show protocols, their parameters and states, and other plugins"),
        "demo": ("rig.cli.sim.arguments:add_demo", "watch a virtual mouse do a session, and see its report"),
    },
    "recorded data": {
        "analyze": ("rig.cli.analyze.arguments:add_analyze", "analyze sessions by the columns of their tables"),
        "export": ("rig.cli.export.arguments:add_export", "write sessions to files of other programs"),
        "align": ("rig.cli.align.arguments:add_align", "align another system's recording with a session"),
        "replay": ("rig.cli.records.arguments:add_replay", "check that a protocol decides as recorded"),
        "recover": ("rig.cli.records.arguments:add_recover", "make the records of a crashed session readable again"),
        "watch": ("rig.cli.records.arguments:add_watch", "watch a session that another program runs"),
    },
    "boards and this computer": {
        "board": ("rig.cli.board.arguments:add_board", "find, check, flash, benchmark and simulate boards"),
        "screen": ("rig.cli.board.arguments:add_screen", "measure and test a rig's touch screen"),
        "self-test": ("rig.cli.self_test.arguments:add_self_test", "check this program, its records and this computer"),
        "completion": ("rig.cli.completion:add_completion", "print the shell code for completion"),
    },
}
"""The commands under the headings of the help: what adds the arguments of each, and its line of help."""

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def build(words: Sequence[str] | None = None, *, run_files: bool = False) -> Parser:
    """Build the parser; only commands among the ``words`` of a line get their arguments.

    With ``run_files``, an analysis file of the laboratory that the line names is executed for its options.
    """
    from importlib import import_module

    from rig.cli.argparse_ext import Parser
    from rig.system.statuses import MEANINGS

    statuses = "exit status: " + "; ".join(f"{status} {meaning}" for status, meaning in MEANINGS.items())
    parser = Parser(prog="rig", description="Run behavioral experiments on real and simulated rigs.", epilog=statuses)
    parser.add_argument("--version", action="version", version=f"rig {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    parser.groups = {heading: {name: line for name, (_, line) in group.items()} for heading, group in GROUPS.items()}
    for name, (function, _) in COMMANDS.items():
        command = commands.add_parser(name)
        if words is None or name in words:
            module, _, add = function.partition(":")
            arguments = import_module(module)
            getattr(arguments, add)(command)
            if (add_options := getattr(arguments, "add_options_of_plugins", None)) is not None:
                add_options(command, words or (), run_files=run_files)
    if not words or words[0] not in COMMANDS:
        from rig.cli.contributed import add_contributed

        parser.groups |= {"of experiments": add_contributed(commands, words, completes=not run_files)}
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status."""
    if "_ARGCOMPLETE" in os.environ:  # a shell requests completions
        from rig.cli.completion import answer

        answer(build(os.environ.get("COMP_LINE", "").split()[1:]))
    typed = sys.argv[1:] if argv is None else list(argv)
    if typed == ["--version"]:
        print(f"rig {__version__}")
        return 0
    from rig.platform.command_line import expanded

    words = expanded(typed)
    parser = build(words, run_files=True)
    if not words:
        parser.print_help()
        return 0
    arguments = parser.parse_args(words)
    from rig.cli.dispatch import dispatch
    from rig.system.threads import use_one_thread

    use_one_thread()  # before any command loads numpy
    return dispatch(arguments, last=argv is None)


if __name__ == "__main__":
    sys.exit(main())
