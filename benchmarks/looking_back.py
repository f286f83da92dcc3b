"""Cost of a session's start after a session with a journal of 600,000 lines.

Two cases: a session that ended, whose journal is read from its first and last lines and checked by its digest, and a
session that crashed, of which every line is read.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs

from benchmarks.measure import Measure, Options
from rig.cli import common
from rig.cli.main import build
from rig.cli.run import before as preflight
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, StateLine
from rig.core.model.actions import Arm, Nothing, Pulse, RewardAction, Set
from rig.core.model.events import BoardTime, Edge
from rig.records.subject.known_subject import load_known_subject
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.subject_folder import SubjectFolder

LINES = 600_000
MOST_S, MOST_MB = 1.0, 150
MOST_S_CRASHED = 10.0
PROTOCOL = "two_armed_bandit"
NOON = datetime.datetime(2026, 11, 21, 12)
ORDERS = (
    Arm(
        3,
        900,
        (("left.beam", 1, RewardAction(Pulse("left.valve", 40_000), "left", ul=0.001)), ("right.beam", 1, Nothing())),
    ),
    Set("left.light", True),
)


def write(folder: Path, *, ended: bool) -> None:
    """Write the journal of a session of the same day, with many entries and exits of one port."""
    session = folder / "M1" / "2026-11-21" / "001"
    session.mkdir(parents=True)
    header = build_spec(SessionRequest(PROTOCOL, seed=1)).header
    with (session / "journal.jsonl").open("wb") as file:
        journal = Journal(file.write)
        journal.write(structs.replace(header, subject="M1", start="2026-11-21T09:00:00", model=None, simulated=False))
        for number in range(1, LINES // 5):
            t_us = number * 50_000
            journal.write(Edge(t_us, "left.beam", number % 2, 0, 2 * number))
            journal.write(BoardTime(t_us + 5, number - 1, 2 * number + 1))
            journal.command(t_us + 6, 0, number, 2 * number, ORDERS)
            journal.write(BatchDone(t_us + 7, number))
            journal.write(StateLine(t_us + 8, "choose"))
        if ended:
            counts = dict.fromkeys(("executed", "last_event", "unconfirmed_rewards", "rewards", "pellets", "trials"), 0)
            given = {"ul": 0.0, "access_s": 0.0, "given": [], "digest": journal.digest, "carry_over": {}}
            told = {"reason": "time_limit", "detail": "", "counts": dict(journal.counts), "complete": True}
            journal.write(Footer(t_us=t_us, **told, **counts, **given))


def start(data: Path) -> dict[str, float]:
    """Run all steps before the board is opened, in this process; return seconds and megabytes."""
    prepared = build_spec(SessionRequest(PROTOCOL))
    words = ["run", PROTOCOL, "--subject", "M1", "--yes", "--override", "weight=a benchmark", "--data", str(data)]
    arguments: Any = build(["run"]).parse_args(words)
    common.start_time = lambda text: NOON  # the day of the journal
    rules = load_known_subject(data / "M1").on(NOON.date()).rules
    begun_s = time.process_time()
    with contextlib.redirect_stderr(io.StringIO()):
        preflight.run_preflight(arguments, prepared, data / "M1", rules, None, simulated=False)
    with SubjectFolder(data, "M1") as subject:
        subject.days_before("2026-11-21")
    took_s = time.process_time() - begun_s
    return {"s": took_s, "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def measure(options: Options) -> list[Measure]:
    """Return measures of the start in a new process for each case; Linux only."""
    if not sys.platform.startswith("linux"):
        return []
    found = []
    for ended, most_s in ((True, MOST_S), (False, MOST_S_CRASHED)):
        with TemporaryDirectory() as folder:
            write(Path(folder), ended=ended)
            size_mb = next(Path(folder).rglob("journal.jsonl")).stat().st_size / 1e6
            words = (sys.executable, "-m", "benchmarks.looking_back", folder)
            rounds = [json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout) for _ in range(3)]
        after = f"start after a session of {LINES} lines that {'ended' if ended else 'crashed'}"
        note = f"processor time before the board is opened; a journal of {size_mb:.0f} MB"
        seconds = tuple(each["s"] for each in rounds)
        found += [
            Measure(after, seconds, at_most=most_s, unit=" s", note=note),
            Measure("memory of that start", tuple(each["mb"] for each in rounds), at_most=MOST_MB, unit=" MB"),
        ]
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(start(Path(sys.argv[1]))))
