"""A folder in which the commands of a transcript run, in this process where they are ours."""

import contextlib
import datetime
import glob
import io
import json
import os
import re
import shlex
import shutil
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rig.boards.driver_lookup import Driver, find_driver
from rig.cli import common
from rig.cli.main import main
from rig.cli.run import resume as resume_module
from rig.cli.run import session as run_module
from rig.cli.terminal import prompt
from rig.session import resume_spec
from rig.session.run import run_session as perform_module
from rig.system import config_paths, control_socket
from tests.cli.conftest import Inhabited, rig_at
from tests.cli.device.lab import make_lab
from tests.cli.transcripts.transcript import LINKS
from tests.past_sessions import rewarded_rows, write_session
from tests.protocols.delay_discounting.analysis.made import rows, write_csv
from tests.protocols.two_armed_bandit.made import csv_of

ROOT = tempfile.TemporaryDirectory(prefix=LINKS)
REPOSITORY = Path(ROOT.name, "repository")
"""A short link, so that the folder of a clone breaks no line and matches no ``grep``."""
REPOSITORY.symlink_to(Path(__file__).parents[3])
NOW = "2026-11-21T08:00"
VARIABLES = {
    "REPOSITORY": str(REPOSITORY),
    "MINUTE": "two_armed_bandit --model rflr --start 2026-11-21T09:00 --set stop.session_s=60",
    "REAL": "--rig rigs/far.yaml --yes --seed 1 --set stop.session_s=60",
    "UNWEIGHED": '--override weight="a test"',
    "ONCE": "--set stop.max_rewards=1",
    "MOUSE": "--species mouse --baseline-g 25 --baseline-date 2026-11-01",
}
"""Words that commands of transcripts share: `$MINUTE` is a minute of a virtual mouse."""
PREPARED = {
    "one mouse session": "rig sim $MINUTE --subject M1",
    "one real session": "clock 2026-11-21T09:00 && rig run two_armed_bandit --subject M1 --new $REAL $ONCE $UNWEIGHED",
}
"""Commands of ``prepare`` that have a name."""


