"""The command line: what can be asked for, and what comes back as an exit status.

A person waits for ``--help``, ``--version`` and the completion of a word: they import next to nothing. A command's
arguments are added when a line names it, and its own module is imported when it runs.
"""

from __future__ import annotations

import os
import sys

from rig import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser

_EPILOG = """exit status: 0 done, 1 the session failed after its first event (data kept) or a replay differs,
2 your input is wrong, 3 the hardware is not there or not right, 130 stopped by the operator (data kept)"""


def build(words: Sequence[str] | None = None, *, run_files: bool = False) -> Parser:
    """Build the parser; of a command that is not among the ``words`` of a line it has only the name and the help.

    ``run_files``: a laboratory's analysis that the line names is executed, for its options.
    """
    from rig.cli.argparse_ext import Parser

    parser = Parser(prog="rig", description="Run behavioral experiments on real and simulated rigs.", epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"rig {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name, (text, add_arguments) in _COMMANDS.items():
        command = commands.add_parser(name, help=text)
        if words is None or name in words:
            add_arguments(command)
            if name == "analyze":
                from rig.cli.commands.analyze_options import add_options

                add_options(command, words or (), run_files=run_files)
    return parser


def _demo(demo: Parser) -> None:
    _data(demo)
    demo.add_argument("--seed", type=int, default=1, help="random seed of the session (default: 1)")
    demo.add_argument("--speed", default="600", help="max, or how many times real time (default: 600)")


def _protocol(parser: Parser) -> None:
    parser.add_argument("protocol", nargs="?", help="a protocol's name, or the path of its YAML file")
    parser.add_argument("--curriculum", metavar="NAME", help="instead: its name or file; the records choose the stage")
    parser.add_argument("--rig", help="the rig's name, or the path of its YAML file")
    parser.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, avr, serial")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change one value: --set params.p_high=0.9"
    )
    parser.add_argument("--model", metavar="NAME", help="the virtual subject: a name, or ./mouse.py:Mouse")
    parser.add_argument(
        "--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model: --param tau=2"
    )
    parser.add_argument("--subject", metavar="NAME", help="who does the task")
    parser.add_argument(
        "--from-records", action="store_true", help="a simulated session begins where the real subject's records end"
    )
    parser.add_argument("--start", metavar="ISO", help="when it begins, such as 2026-11-21T09:00 (default: now)")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    _data(parser)


def _data(parser: Parser) -> None:
    parser.add_argument("--data", metavar="DIR", help="where records go (default: $RIG_DATA, else ./data)")


def _run(run: Parser) -> None:
    run.description = (
        "Run a session in real time. On a simulated board the keys of the terminal are the ports: "
        "a, s, d (or the arrows) poke left, center, right; q stops."
    )
    _protocol(run)
    run.add_argument("--seed", type=int, help="random seed of the session (default: drawn, and written in the header)")
    run.add_argument("--yes", action="store_true", help="begin without asking whether it is the right subject")
    run.add_argument("--experimenter", metavar="NAME", help="who runs it (default: $RIG_EXPERIMENTER, else the login)")
    run.add_argument("--weight-g", metavar="G", help="what the subject weighs today, in grams")
    run.add_argument("--skip-weight", metavar="REASON", help="why it is not weighed; written down")
    run.add_argument("--stage", metavar="NAME", help="the curriculum's stage, chosen by hand; give a reason")
    run.add_argument("--stage-reason", metavar="WHY", help="why that stage; written down")
    run.add_argument("--new", action="store_true", help="a subject of this name has no records yet")
    run.add_argument(
        "--daily-limit", action="append", default=[], metavar="AMOUNT", help="so much today: 2500ul, 400pellets, 900s"
    )
    run.add_argument("--daily-limit-reason", metavar="WHY", help="why its daily limit is another one; written down")
    run.add_argument(
        "--allow-underweight", metavar="REASON", help="why it may run although it is too light; written down"
    )


