"""A campaign of simulated sessions: subjects, sessions, and a random seed for each session.

Seeds depend on subject and session, not on the process: results are the same for any number of jobs.
"""

from __future__ import annotations

import _thread
import argparse
import datetime
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from rig.cli import common
from rig.cli.commands.plan import requested
from rig.cli.run_and_save import FinishedSession, run_and_save
from rig.core.errors import ConfigError, RigError
from rig.core.task.random_streams import session_seed
from rig.session.build.request import SessionRequest
from rig.session.build.spec import SessionSpec
from rig.session.curriculum.stage_planner import Records, StagePlanner
from rig.system.signals import SIGNALS, InterruptHandler, signal_handler
from rig.system.statuses import STOPPED
from rig.terminal.format import pluralize
from rig.terminal.output import SafeStreams


@dataclass(frozen=True)
class Campaign:
    """The settings of a campaign, in plain values that can be pickled for worker processes."""

    request: SessionRequest
    """The request of every session, without subject, seed and start."""
    subjects: tuple[str, ...]
    start_day: int
    sessions: int
    seed: int
    start: datetime.datetime
    speed: float
    from_records: bool

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Campaign:
        """Parse the command line. Raises ``ConfigError``."""
        for name in ("subjects", "sessions", "start_day", "jobs"):
            count = getattr(arguments, name)
            if count is not None and count < 1:
                raise ConfigError(f"--{name} {count}: wanted 1 or more")
        if arguments.subject is not None and arguments.subjects is not None:
            raise ConfigError("--subject names one subject and --subjects counts many: give one of them")
        subjects, sessions = _who(arguments)
        start = common.start_time(arguments.start)
        last = arguments.start_day - 1 + sessions
        if last > (datetime.date.max - start.date()).days:
            raise ConfigError(f"--sessions {sessions}: {last} days after {start.date()} there is no calendar")
        return cls(
            request=replace(requested(arguments), simulation=common.simulation(arguments, arguments.seed)),
            subjects=subjects,
            start_day=arguments.start_day,
            sessions=sessions,
            seed=arguments.seed,
            start=start,
            speed=common.speed(arguments.speed),
            from_records=arguments.from_records,
        )

    def records(self, subject: str, session: int = 0) -> Records:
        """Return the records that select the ``session``-th session of a subject. Raises ``ConfigError``."""
        return Records.of(self.request.data, subject, simulated=True, from_records=self.from_records and session == 0)

    def session(self, subject: str, session: int, spec: SessionSpec) -> SessionSpec:
        """Return the ``session``-th session of a subject, counted from 0 at the first day of this campaign.

        A campaign of one session uses the campaign's seed directly.
        """
        alone = len(self.subjects) * self.sessions * self.start_day == 1
        session += self.start_day - 1
        seed = self.seed if alone else session_seed(self.seed, subject, session)
        request = replace(
            self.request,
            subject=subject,
            seed=seed,
            start=self.start + datetime.timedelta(days=session),
            simulation=replace(self.request.simulation, seed=seed),
            speed=self.speed,
        )
        return replace(spec, request=request)


def _who(arguments: argparse.Namespace) -> tuple[tuple[str, ...], int]:
    """Return the subjects, and the number of sessions of each.

    Without a subject, every session has a new subject; with a curriculum, one subject runs all sessions.
    """
    if arguments.subject is not None:
        return (arguments.subject,), arguments.sessions
    count, sessions = arguments.subjects, arguments.sessions
    if count is None:
        count, sessions = (sessions, 1) if arguments.curriculum is None else (1, sessions)
    return tuple(f"sim{number:03d}" for number in range(1, count + 1)), sessions


def run_subject(campaign: Campaign, subject: str, planner: StagePlanner) -> list[FinishedSession]:
    """Run the sessions of one subject in order, until the operator stops or the curriculum ends."""
    found: list[FinishedSession] = []
    try:
        while len(found) < campaign.sessions and not _stopped(found):
            assigned = planner.assign(campaign.records(subject, len(found)))
            if assigned is None:
                break
            spec = campaign.session(subject, len(found), assigned)
            _report_stage(spec)
            found.append(run_and_save(spec))
    except RigError:
        _report_finished(f"of {subject} ran before the one that is refused", found)
        raise
    return found


