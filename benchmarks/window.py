"""The live window: reading and drawing of long sessions, its memory, and what a session's loop notices of it.

``--rounds`` is the number of pairs of sessions with and without displays (default: 3).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options, Others
from benchmarks.window_host import RESULT
from benchmarks.window_journal import write_journal
from rig.records.journal.read import JOURNAL
from rig.system.control_socket import FOLDER as RUNTIME

ROOT = Path(__file__).parents[1]
TRIALS, EDGES, HOURS = 5000, 200_000, 24.0
SESSION_S = 30
WATCHERS = 2
QUIET = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)


def measure(options: Options) -> list[Measure]:
    """Return the measures; Linux only, for its ``/proc``."""
    if sys.platform != "linux":
        return []
    with TemporaryDirectory(prefix="rig") as name:
        folder = Path(name)
        write_journal(folder / "day" / JOURNAL, TRIALS, EDGES, HOURS)
        day = _page(folder / "day" / JOURNAL)
        joined = _page(_two_hours(folder / "data"))
        ratios, note = _jitter(folder, options.rounds or 3)
    size = f"{TRIALS} trials and {EDGES} edges in {HOURS:g} h"
    return [
        Measure("window: redraw after a trial, 95 in 100", (day["redraw_ms"],), at_most=30, unit=" ms", note=size),
        Measure("window: redraw of the whole session", (day["redraw_all_ms"],), at_most=30, unit=" ms", note=size),
        Measure("window: growth of memory over a day", (day["growth_mb"],), at_most=25, unit=" MB", note=size),
        Measure(
            "window: processor time from its start to the first chart of a session of 2 h",
            (joined["first_chart_s"],),
            at_most=1,
            unit=" s",
        ),
        Measure(
            "window: processor time from its start until a session of 2 h is read and drawn",
            (joined["joined_s"],),
            at_most=1.3,
            unit=" s",
            note=f"{joined['lines']} lines and all charts",
        ),
        Measure(
            "window: processor time to read a session of 2 h",
            (joined["read_s"],),
            at_most=1,
            unit=" s",
            note=f"{joined['lines']} lines",
        ),
        Measure("session: p99 lateness with displays / without", tuple(ratios), at_most=1.5, note=note),
    ]


def _page(journal: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.window_page", str(journal)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _two_hours(data: Path) -> Path:
    limits = ("stop.session_s=7200", "stop.max_rewards=5000", "stop.max_ul=20000")
    words = ["sim", "two_armed_bandit", "--model", "rflr", "--seed", "1", "--subject", "M1", "--data", str(data)]
    words += [word for limit in limits for word in ("--set", limit)]
    subprocess.run([sys.executable, "-m", "rig.cli.main", *words], cwd=ROOT, check=True, **QUIET)
    return next(data.rglob(JOURNAL))


def _jitter(folder: Path, rounds: int) -> tuple[list[float], str]:
    """Return the ratio of each round; a session with displays and one without run right after each other."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text("from benchmarks.window_host import install\n\ninstall()\n")
    (folder / "runtime").mkdir(mode=0o700)
    ratios, lates = [], []
    with Others() as others:
        for number in range(rounds):
            alone = _late_ms(folder, f"alone{number}", displays=False)
            shown = _late_ms(folder, f"shown{number}", displays=True)
            ratios.append(shown / alone)
            lates.append(f"{shown:.2f} / {alone:.2f} ms")
    note = f"window and {WATCHERS} `rig watch`; {', '.join(lates)}; other programs used {others.cores:.2f} cores"
    return ratios, note


def _late_ms(folder: Path, subject: str, *, displays: bool) -> float:
    data, result = folder / subject, folder / f"{subject}.txt"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(folder / "site"), str(ROOT))),
        RUNTIME: str(folder / "runtime"),
        RESULT: str(result),
    }
    words = ["run", "two_armed_bandit", "--model", "rflr", "--subject", subject, "--yes", "--seed", "1"]
    words += ["--data", str(data), "--set", f"stop.session_s={SESSION_S}"]
    # Without a terminal `rig run` has a display that prints lines; it is there both times.
    with subprocess.Popen(
        [sys.executable, "-m", "rig.cli.main", *words], env=environment, cwd=ROOT, **QUIET
    ) as session:
        while not (journals := list(data.rglob(JOURNAL))) and session.poll() is None:
            time.sleep(0.1)
        others = [_display(words, journals[0]) for words in (DISPLAYS if displays else ())]
        session.wait()
        for other in others:
            other.kill()
            other.wait()
    return float(result.read_text(encoding="ascii"))


DISPLAYS: Sequence[Sequence[str]] = (
    ("-m", "rig.window"),
    *[("-m", "rig.cli.main", "watch")] * WATCHERS,
)


def _display(words: Sequence[str], journal: Path) -> subprocess.Popen[bytes]:
    what = json.dumps({"journals": [str(journal)]}) if "rig.window" in words else str(journal)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, *words, what], env=environment, cwd=ROOT, **QUIET)