def _watch(watch: Parser) -> None:
    watch.description = (
        "Watch a session that another program runs on this computer, or that has ended. Ctrl-C leaves it."
    )
    watch.add_argument(
        "session", nargs="?", metavar="SESSION", help="a session's folder, or its journal (default: the newest one)"
    )
    _data(watch)


def _sim(sim: Parser) -> None:
    _protocol(sim)
    sim.add_argument("--seed", type=int, default=1, help="random seed of the campaign; one session takes it as it is")
    sim.add_argument("--subjects", type=int, metavar="N", help="so many subjects, sim001, sim002, ...")
    sim.add_argument(
        *("--sessions", "--days"),
        type=int,
        default=1,
        metavar="N",
        help="sessions of each subject, on consecutive days; without any subject named, each of a new one",
    )
    sim.add_argument("--start-day", type=int, default=1, metavar="N", help="the day to go on with (default: 1)")
    sim.add_argument("--jobs", type=int, default=1, metavar="J", help="processes; results do not depend on it")
    sim.add_argument("--speed", default="max", help="max, or how many times real time (default: max)")


def _check(check: Parser) -> None:
    check.description = (
        "Find every mistake in protocol, rig and calibration files, and rehearse the protocols for a "
        "few simulated minutes. Nothing is written and no board is touched."
    )
    check.add_argument("files", nargs="*", metavar="FILE", help="YAML files, or names of shipped ones")
    check.add_argument("--explain", nargs="?", const="", metavar="KEY", help="where a value came from; all without KEY")
    check.add_argument("--rig", help="check the protocols on this rig")
    check.add_argument("--board", metavar="DRIVER", help="as if the rig file named this driver")
    check.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="with one value changed")
    check.add_argument("--model", metavar="NAME", help="the virtual subject (default: random_explorer)")
    check.add_argument("--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model")
    check.add_argument("--start", metavar="ISO", help="the day on which calibrations must be fresh (default: today)")
    check.add_argument("--json", action="store_true", help="print what was found as JSON")


def _replay(replay: Parser) -> None:
    replay.description = (
        "Replay sessions with the installed protocol. A laboratory's own file runs from the copy in a session's "
        "folder, only with --trust, and only if it is what was recorded."
    )
    replay.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder, or its journal")
    replay.add_argument(
        "--any-version", action="store_true", help="replay although the installed protocol is not the recorded version"
    )
    replay.add_argument("--trust", action="store_true", help="run the code in the sessions' folders; read it first")
    replay.add_argument("--json", action="store_true", help="print the result as JSON")


def _recover(recover: Parser) -> None:
    recover.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder")
    recover.add_argument("--json", action="store_true", help="print what was found as JSON")


def _analyze(analyze: Parser) -> None:
    analyze.add_argument(
        "sessions",
        nargs="+",
        metavar="SESSION",
        help="a session's folder, its journal, or a CSV file that an analysis reads",
    )
    analyze.add_argument("--figures", metavar="DIR", help="draw figures there, as PNG")
    analyze.add_argument("--json", action="store_true", help="print everything as JSON")
    analyze.add_argument(
        "--analysis", metavar="NAME", help="an analysis, or ./mine.py:Mine (default: the one that suits the columns)"
    )


