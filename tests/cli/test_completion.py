"""Pressing the tab key: what may come next on a line, asked as a shell asks."""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from argcomplete import finders
from argcomplete.finders import CompletionFinder

from rig.cli import completers
from rig.cli.completion import WHERE
from rig.cli.contributed import contributed_commands
from rig.cli.main import COMMANDS, main
from rig.config import find, names
from rig.system import control_socket
from rig.system.config_paths import shipped_folder
from rig.system.plugins import BOARDS, MODELS, installed_plugins
from tests.cli.conftest import Rig
from tests.cli.imported_modules import ALWAYS_IMPORTED, IMPORTED_FOR_HELP

Ask = Callable[[str], list[str]]

RIGS = [
    "desk_uno",
    "nose_ports_pico",
    "nose_ports_uno",
    "pigeon_chamber_pico",
    "pigeon_chamber_uno",
    "screen_alone",
    "sim_desk",
    "sim_nose_ports",
    "sim_pigeon_chamber",
    "sim_screen",
    "sim_t_maze",
    "sim_t_maze_circles",
    "sim_t_maze_tracked",
    "t_maze_pico",
    "t_maze_uno",
]

SESSIONS = {"M1": {"pause_s": 1.0}, "M2": {"reward_ul": 2.5, "iti_min_s": 1.0}}
OURS = {
    "rig.cli.check",
    "rig.cli.check.arguments",
    "rig.cli.completers",
    "rig.cli.completion",
    "rig.cli.records",
    "rig.cli.records.arguments",
    "rig.cli.run",
    "rig.cli.run.arguments",
    "rig.cli.shared_arguments",
    "rig.cli.show",
    "rig.cli.show.arguments",
    "rig.cli.sim",
    "rig.cli.sim.arguments",
    "rig.platform",
    "rig.platform.folders",
    "rig.system.config_paths",
    "rig.terminal",
    "rig.terminal.visible",
}
ARGCOMPLETE = {"argcomplete", "contextlib", "subprocess"}
ARGCOMPLETE |= {"math", "shlex", "typing", "abc", "collections.abc"}
"""And what begins with argcomplete, and the private parts of these; of subprocess nothing but the name."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laboratory's folder."""
    for file in (
        "mine.yaml",
        "lab.py",
        "notes.txt",
        "configs/protocols/own.yaml",
        "data/M1/2026-11-21/001/journal.jsonl",
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("protocol: free_water\n")
    (tmp_path / "data" / "M2").mkdir()
    (tmp_path / "data" / "sim" / "V1").mkdir(parents=True)
    (tmp_path / "elsewhere" / "M7").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RIG_DATA", raising=False)
    return tmp_path


def environment(line: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "COV_"))}
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line, "COMP_POINT": str(len(line.encode()))}
    return kept | asked


class Finder(CompletionFinder):
    """Completes a line without the end of the process."""

    answer = io.StringIO()

    def __call__(self, *arguments: Any, **options: Any) -> None:
        super().__call__(*arguments, **options | {"output_stream": self.answer, "exit_method": sys.exit})

    def _init_debug_stream(self) -> None:
        """Leave descriptor 9 to its owner."""


