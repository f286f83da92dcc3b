"""Child processes of the command-line tests: start them, and wait for what they write."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.codec import parse_line
from rig.core.journal.header import Footer
from rig.core.journal.kinds import SessionLine, StateLine

posix = pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")


def until(true: Callable[[], Any], within_s: float = 30.0) -> Any:
    end = time.monotonic() + within_s
    while not (found := true()):
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
    return found


def journal(data: Path) -> list[SessionLine]:
    """The whole lines of the only journal."""
    lines = [raw for path in data.rglob("journal.jsonl") for raw in path.read_bytes().splitlines(keepends=True)]
    return [parse_line(raw[:-1])[1] for raw in lines if raw.endswith(b"\n")]


def reason(data: Path) -> str:
    """Why the only session has ended."""
    footer = journal(data)[-1]
    assert isinstance(footer, Footer)
    return footer.reason


def begun(data: Path) -> bool:
    return any(isinstance(line, StateLine) for line in journal(data))


def without(*modules: str, words: tuple[object, ...]) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that cannot import these."""
    program = "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(','))); "
    program += "from rig.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, ",".join(modules), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def start(*words: str, shell: str = "", **options: Any) -> "subprocess.Popen[str]":
    """Start a command; ``shell`` is said to a shell before, and ``exec`` keeps the number of the process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "rig.cli.main", *words]
    if shell:
        command = ["sh", "-c", shell, "sh", *command]
    return subprocess.Popen(command, text=True, env={**kept, **options.pop("env", {})}, **{**pipes, **options})


def journal_paths(data: Path) -> list[Path]:
    return [path for path in data.rglob("journal.jsonl") if path.stat().st_size > 2_000]
