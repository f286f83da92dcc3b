"""Put spoilt journals before everything that reads journals: ``python -m tests.records.spoilt FOLDER FIRST COUNT``.

Prints what went wrong, and the most time and memory that one journal took, as JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import io
import json
import math
import os
import resource
import shutil
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from rig.cli import common
from rig.cli.analyze import analyze
from rig.cli.export import tables
from rig.cli.main import build, main
from rig.cli.records import recover, replay
from rig.cli.run.before import run_preflight
from rig.cli.subject import identity, why
from rig.config import find
from rig.config.subject import load_subject
from rig.core.errors import RecordError, RigError
from rig.core.journal.header import Header
from rig.core.journal.kinds import RewardLine, SessionLine
from rig.core.model.reward import RewardStatus
from rig.export.load import load
from rig.live.display_loop import run_display
from rig.live.follow import JournalFollower
from rig.live.rich_display import RichDisplay
from rig.live.text_display import TextDisplay
from rig.records.journal.read import scan_journal
from rig.records.recover import CRASH
from rig.records.subject.deliveries import ALWAYS, delivered_between
from rig.session.curriculum.curriculum import Curriculum
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import SubjectFolder
from rig.terminal.console import SafeConsole
from tests.records.journals import on_this_machine
from tests.records.spoil import Lines, spoilt, whole

PROTOCOLS = {
    "two_armed_bandit": ("rflr", "25"),
    "free_water": ("random", "30"),
    "disk_bandit": ("random_explorer", "20"),
    "disk_bandit_human": ("human", "30"),
    "delay_discounting": ("rat", "60"),
}
"""Short sessions of all protocols: with which model, and for how many seconds."""

STAGE = {
    "name": "two_armed_bandit",
    "stage": "blocks",
    **dict.fromkeys(("from", "override")),
    "why": "it is the first",
    "sessions": [],
}

SLOWEST = 10
"""How many times as long a spoilt journal may take as the slowest whole one, in processor time.

Where it writes more than a whole one does, it may take as many times longer: an order can be a train of 65,535 pulses,
each of which is a row.
"""
LARGEST_MB = 200
ROOM_MB = 4_000
"""A journal that asks for more than this gets an error, and not the machine's last byte."""

_EVIL = "import os\nfrom rig import *\nos.mkdir(os.environ['RIG_SPOILT_MARK'])\nclass Evil(Task): pass\n"


def journals(folder: Path) -> list[Path]:
    """Run the sessions, and return the folders of their records."""
    for name, (model, session_s) in PROTOCOLS.items():
        words = ["sim", name, "--model", model, "--subject", name, "--data", str(folder), "--seed", "3"]
        words += ["--set", f"stop.session_s={session_s}", "--start", "2026-11-21T09:00"]
        words += ["--rig", "sim_t_maze_tracked"] if name == "delay_discounting" else []
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
            assert main(words) == 0, (words, err.getvalue())
    return [folder / "sim" / name / "2026-11-21" / "001" for name in PROTOCOLS]