def _show(show: Parser) -> None:
    what = show.add_subparsers(dest="what", metavar="WHAT", required=True)
    schema = what.add_parser("schema", help="a JSON Schema for editors and scripts: of a protocol's files, rig, ...")
    schema.add_argument(
        "of",
        metavar="OF",
        help="a protocol, its file.py:Class or a YAML file; rig, calibration, curriculum, subject, lab or summary",
    )
    protocols = what.add_parser("protocols", help="the protocols there are, installed or here, and their YAML files")
    protocols.add_argument("--template", metavar="NAME", help="write NAME.py and NAME.yaml: a task to grow from")
    protocols.add_argument("--into", metavar="DIR", help="write them there (default: here)")
    curricula = what.add_parser("curricula", help="the curricula there are, and their stages")
    models = what.add_parser("models", help="the virtual subjects there are")
    boards = what.add_parser("boards", help="the drivers of boards there are")
    analyses = what.add_parser("analyses", help="the analyses there are, and the columns that each needs")
    for listing in (protocols, curricula, models, boards, analyses):
        listing.add_argument("--json", action="store_true", help="print the list as JSON")
    graph = what.add_parser("graph", help="its states, and where each may go")
    graph.add_argument("protocol", help="a protocol's name")
    graph.add_argument("--mermaid", action="store_true", help="in Mermaid's language")
    params = what.add_parser("params", help="its parameters: defaults, units, bounds, and sources in the literature")
    params.add_argument("protocol", help="a protocol's name, its file.py:Class, or the path of a YAML file")
    params.add_argument("--json", action="store_true", help="print them as JSON")


def _subject(subject: Parser) -> None:
    what = subject.add_subparsers(dest="what", metavar="WHAT", required=True)
    rebuild = what.add_parser("rebuild", help="make a lost state.json anew from the journals")
    why = what.add_parser("why", help="which rule of its curriculum chose its stage, from which sessions")
    why.add_argument("--curriculum", metavar="NAME", help="its name or file (default: that of the newest session)")
    why.add_argument("--json", action="store_true", help="print it as JSON")
    given = what.add_parser("given", help="write down what it got by hand, or what a session gave that nobody knows")
    given.add_argument("subject", help="the subject's name")
    given.add_argument("amount", nargs="+", metavar="AMOUNT", help="how much: 50ul, 3pellets, 2.5s")
    given.add_argument("--session", metavar="SESSION", help="so much was given in it: such as 2026-11-21/002")
    given.add_argument("--reason", required=True, metavar="WHY", help="why, or how that is known; written down")
    given.add_argument("--by", metavar="NAME", help="who says so (default: $RIG_EXPERIMENTER)")
    _data(given)
    form = what.add_parser(
        "form", help="ask a person for gender, age, ethnicity and grade average, apart from all records"
    )
    forget = what.add_parser("forget", help="delete what a person has said there; sessions are kept")
    for simulated in (rebuild, why):
        simulated.add_argument("--sim", action="store_true", help="of the simulated subject of that name")
    for of_subject in (rebuild, why, form, forget):
        of_subject.add_argument("subject", help="the subject's name")
        _data(of_subject)


def _board(board: Parser) -> None:
    what = board.add_subparsers(dest="what", metavar="WHAT", required=True)
    listing = what.add_parser("list", help="the serial ports, what is behind each, and which program has it")
    listing.add_argument("--probe", action="store_true", help="ask each who it is; opening a port resets an Arduino")
    listing.add_argument("--baud", type=int, default=500_000, metavar="N", help="at this speed (default: 500000)")
    listing.add_argument("--json", action="store_true", help="print the list as JSON")
    check = what.add_parser("check", help="what is wrong with computer, port and board, and the line that helps")
    check.description = (
        "Look at permissions, udev, ModemManager and FTDI chips, and ask the boards who they are, which resets an "
        "Arduino. With --rig every input and output is tried while you watch; a simulated rig is tried by itself."
    )
    check.add_argument("--rig", help="the rig's name, or the path of its YAML file: try its inputs and outputs")
    check.add_argument("--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, serial")
    check.add_argument("--subject", metavar="NAME", help="the animal in the rig, if there is one: what is given counts")
    _data(check)
    check.add_argument("--port", metavar="PORT", help="look at this port alone, or use it instead of the rig file's")
    check.add_argument("--json", action="store_true", help="print what was found as JSON")
    flash = what.add_parser("flash", help="put the rig's firmware on a board")
    flash.description = "Build the firmware, or take the one that is shipped, and write it with avrdude."
    flash.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    flash.add_argument("--chip", choices=("uno", "mega"), help="which board it is (default: as its USB chip says)")
    flash.add_argument("--hex", metavar="FILE", help="write this file")
    flash.add_argument("--dry-run", action="store_true", help="only say what would be written, and the command")
    bench = what.add_parser("bench", help="how fast a board answers this computer")
    bench.description = (
        "Measure the round trips of a board to which nothing needs to be wired, and its clock; of a simulated board "
        "also all that happens at its pins."
    )
    bench.add_argument(
        "--board", metavar="DRIVER", default="serial", help="the driver (default: serial); also sim, avr"
    )
    bench.add_argument("--port", metavar="PORT", help="the board's port (default: the only one)")
    bench.add_argument("--chip", choices=("uno", "mega"), help="which board it is (default: uno)")
    bench.add_argument("--baud", type=int, metavar="N", help="at this speed (default: the driver's)")
    bench.add_argument(
        "-n", type=int, metavar="N", help="how often (default: 1000, and 10000 at the pins of a simulated board)"
    )
    bench.add_argument("--strict", action="store_true", help="status 1 when a row of the table is not met")
    bench.add_argument("--json", action="store_true", help="print everything as JSON")


