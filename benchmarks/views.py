"""Cost of the charts of a session: folding the lines of its journal, and building the charts at many trials."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec import structs

from benchmarks.measure import Measure, Options
from rig.core.journal.codec import parse_line
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import RowLine, SessionLine, TrialLine
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL
from rig.session.run.run_session import run_session
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.views.session import SessionViews

START = datetime.datetime(2026, 11, 21, 9)
TRIALS = {"two_armed_bandit": 5_000, "disk_bandit": 5_000, "delay_discounting": 500}
"""Several times as many as a session has."""
MODELS = {"two_armed_bandit": "rflr", "disk_bandit": "pigeon", "delay_discounting": "rat"}
RIGS = {"delay_discounting": "sim_t_maze_tracked"}
TIMES = ("t", "t_in", "t_center_in", "t_site_enter", "t_lap_end", "t_started", "t_armed", "t_collected")
"""Columns with times of the session, which are moved when a session is put behind itself."""


def _session(data: Path, protocol: str) -> Path:
    request = SessionRequest(
        protocol,
        RIGS.get(protocol),
        data=data,
        subject=protocol.replace("_", ""),
        seed=1,
        start=START,
        simulation=SimulationOptions(MODELS[protocol], seed=1),
    )
    run_session(build_spec(request))
    return next(data.rglob(JOURNAL))


def _repeated(lines: list[SessionLine], wanted: int) -> Iterator[SessionLine]:
    """Yield the lines of a session, repeated with later times until there are ``wanted`` trials."""
    body = [line for line in lines if not isinstance(line, (Header, Footer))]
    length_us, behind_us, trials = body[-1].t_us, 0, 0
    while True:
        for line in body:
            moved = structs.replace(line, t_us=line.t_us + behind_us)
            if isinstance(line, TrialLine | RowLine):
                times = {name: line.row[name] + behind_us / 1e6 for name in TIMES if line.row.get(name) is not None}
                moved = structs.replace(moved, row={**line.row, **times})
            yield moved
            trials += isinstance(line, TrialLine)
            if trials == wanted:
                return
        behind_us += length_us


def _measured(protocol: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return per round the share that folding adds to parsing, and the milliseconds of building all charts."""
    with TemporaryDirectory() as folder:
        journal = _session(Path(folder), protocol)
        raw = journal.read_bytes().splitlines()
        shares = []
        for _ in range(rounds):
            start_s = time.process_time()
            lines = [parse_line(line)[1] for line in raw]
            parsed_s = time.process_time()
            views = SessionViews(journal.parent)
            for line in lines:
                views.take(line)
            shares.append((time.process_time() - parsed_s) / (parsed_s - start_s))
        views = SessionViews(journal.parent)
        for line in (lines[0], *_repeated(lines, TRIALS[protocol])):
            views.take(line)
        views.charts()
        trial = next(line for line in lines if isinstance(line, TrialLine))
        builds = [_build_ms(views, trial) for _ in range(10 * rounds)]
    return shares, builds


def _build_ms(views: SessionViews, trial: TrialLine) -> float:
    views.take(trial)  # otherwise the charts are those of before
    start_s = time.perf_counter()
    views.charts()
    return 1000 * (time.perf_counter() - start_s)


def measure(options: Options) -> list[Measure]:
    """Return measures of folding and building for three protocols."""
    found = []
    for protocol in MODELS:
        shares, builds = _measured(protocol, options.rounds or 3)
        note = f"{protocol}, all its views"
        found += [
            Measure("folding a journal for its charts / parsing its lines", tuple(shares), at_most=1, note=note),
            Measure(
                f"all charts at {TRIALS[protocol]} trials, after one more",
                (median(builds),),
                at_most=2,
                unit=" ms",
                note=note,
            ),
        ]
    return found
