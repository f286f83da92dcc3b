"""`--help` and `--version` answer at once."""

import os
import subprocess
import sys

import pytest

import rig as package
from tests.cli.conftest import Rig

COMMANDS = ("demo", "run", "sim", "check", "replay", "recover", "show", "subject", "analyse")
OURS = {"rig", "rig.cli", "rig.cli.main", "rig.cli.status"}


@pytest.mark.parametrize(
    "words", [(), *((command,) for command in COMMANDS), ("show", "graph"), ("subject", "rebuild")]
)
def test_every_command_explains_itself(rig: Rig, words: tuple[str, ...]) -> None:
    answer = rig(*words, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"usage: {' '.join(('rig', *words))}")
    assert answer.err == ""


def test_the_help_names_every_command_and_every_exit_status(rig: Rig) -> None:
    text = rig("--help").out
    for word in (*COMMANDS, "0 done", "130 stopped"):
        assert word in text


def test_the_version_is_that_of_the_package(rig: Rig) -> None:
    assert rig("--version").out == f"rig {package.__version__}\n"


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_nothing_heavy_is_imported_to_answer(word: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "COV_"))}
    command = [sys.executable, "-X", "importtime", "-m", "rig.cli.main", word]
    done = subprocess.run(command, env=kept, capture_output=True, text=True, check=True, timeout=30)
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "argparse" in names
    assert {name for name in names if name.partition(".")[0] in ("rig", "protocols", "sim_hardware")} <= OURS
    heavy = {"pydantic", "pydantic_core", "yaml", "rich", "serial", "asyncio", "numpy", "filelock", "multiprocessing"}
    assert not {name.partition(".")[0] for name in names} & heavy