def _serve_avr(serve: Parser) -> None:
    serve.description = (
        "Serve a simulated board at a pseudo-terminal, in real time: the firmware itself on a simulated Uno or Mega, "
        "wired as the rig file says. Programs find it as they find a board on a port. Ctrl-C ends it."
    )
    serve.add_argument("rig", help="the rig's name, or the path of its YAML file")
    serve.add_argument("--link", metavar="PATH", help="make this a link to the port, which has another name each time")
    serve.add_argument("--model", metavar="NAME", help="the virtual subject (default: at a terminal you, by its keys)")
    serve.add_argument("--param", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the model")
    serve.add_argument("--protocol", metavar="NAME", help="what this protocol tells every model, it is told")
    serve.add_argument("--seed", type=int, default=1, help="random seed of the model (default: 1)")


def _screen(screen: Parser) -> None:
    screen.description = (
        "Show a line to be measured with a ruler and marks to be touched on a rig's screen, and print every touch. "
        "Closing the window, or Ctrl-C, ends it."
    )
    screen.add_argument("rig", help="the rig's name, or the path of its YAML file")


def _completion(completion: Parser) -> None:
    completion.description = "Print what makes a shell complete the words of rig, and say in which file to put it."
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))


_COMMANDS = {
    "demo": ("watch a virtual mouse do a two-armed bandit session", _demo),
    "run": ("run a session in real time", _run),
    "watch": ("watch a session that runs elsewhere", _watch),
    "sim": ("run sessions of virtual subjects, as fast as they go", _sim),
    "check": ("find every mistake in protocol, rig and calibration files", _check),
    "replay": ("feed a journal's inputs to its protocol; does it decide the same?", _replay),
    "recover": ("make the records of a crashed session readable again", _recover),
    "analyze": ("say what sessions show, by the analysis that suits their tables", _analyze),
    "show": ("show what a protocol is made of", _show),
    "board": ("find a board and see that it is well", _board),
    "serve-avr": ("serve a simulated board at a port, in real time", _serve_avr),
    "screen": ("measure a rig's touch screen, and touch it", _screen),
    "subject": ("what outlives a subject's sessions", _subject),
    "completion": ("print what makes a shell complete the words of rig", _completion),
}
"""The commands, each with its line of help and what adds its arguments."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status."""
    if "_ARGCOMPLETE" in os.environ:  # a shell asks how a line may go on
        from rig.cli.commands.completion import answer

        answer(build(os.environ.get("COMP_LINE", "").split()))
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        print(f"rig {__version__}")
        return 0
    arguments = build(words, run_files=True).parse_args(words)
    from rig.cli.dispatch import dispatch

    return dispatch(arguments, last=argv is None)


if __name__ == "__main__":
    sys.exit(main())