def _report_finished(which: str, sessions: list[FinishedSession]) -> None:
    """Print which sessions of a campaign have run before another one was refused."""
    if sessions:
        folders = dict.fromkeys(str(finished.summary["folder"]) for finished in (sessions[0], sessions[-1]))
        with suppress(OSError):  # a worker's stderr may be closed
            print(f"{pluralize(len(sessions), 'session')} {which}, records: {' ... '.join(folders)}", file=sys.stderr)


def _report_stage(spec: SessionSpec) -> None:
    """Print a change of stage and the records used: a whole training takes minutes."""
    decision, request = spec.decision, spec.request
    said = []
    if spec.from_records is not None:
        said.append(f"begins from the real records, after {spec.from_records}")
    if decision is not None and decision.stage != decision.previous_stage:
        said.append(f"{decision.stage}: {decision.explanation}")
    with suppress(OSError):  # a worker's stderr may be closed
        for text in said:
            print(f"{request.start:%Y-%m-%d}  {request.subject}  {text}", file=sys.stderr)


def _stopped(found: list[FinishedSession]) -> bool:
    return bool(found) and found[-1].stopped


def run_campaign(campaign: Campaign, jobs: int) -> list[FinishedSession]:
    """Run a campaign in ``jobs`` processes; return the sessions, sorted by subject, then by session."""
    found: list[FinishedSession] = []
    try:
        if jobs == 1:
            planner = StagePlanner(campaign.request)
            for subject in campaign.subjects:
                sessions = run_subject(campaign, subject, planner)
                found += sessions
                if _stopped(sessions):
                    break
        else:
            _in_processes(campaign, min(jobs, len(campaign.subjects)), found)
    except RigError:
        _report_finished("of other subjects ran", found)
        raise
    return found


def _in_processes(campaign: Campaign, jobs: int, found: list[FinishedSession]) -> None:
    """Run subjects in processes and append their sessions to ``found``; a stop ends running sessions."""
    chunk = max(1, len(campaign.subjects) // (jobs * 8))
    spawn = multiprocessing.get_context("spawn")
    going_on, stop = spawn.Pipe(duplex=False)
    stops = InterruptHandler(
        stop.close, lambda: None
    )  # a second stop has no effect: sessions that end must write their records
    with signal_handler(SIGNALS, stops):
        with _signals_blocked():
            pool = ProcessPoolExecutor(jobs, spawn, _init_worker, (going_on,))
            results = pool.map(partial(_work, campaign), campaign.subjects, chunksize=chunk)
        with pool:
            for sessions in results:
                found += sessions
    if stops.count and not any(finished.stopped for finished in found):
        raise KeyboardInterrupt


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Yield with signals blocked while processes start, so that none arrives before a worker has its handlers."""
    if os.name != "posix":
        yield
        return
    signals = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        resource_tracker.ensure_running()  # starting this process unblocks two signals, so block them again
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_planner: StagePlanner | None = None
"""The planner of all subjects of this worker: reading the files again for each would cost 3 % of a session."""

_stopping = False
"""Whether the operator stopped the campaign: this worker starts no queued session."""

REPEAT_STOP_S = 1.0
"""The interval for repeating a stop, which may arrive just before a session installs its handler."""


def _init_worker(going_on: Connection) -> None:
    """Set a worker to ignore terminal signals; the parent forwards them."""
    for name in SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # a session replaces this handler
    SafeStreams().__enter__()  # for the lifetime of the worker
    threading.Thread(target=_listen, args=(going_on,), name="listen to parent", daemon=True).start()


def _listen(going_on: Connection) -> None:
    global _stopping
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    gone = parent.sentinel in wait([going_on, parent.sentinel])
    _stopping = True
    while not gone:
        _thread.interrupt_main(signal.SIGTERM)
        gone = bool(wait([parent.sentinel], REPEAT_STOP_S))
    os._exit(STOPPED)


def _work(campaign: Campaign, subject: str) -> list[FinishedSession]:
    global _planner, _stopping
    _planner = _planner or StagePlanner(campaign.request)
    found = [] if _stopping else run_subject(campaign, subject, _planner)
    _stopping = _stopping or _stopped(found)
    return found