class Console:
    """A folder, a clock and the variables of a shell; commands run in order."""

    def __init__(self, folder: Path, head: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._head = head
        self._variables = {
            **VARIABLES,
            "COLUMNS": str(head.get("columns", 120)),
            "NO_COLOR": "1",
            "TERM": "dumb",
            "RIG_DATA": "records",
            "RIG_EXPERIMENTER": "Ada",
            control_socket.FOLDER: ROOT.name,  # sessions of other tests on this computer are not seen
            **{name: _expand(text) for name, text in head.get("variables", {}).items()},
        }
        self._typed: list[str] | None = None
        self._own: dict[str, Callable[..., str | None]] = {
            "clock": self.set_clock,
            "unset": lambda name: self._patch.delenv(name),
            "crash": _crash,
            "past": _write_past,
            "types": self.type_next,
            "mouse": _write_decisions,
            "laps": _write_laps,
        }
        # A folder that is listed shows no __pycache__ of what the commands import.
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        monkeypatch.setattr(prompt, "discard_typed", lambda: None)
        monkeypatch.setattr(config_paths, "shipped_folder", lambda: str(REPOSITORY / "configs"))
        if head.get("board") == "with a mouse":
            for module in (run_module, perform_module, resume_module, resume_spec):
                monkeypatch.setattr(module, "find_driver", _find_inhabited)
        self._lab = make_lab(folder / "valves", monkeypatch) if head.get("board") == "valves" else None
        if self._lab is not None:
            self._own |= {"gives": self._lab.give, "unplugs": self._lab.unplug, "drops": self._lab.drops}
        self.enter(folder)

    def enter(self, folder: Path) -> None:
        """Go to a folder, and put there what the head says."""
        for name, text in self._variables.items():
            self._patch.setenv(name, text)
        shutil.copytree(self._prepared(), folder, dirs_exist_ok=True)
        self._patch.chdir(folder)
        self.set_clock(str(self._head.get("now", NOW)))
        if self._lab is not None:
            self._lab.reset()

    def _prepared(self) -> Path:
        key = json.dumps(self._head, sort_keys=True, default=str)
        if key not in _PREPARED:
            _PREPARED[key] = folder = Path(tempfile.mkdtemp(dir=ROOT.name))
            self._patch.chdir(folder)
            self.set_clock(str(self._head.get("now", NOW)))
            if self._lab is not None:
                shutil.copytree(self._lab.rig_file.parent, "rigs")
            elif "board" in self._head:
                rig_at(folder / "records", "/dev/nowhere")
            for name, text in self._head.get("files", {}).items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(text, encoding="utf-8")
            for command in self._head.get("prepare", ()):
                status, printed = self.run(PREPARED.get(command, command))
                if status:
                    raise ValueError(f"{command}: exit status {status}\n{printed}")
        return _PREPARED[key]

    def set_clock(self, text: str) -> None:
        moment = datetime.datetime.fromisoformat(text)
        self._patch.setattr(common, "now", lambda: moment)

    def type_next(self, *words: str) -> None:
        """Put a person at the terminal of the next command, who types these lines: ``types "24 g" y && rig ...``."""
        self._typed = shlex.split(" ".join(words))

    def run(self, command: str) -> tuple[int, str]:
        """Run a command; return its exit status and all that it printed."""
        name, *words = command.partition(" && ")[0].split(" ")
        if name in self._own:
            answer = self._own[name](*map(os.path.expandvars, words))
            rest = command.partition(" && ")[2]
            return self.run(rest) if rest else (0, answer or "")
        if name != "rig":
            return _run_shell(command, "")
        ours, pipe, rest = command.partition(" | ")
        typed, self._typed = self._typed, None
        status, printed = _run_rig(os.path.expandvars(ours), typed)
        if not pipe:
            return status, printed
        end, printed = _run_shell(rest, printed)
        return status or end, printed


_PREPARED: dict[str, Path] = {}
"""The folder that was made for a head; it is copied for each transcript, or for each of its cases."""


def _find_inhabited(name: str) -> Driver:
    """Return the driver of a board; one at a port has an animal before it."""
    return Inhabited() if name == "serial" else find_driver(name)


def _expand(text: str) -> str:
    return string.Template(text).safe_substitute(VARIABLES)


def _write_past(subject: str, day: str, *facts: str) -> None:
    """Write the journal of a past session: ``past M1 21 {reason: fault, rewards: [1, 0]}``."""
    options = yaml.safe_load(" ".join(facts)) or {}
    rewards = rewarded_rows(*options.pop("rewards", ()))
    write_session(Path("records", subject), int(day), rows=rewards, **options)


def _crash(folder: str, t_s: str) -> None:
    """Leave of a session what a power cut at this time does: ``crash FOLDER 28``."""
    journal = Path(folder, "journal.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    kept = next(n for n, line in enumerate(lines) if json.loads(line)["t"] > float(t_s) * 1e6)
    journal.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
    for name in ("summary.json", "trials.csv"):
        Path(folder, name).unlink()


def _write_decisions(name: str, history: str) -> None:
    """Write a mouse's choices: ``mouse baby_80-20.csv LLrR``."""
    csv_of(Path(name), history)


def _write_laps(name: str, history: str) -> None:
    """Write a rat's laps: ``laps R1_01.csv LLRR``."""
    write_csv(Path(name), rows(history))


def _run_shell(command: str, typed: str) -> tuple[int, str]:
    done = subprocess.run(
        ["sh", "-c", command],
        input=typed,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    return done.returncode, done.stdout


class Terminal(io.StringIO):
    """A stream at a terminal; a line that is typed is shown behind its question."""

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline()
        sys.stderr.write(line)
        return line


def _run_rig(command: str, typed: list[str] | None) -> tuple[int, str]:
    """Run a command, at a terminal if lines are typed there."""
    command, _, source = command.partition(" < ")
    words = [name for word in shlex.split(command)[1:] for name in _names(word)]
    stream = io.StringIO if typed is None else Terminal
    lines = Path(source).read_text(encoding="utf-8") if source else "".join(f"{line}\n" for line in typed or ())
    out = stream()
    status: Any
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        patch.setattr(sys, "stdin", stream(lines))
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code
    return int(status or 0), out.getvalue()


def _names(word: str) -> list[str]:
    return sorted(glob.glob(word)) or [word] if re.search(r"[*?]", word) else [word]