class Guard:
    """What this process writes and starts, as Python's audit tells it; ``bad`` is what it must not."""

    def __init__(self) -> None:
        self.allowed: Path | None = None
        self.bad: list[str] = []
        sys.addaudithook(self._on_audit)

    def _on_audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.allowed is None:
            return
        if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"):
            self.bad.append(f"{event} {arguments[:2]}")
        elif event in ("os.rename", "os.link", "os.symlink"):
            self._check(event, *arguments[:2])
        elif event in ("os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "shutil.rmtree") or (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        ):
            self._check(event, arguments[0])

    def _check(self, event: str, *paths: Any) -> None:
        for path in paths:
            if not isinstance(path, int) and os.fsdecode(path) != os.devnull:
                real = Path(os.path.realpath(os.fsdecode(path)))
                if self.allowed not in real.parents and real != self.allowed:
                    self.bad.append(f"{event} {real}")


class Trial:
    """One journal, put where a subject's would be, before every reader."""

    def __init__(self, root: Path, sessions: list[Path]) -> None:
        self.data = root / "data"
        self.home = self.data / "M1"
        self.session = self.home / "2026-11-21" / "001"
        self.exports = root / "exports"
        self.guard = Guard()
        self.longest: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.whole_s = math.inf
        self.whole_bytes = 1
        self._sessions = [(path, [_real(json.loads(raw)) for raw in _raw(path)]) for path in sessions]
        self._parse = build(["analyze", "export", "replay", "recover", "run", "subject"]).parse_args
        self._prepared = build_spec(SessionRequest("two_armed_bandit"))
        self._curriculum = Curriculum(find("curricula", "two_armed_bandit"), SessionRequest())
        mark = root / "mark"
        os.environ["RIG_SPOILT_MARK"] = str(mark)
        self._mark = mark
        common.start_time = lambda given: datetime.datetime(2026, 11, 21, 12)  # the day of the journals
        (root / "work").mkdir(exist_ok=True)
        os.chdir(root / "work")
        Path("evil.py").write_text(_EVIL)
        other = self.data / "M2" / "2026-11-21" / "001"
        other.mkdir(parents=True, exist_ok=True)
        (other / "trials.csv").write_text("another animal's\n")

    def measure(self) -> None:
        """Put the whole journals before all: the longest time that one takes is the measure of the others."""
        for number in range(len(self._sessions)):
            self.put(number, whole)
            self._read(number)
            self.whole_bytes = max(self.whole_bytes, self._written())
        self.whole_s = max(self.longest.values()) / 1000

    def put(self, number: int, journal: Callable[[Random, Lines], bytes] = spoilt) -> None:
        """Write the journal of that number."""
        path, lines = self._sessions[number % len(self._sessions)]
        for folder in (self.home, self.exports):
            shutil.rmtree(folder, ignore_errors=True)
        self.session.mkdir(parents=True)
        (self.session / "journal.jsonl").write_bytes(journal(Random(number), lines))
        if number // len(self._sessions) % 2:
            on_this_machine(self.session)
        if (path / "positions.bin").exists():
            shutil.copy(path / "positions.bin", self.session)
        for place in (self.session, self.session / "config" / "x"):
            place.mkdir(parents=True, exist_ok=True)
            (place / "evil.py").write_text(_EVIL)

    def run(self, number: int) -> None:
        """Put the journal of that number before all; note what goes wrong."""
        self.put(number)
        self._read(number)

    def _read(self, number: int) -> None:
        for name, command in self.commands(number):
            begun = time.process_time()
            self.guard.bad.clear()
            self.guard.allowed = self.exports if name == "export" else self.home
            try:
                with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
                    command(out)
                self.outcomes[f"{name}: done"] += 1
            except RigError as error:
                self.outcomes[f"{name}: {type(error).__name__}"] += 1
                if not str(error).strip():
                    self.wrong.append(f"{number} {name}: an error that says nothing")
            except BaseException as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                said = f"{type(error).__name__}: {str(error)[:100]} ({Path(where.filename).name}:{where.lineno})"
                self.wrong.append(f"{number} {name}: {said}")
            finally:
                self.guard.allowed = None
            self.wrong += [f"{number} {name}: {deed}" for deed in self.guard.bad]
            took_s = time.process_time() - begun
            self.longest[name] = max(self.longest[name], round(1000 * took_s))
            more = self._written() / self.whole_bytes if name == "export" else 1
            if took_s > SLOWEST * self.whole_s * max(1, more):
                self.wrong.append(f"{number} {name}: took {took_s:.1f} s, a whole journal {self.whole_s:.2f} s")
        if self._mark.exists():
            self.wrong.append(f"{number}: code was run")
            self._mark.rmdir()

    def _written(self) -> int:
        """Return how many bytes the export has."""
        return sum(path.stat().st_size for path in self.exports.rglob("*"))

    def commands(self, number: int) -> Iterator[tuple[str, Callable[[io.StringIO], Any]]]:
        """Everything that reads a journal, in the order in which a person might."""
        session = str(self.session)
        analyzed = [*(["--json"] if number % 3 else []), *(["--fill"] if number % 10 == 4 else [])]
        yield "watch", self._watch if number % 2 else self._watch_plainly
        yield "replay", lambda out: replay.run(self._words("replay", session))
        yield "start", lambda out: self._start()
        yield "analyze", lambda out: analyze.run(self._words("analyze", session, *analyzed))
        yield "load", lambda out: self._load()
        yield "export", lambda out: tables.csv(self._words("export", "csv", session, "--to", str(self.exports)))
        yield "recover", lambda out: recover.run(self._words("recover", session, *(["--json"] if number % 2 else [])))
        yield "counted", lambda out: self._check_count()
        yield "again", lambda out: recover.run(self._words("recover", session))
        yield "next", lambda out: self._start()
        if not number % 5:
            yield "why", lambda out: why.run(self._words("subject", "why", "M1", "--data", str(self.data)))
            words = self._words("subject", "rebuild", "M1", "--data", str(self.data))
            yield "rebuild", lambda out: identity.rebuild(words)

    def _load(self) -> None:
        loaded = load(self.session)
        for name in loaded.table_names:
            repr(loaded[name])

    def _words(self, *words: str) -> argparse.Namespace:
        return self._parse(words)

    def _check_count(self) -> None:
        """Check that a crashed session's count is no lower than the sum of its lines."""
        journal = scan_journal(self.session / "journal.jsonl")
        footer = journal.footer
        if footer is None or footer.reason != CRASH:
            raise RecordError("no recovery has counted it")
        least = least_given(journal.lines)
        for unit, much in least.items():
            counted = getattr(footer, unit)
            if counted < much * (1 - 1e-9) - 1e-5:
                raise AssertionError(f"{counted} {unit} are counted of {much}")
        header = journal.lines[0]
        total = delivered_between(self.home, ALWAYS[0], ALWAYS[1])
        is_counted = isinstance(header, Header) and not header.simulated and not total.unknown
        if is_counted and any(getattr(total.amount, unit) < much * (1 - 1e-9) - 1e-5 for unit, much in least.items()):
            raise AssertionError(f"{total.amount} is the total of {least}")

    def _watch(self, out: io.StringIO) -> None:
        console = SafeConsole(file=out, force_terminal=True, width=80)
        with RichDisplay(console, kept=True) as panel:
            run_display(JournalFollower(self.session / "journal.jsonl"), panel, lambda seconds: True)

    def _watch_plainly(self, out: io.StringIO) -> None:
        run_display(
            JournalFollower(self.session / "journal.jsonl"),
            TextDisplay(lambda line: out.write(line)),
            lambda seconds: True,
        )

    def _start(self) -> None:
        """Do all that comes before the board is opened."""
        prepared: SessionSpec = self._prepared
        words = (
            "run",
            "two_armed_bandit",
            "--subject",
            "M1",
            "--yes",
            "--override",
            "weight=so",
            "--experimenter",
            "me",
        )
        arguments = self._words(*words, "--data", str(self.data))
        with SubjectFolder(self.data, "M1") as locked:
            locked.days_before("2026-11-21")
            with contextlib.suppress(RigError):  # said, and the start goes on in another test
                locked.carried_over(locked.state(), prepared.protocol)
        with contextlib.suppress(RigError):
            self._curriculum.decide(self.home)
        run_preflight(arguments, prepared, self.home, load_subject(self.home), None, simulated=False)


def _raw(session: Path) -> list[bytes]:
    return (session / "journal.jsonl").read_bytes().splitlines()


def _real(line: dict[str, Any]) -> dict[str, Any]:
    """Make it a session with an operator, one of a bandit within a curriculum."""
    if line["k"] != "header":
        return line
    course = {"curriculum": STAGE} if line["protocol"] == STAGE["name"] else {}
    return {**line, "simulated": False, **course}


def least_given(lines: Iterable[SessionLine]) -> dict[str, float]:
    """Sum up what was given and what may have been.

    Of each reward count what was last said to be pending. A later line of an unconfirmed one is its correction.
    """
    given = dict.fromkeys(("ul", "pellets", "access_s"), 0.0)
    pending: dict[int, list[RewardLine]] = {}
    unconfirmed: dict[int, RewardLine] = {}
    for line in lines:
        if not isinstance(line, RewardLine):
            continue
        if line.status is not RewardStatus.UNCONFIRMED and line.id in unconfirmed:
            corrected = unconfirmed.pop(line.id)
            given[corrected.unit] -= corrected.amount
        if line.status is RewardStatus.PENDING:
            pending.setdefault(line.id, []).append(line)
            continue
        pending.pop(line.id, None)
        if line.status in (RewardStatus.DELIVERED, RewardStatus.UNCONFIRMED):
            given[line.unit] += line.amount
        if line.status is RewardStatus.UNCONFIRMED:
            unconfirmed[line.id] = line
    for reservations in pending.values():
        for unit in given:
            given[unit] += max((line.amount for line in reservations if line.unit == unit), default=0)
    return given


def memory_mb() -> float:
    """The most that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def all_of(root: Path, first: int, count: int, budget_s: float = 1e9) -> dict[str, Any]:
    """Put so many journals before all readers."""
    sessions = journals(root / "made")
    trial = Trial(root, sessions)
    begun = time.process_time()
    trial.measure()
    trial.longest.clear()  # imports are no journal's fault
    trial.measure()
    trial.longest.clear()
    trial.outcomes.clear()
    resource.setrlimit(resource.RLIMIT_AS, (ROOM_MB << 20, resource.RLIM_INFINITY))
    before_mb = memory_mb()
    done = 0
    for number in range(first, first + count):
        if time.process_time() - begun > budget_s:
            break
        trial.run(number)
        done += 1
    return {
        "journals": done,
        "wrong": trial.wrong,
        "seconds": round(time.process_time() - begun, 1),
        "whole_ms": round(1000 * trial.whole_s),
        "longest_ms": dict(trial.longest),
        "before_mb": round(before_mb),
        "peak_mb": round(memory_mb()),
        "outcomes": dict(sorted(trial.outcomes.items())),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(all_of(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])), indent=1) + "\n")
