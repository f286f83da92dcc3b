"""Twelve boxes in real time at one computer: six with boards at ports, six simulated in the session's own program.

``--rounds`` is the number of minutes (default: 1). The latency is that from the board's report of an edge to its line
in the journal. What the protocol has the board wait for before (``min_poke_ms``) is no part of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks.box_host import FOLDER
from benchmarks.measure import Measure, Options, Others
from rig.core.journal.kinds import Command, RewardLine, SessionLine, StateLine, TrialLine
from rig.records.journal.read import JOURNAL, read_journal
from rig.session.replay import replay_lines
from rig.supervisor.started import StartedSessions
from rig.system.control_socket import FOLDER as RUNTIME

REAL, VIRTUAL = 6, 6
STARTED_WITHIN_S = 120.0
DECISIONS = (StateLine, TrialLine, Command, RewardLine)
ROOT = Path(__file__).parents[1]
RIG = """\
calibration_max_days: null
boards: {{uno: {{driver: serial, port: {port}}}}}
devices:
  left:   {{kind: port, beam: 6, light: 10, valve: 3, calibration: left_{number}}}
  center: {{kind: port, beam: 5, light: 8}}
  right:  {{kind: port, beam: 7, light: 9, valve: 4, calibration: right_{number}}}
"""


def measure(options: Options) -> list[Measure]:
    """Return latency, use of the processors and equal decisions; empty on Windows, which has no pty."""
    if sys.platform != "linux":
        return []
    minutes = options.rounds or 1
    with TemporaryDirectory(prefix="rig") as name, Laboratory(Path(name), 60 * minutes) as laboratory:
        with Others() as others:
            laboratory.run()
        late_ms = laboratory.late_ms()
        equal = laboratory.equal()
    each = ", ".join(f"{name} {ms:.1f}" for name, ms in late_ms.items())
    note = (
        f"{REAL} boards at ports and {VIRTUAL} simulated, {minutes} min; other programs used {others.cores:.2f} cores"
    )
    return [
        Measure("12 boxes: edge to journal, 99 in 100, worst box", (max(late_ms.values()),), 10, unit=" ms", note=each),
        Measure("12 boxes: processors used by the hosts", (laboratory.used_pct,), 60, unit=" %", note=note),
        Measure("12 boxes: sessions that decide as alone", (equal,), at_least=REAL + VIRTUAL),
    ]


class Laboratory:
    """Twelve boxes: their files, boards and programs."""

    def __init__(self, folder: Path, session_s: int) -> None:
        self.used_pct = 0.0
        self._folder = folder
        self._session_s = session_s
        self._data = folder / "data"
        self._reported: list[dict[str, float]] = []
        for kind in ("rigs", "calibrations", "boxes", "stamps", "site", "runtime"):
            (folder / kind).mkdir(mode=0o700)
        (folder / "site" / "sitecustomize.py").write_text("from benchmarks.box_host import install\n\ninstall()\n")
        self._rigs = [folder / "rigs" / f"r{number}.yaml" for number in range(REAL)]
        for number in range(REAL):
            self._write_rig(number, "/dev/null")
            for side in ("left", "right"):
                path = folder / "calibrations" / f"{side}_{number}.yaml"
                path.write_text(f"extends: sim_{side}.yaml\n")

    def _write_rig(self, number: int, port: str) -> None:
        self._rigs[number].write_text(RIG.format(port=port, number=number))

    def __enter__(self) -> Laboratory:
        command = [sys.executable, "-m", "benchmarks.box_boards", *map(str, self._rigs)]
        self._boards = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._boards.stdout is not None
        for number, port in enumerate(json.loads(self._boards.stdout.readline())):
            self._write_rig(number, port)
        (self._folder / "boxes" / "all.yaml").write_text("\n".join(self._boxes()))
        return self

    def __exit__(self, *exc: object) -> None:
        self._boards.kill()
        self._boards.communicate()

    def _boxes(self) -> Iterator[str]:
        yield f"defaults: {{protocol: two_armed_bandit, stop: {{session_s: {self._session_s}, max_rewards: 5000}}}}"
        yield "boxes:"
        for number in range(REAL):
            yield f"  r{number}: {{rig: r{number}, subject: R{number}, seed: {number}}}"
        for number in range(VIRTUAL):
            yield f"  v{number}: {{rig: sim_nose_ports, subject: V{number}, model: rflr, seed: {number}}}"

    def run(self) -> None:
        """Run all sessions to their end."""
        answers = [
            f"--today=r{number}.{answer}" for number in range(REAL) for answer in ("new=yes", "override=weight=none")
        ]
        words = ("run", "--boxes", str(self._folder / "boxes" / "all.yaml"), "--yes", *answers)
        with self._started(words, stamped=True) as supervisor:
            self._measure_use(supervisor)
            if supervisor.wait() != 0:
                raise RuntimeError(f"the boxes ended with status {supervisor.returncode}")
        ended, _ = self._boards.communicate("")
        self._reported = json.loads(ended)

    @contextmanager
    def _started(self, words: Sequence[str], *, stamped: bool = False) -> Iterator[subprocess.Popen[bytes]]:
        site = [str(self._folder / "site")] if stamped else []
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*site, str(ROOT)]),
            "RIG_DATA": str(self._data if stamped else self._folder / "alone"),
            RUNTIME: str(self._folder / "runtime" / "rig"),
            FOLDER: str(self._folder / "stamps"),
        }
        command = [sys.executable, "-m", "rig.cli.main", *words]
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        with subprocess.Popen(command, env=environment, **quiet) as process:
            yield process

    def _measure_use(self, supervisor: subprocess.Popen[bytes]) -> None:
        """Record the share of all processors that the sessions use, from the last start to before the first end."""
        end = time.monotonic() + STARTED_WITHIN_S
        while len(list(self._data.rglob("environment.json"))) < REAL + VIRTUAL:
            if supervisor.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the boxes have not all started")
            time.sleep(0.2)
        began_s, used_s = time.monotonic(), self._used_s()
        time.sleep(self._session_s * 0.75)
        used_s, took_s = self._used_s() - used_s, time.monotonic() - began_s
        self.used_pct = 100 * used_s / took_s / (os.cpu_count() or 1)

    def _pids(self) -> dict[str, int]:
        return {started.box: started.pid for started in StartedSessions(self._data).newest()}

    def _used_s(self) -> float:
        used = 0
        for pid in self._pids().values():
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")

    # --- afterwards -------------------------------------------------------------------------------------------------

    def late_ms(self) -> dict[str, float]:
        """Return the 99th percentile of each box."""
        found = {}
        for name, pid in self._pids().items():
            stamps = json.loads((self._folder / "stamps" / f"{pid}.json").read_text(encoding="utf-8"))
            reported = self._reported[int(name[1:])] if name.startswith("r") else stamps["reported"]
            late_s = [stamp_s - reported[number] for number, stamp_s in stamps["written"].items()]
            found[name] = quantiles([1000 * each for each in late_s], n=100)[98]
        return found

    def equal(self) -> int:
        """Return how many sessions decide as they do alone, given the same edges."""
        real = sum(replay_lines(self._journal(self._data / f"R{number}"))[1] is None for number in range(REAL))
        return real + sum(map(self._is_as_alone, range(VIRTUAL)))

    def _is_as_alone(self, number: int) -> bool:
        beside = self._journal(self._data / "sim" / f"V{number}")
        stop = ("--set", f"stop.session_s={self._session_s}", "--set", "stop.max_rewards=5000")
        words = ("sim", "two_armed_bandit", "--rig", "sim_nose_ports", "--model", "rflr", "--subject", f"V{number}")
        with self._started((*words, *stop, "--seed", str(number))) as process:
            process.wait()
        return _decisions(beside) == _decisions(self._journal(self._folder / "alone" / "sim" / f"V{number}"))

    def _journal(self, subject: Path) -> list[SessionLine]:
        (path,) = subject.rglob(JOURNAL)
        return read_journal(path.parent)


def _decisions(lines: Sequence[SessionLine]) -> list[SessionLine]:
    return [line for line in lines if isinstance(line, DECISIONS)]
