"""`--help` and `--version` answer at once."""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest

import rig as package
from rig.cli.argparse_ext import Parser
from rig.cli.main import COMMANDS, GROUPS, build
from tests.cli.conftest import Rig
from tests.cli.imported_modules import ALWAYS_IMPORTED, IMPORTED_FOR_HELP

DAILY = ("run", "boxes", "session", "subject", "device", "report", "catalog")

PROGRAM = """
import sys
before = set(sys.modules)
from rig.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(set(sys.modules) - before))
"""


def imported(words: list[str], **environment: str) -> set[str]:
    """The public modules that a line of words imports."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "COV_"))}
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, env=kept | environment, capture_output=True, text=True, check=True, timeout=30)
    names = done.stdout.splitlines()[-1].split()
    return {name for name in names if not any(part.startswith("_") for part in name.removeprefix("__").split("."))}


@pytest.mark.parametrize(
    "words", [(), *((command,) for command in COMMANDS), ("show", "graph"), ("subject", "rebuild")]
)
def test_every_command_explains_itself(rig: Rig, words: tuple[str, ...]) -> None:
    answer = rig(*words, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"usage: {' '.join(('rig', *words))}")
    assert answer.err == ""


def test_an_option_that_a_command_lacks_is_refused_with_that_command_s_help(rig: Rig) -> None:
    answer = rig("analyze", "session", "--flor", "10")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "rig analyze: unrecognized arguments: --flor 10\nTry: rig analyze --help\n"


def test_the_help_names_every_command_and_every_exit_status(rig: Rig) -> None:
    text = rig("--help").out
    for word in (*COMMANDS, "0 done", "130 stopped"):
        assert word in text


def test_the_help_groups_the_commands_and_begins_with_those_of_each_day(rig: Rig) -> None:
    lines = rig("--help").out.splitlines()
    headings = [line[:-1] for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings[: len(GROUPS)] == ["each day", "designing experiments", "recorded data", "boards and this computer"]
    names = [line.split()[0] for line in lines[lines.index("each day:") + 1 :] if line[:2] == "  " and line[2] != " "]
    assert names[: len(DAILY)] == list(DAILY)
    assert names[: len(COMMANDS)] == list(COMMANDS)


def test_rig_alone_prints_the_help(rig: Rig) -> None:
    alone = rig()
    assert (alone.status, alone.out, alone.err) == (0, rig("--help").out, "")


def test_the_options_of_a_session_are_in_groups(rig: Rig) -> None:
    pages = {command: rig(command, "--help").out for command in ("run", "sim")}
    for group in ("what runs", "the subject", "a simulated session", "records and display"):
        assert all(f"\n{group}:\n" in page for page in pages.values())
    assert "\nseveral boxes:\n" in pages["run"]
    assert pages["run"].count("\noptions:\n  -h, --help") == 1


def parsers(parser: Parser) -> Iterator[Parser]:
    """A command's parser, and those of its sub-commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def test_each_page_of_a_command_ends_with_examples_that_the_command_accepts() -> None:
    for command in parsers(build()):
        if command.prog == "rig":
            continue
        assert command.examples, command.prog
        heading = "example" if len(command.examples) == 1 else "examples"
        examples = [f"{command.prog} {words}".rstrip() for words in command.examples]
        assert command.format_help().endswith("".join((f"\n\n{heading}:", *(f"\n  {each}" for each in examples), "\n")))
        for example in examples:
            words = shlex.split(example)[1:]
            build(words).parse_args(words)


def test_the_version_is_that_of_the_package(rig: Rig) -> None:
    assert rig("--version").out == f"rig {package.__version__}\n"


@pytest.mark.parametrize(
    ("word", "allowed"), [("--version", ALWAYS_IMPORTED), ("--help", ALWAYS_IMPORTED | IMPORTED_FOR_HELP)]
)
def test_only_a_short_list_of_modules_is_imported_to_answer(word: str, allowed: set[str]) -> None:
    assert imported([word]) <= allowed


def test_the_help_of_devices_imports_no_board_no_session_and_no_numbers() -> None:
    packages = ("asyncio", "matplotlib", "numpy", "rich", "rig.boards", "rig.session", "rig.scales", "serial", "yaml")
    for words in (["device", "--help"], ["device", "calibrate", "--help"]):
        names = imported(words)
        assert "rig.maintenance.verbs" in names
        assert not [name for name in names if name.startswith(packages)]


def test_help_is_as_wide_as_the_terminal_but_never_too_wide_to_read(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = {}
    for columns in (60, 80, 110, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        widths[columns] = max(len(line) for line in rig("run", "--help").out.splitlines())
    assert widths[60] < widths[80] < widths[110] < widths[200] <= 120
    assert all(width < columns for columns, width in widths.items())


def test_a_terminal_of_unknown_width_has_80_columns(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = rig("run", "--help").out
    monkeypatch.setenv("COLUMNS", "wide")
    assert rig("run", "--help").out == text