@pytest.fixture
def ask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask how a line may go on."""
    monkeypatch.setattr(finders, "CompletionFinder", Finder)

    def answer(line: str) -> list[str]:
        monkeypatch.setattr(Finder, "answer", io.StringIO())
        with monkeypatch.context() as here:
            for name, text in environment(line).items():
                here.setenv(name, text)
            with pytest.raises(SystemExit, match="0"):
                main()
        return [word.strip() for word in Finder.answer.getvalue().split("\n") if word]

    return answer


def test_commands_and_what_they_show_are_completed(ask: Ask) -> None:
    assert ask("rig ") == [*COMMANDS, *contributed_commands()]
    assert ask("rig re") == ["report", "replay", "recover"]
    assert {"protocols", "params", "schema", "graph"} <= set(ask("rig show "))
    assert ask("rig completion ") == ["bash", "zsh", "fish", "powershell"]


def test_options_come_after_a_dash(ask: Ask) -> None:
    assert {"--rig", "--subject", "--seed"} <= set(ask("rig run free_water --"))
    assert ask("rig sim free_water --mo") == ["--model"]
    assert not [word for word in ask("rig run ") if word.startswith("-")]


def test_names_of_protocols_and_yaml_files_here_are_completed(ask: Ask) -> None:
    found = ask("rig run ")
    assert found == [*names("protocols"), "mine.yaml"]
    assert {"two_armed_bandit", "own"} <= set(found)
    assert ask("rig sim two_armed_bandit_st") == [f"two_armed_bandit_stage{number}" for number in range(1, 6)]
    assert ask("rig run configs/") == ["configs/protocols/"]
    assert ask("rig run ./") == ["./configs/", "./data/", "./elsewhere/", "./mine.yaml"]


def test_what_is_shown_may_also_be_a_file_of_python(ask: Ask) -> None:
    assert {"free_water", "own", "mine.yaml", "lab.py"} <= set(ask("rig show params "))
    assert {"rig", "calibration", "summary", "free_water"} <= set(ask("rig show schema "))


def test_a_check_takes_files_of_every_kind(ask: Ask) -> None:
    assert {"own", "sim_nose_ports", "sim_left", "mine.yaml"} <= set(ask("rig check free_water "))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rig run free_water --rig ", [*RIGS, "mine.yaml"]),
        ("rig sim free_water --rig=sim", [f"--rig={name}" for name in RIGS if name.startswith("sim")]),
        ("rig sim free_water --model ", list(installed_plugins(MODELS))),
        ("rig sim free_water --board ", list(installed_plugins(BOARDS))),
        ("rig run free_water --subject ", ["M1", "M2"]),
        ("rig run free_water --data elsewhere --subject ", ["M7"]),
        ("rig subject rebuild ", ["M1", "M2"]),
        ("rig subject why ", ["M1", "M2"]),
        ("rig subject give ", ["M1", "M2"]),
        ("rig subject why --sim ", ["V1"]),
        ("rig sim free_water --subject ", ["M1", "M2", "V1"]),
        ("rig run --curriculum two", ["two_armed_bandit", "two_armed_bandit_2017"]),
        ("rig sim --curriculum pigeon_bandit --model pi", ["pigeon"]),
        ("rig run --curriculum delay_discounting --stage ", ["blocked", "training", "testing"]),
        ("rig run --curriculum missing --stage ", []),
        ("rig run --stage ", []),
        ("rig replay ", ["data/M1/", "data/M2/", "data/sim/", "configs/", "data/", "elsewhere/"]),
        ("rig replay data/M1/2026", ["data/M1/2026-11-21/"]),
        ("rig replay data/M1/2026-11-21/001/", ["data/M1/2026-11-21/001/journal.jsonl"]),
        ("rig run free_water --data e", ["elsewhere/"]),
        ("rig run free_water --seed ", []),
        ("rig run nowhere/", []),
        ("rig sim free_water --set params.", ["params.reward_ul=", "params.pause_s="]),
        ("rig sim two_armed_bandit --set params.switch_rule=re", ["params.switch_rule=reward_block"]),
        ("rig sim mine.yaml --set params.", []),
        ("rig sim missing --set params.", []),
        ("rig session set --sub", ["--subject"]),
        ("rig searches environments le", ["length="]),
        ("rig device c", ["calibrate", "check", "cycles"]),
        ("rig device prime sim_nose_ports ", ["left", "right"]),
        ("rig device test sim_t_maze l", ["left_feeder"]),
        ("rig device calibrate sim_t_maze ", []),
    ],
)
def test_each_argument_is_completed_by_what_it_takes(ask: Ask, line: str, words: list[str]) -> None:
    assert ask(line) == words


def test_a_session_that_runs_says_what_may_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(Path(name), {"ok": True, "subject": name, "live": live}) for name, live in SESSIONS.items()]
    monkeypatch.setattr(control_socket, "running", lambda: [*found, (Path("M3"), {"ok": False})])
    asked = argparse.Namespace(subject=None)
    assert list(completers.OF["parameter"](prefix="", parsed_args=asked)) == ["pause_s=", "reward_ul=", "iti_min_s="]
    asked.subject = "M2"
    assert list(completers.OF["parameter"](prefix="", parsed_args=asked)) == ["reward_ul=", "iti_min_s="]


def test_records_may_lie_elsewhere(ask: Ask, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_DATA", str(folder / "elsewhere"))
    assert ask("rig run free_water --subject ") == ["M7"]
    assert f"{folder}/elsewhere/M7/" in ask("rig replay ")


@pytest.mark.parametrize("line", ["rig ", "rig ru", "rig run two_a", "rig replay ", "rig run x --rig "])
def test_only_a_short_list_of_modules_is_imported_to_answer(line: str, folder: Path) -> None:
    names = imported(line)
    assert "argcomplete" in names
    assert {
        name for name in names if not name.startswith("argcomplete.")
    } <= ALWAYS_IMPORTED | IMPORTED_FOR_HELP | OURS | ARGCOMPLETE


@pytest.mark.parametrize(
    "line",
    [
        "rig show params t",
        "rig sim x --model ",
        "rig sim free_water --set p",
        "rig check s",
        "rig run --curriculum pigeon_bandit --stage ",
    ],
)
def test_no_file_is_judged_to_answer(line: str, folder: Path) -> None:
    names = imported(line)
    assert not {name.partition(".")[0] for name in names} & {
        "pydantic",
        "yaml",
        "rich",
        "numpy",
        "asyncio",
        "protocols",
    }
    ours = {name for name in names if name.startswith("rig.")}
    assert ours <= ALWAYS_IMPORTED | IMPORTED_FOR_HELP | OURS | {
        "rig.system.plugins",
        "rig.core",
        "rig.core.close_words",
        "rig.core.errors",
    }


def imported(line: str) -> set[str]:
    """The public modules that answering imports."""
    command = [sys.executable, "-X", "importtime", "-c", "from rig.cli.main import main; main()"]
    asked = environment(line) | {"_ARGCOMPLETE_STDOUT_FILENAME": os.devnull}
    reports = [
        subprocess.run(words, env=asked, capture_output=True, text=True, timeout=60).stderr
        for words in (command, [*command[:-1], "pass"])
    ]
    names = modules(reports[0]) - modules(reports[1])
    return {name for name in names if not any(part.startswith("_") for part in name.removeprefix("__").split("."))}


def modules(report: str) -> set[str]:
    return {line.rpartition("|")[2].strip() for line in report.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize("shell", WHERE)
def test_each_shell_gets_its_code_and_where_to_put_it(rig: Rig, shell: str) -> None:
    answer = rig("completion", shell)
    assert answer.status == 0
    assert f"# To keep this: rig completion {shell} >" in answer.out
    assert "rig" in answer.out
    assert shell not in ("bash", "zsh") or answer.out.startswith("#compdef rig\n")  # zsh knows the file by it


def test_a_shell_that_we_do_not_know_is_refused_with_those_we_do(rig: Rig) -> None:
    answer = rig("completion", "tcsh")
    assert answer.status == 2
    assert all(shell in answer.err for shell in WHERE)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_completes_with_the_code_it_gets(rig: Rig, folder: Path) -> None:
    (folder / "bin").mkdir()
    command = folder / "bin" / "rig"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rig.cli.main "$@"\n')
    command.chmod(0o755)
    line = "rig sim two_armed_bandit --model r"
    script = rig("completion", "bash").out + f'COMP_LINE="{line}" COMP_POINT={len(line)} COMP_TYPE=9\n'
    script += '_python_argcomplete rig\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    path = {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc"], input=script, env=os.environ | path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == [name for name in installed_plugins(MODELS) if re.match("r", name)]


def test_what_is_found_quickly_is_what_is_found_with_care() -> None:
    assert all(find("rigs", name).is_file() for name in names("rigs"))
    assert Path(shipped_folder(), "rigs", "sim_nose_ports.yaml").is_file()
