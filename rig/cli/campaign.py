"""A campaign: who, how many sessions, and each session's own chance, whatever process runs it."""

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
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path

from rig.cli import common
from rig.cli.common import Kept
from rig.cli.course import Assigned, Assigner, Course
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal
from rig.core.streams import session_seed
from rig.session.perform import Facts, Order
from rig.session.subject import check_name
from rig.signals import SIGNALS, Stops, handling
from rig.status import STOPPED


@dataclass(frozen=True)
class Campaign:
    """Everything that decides the sessions of a campaign; made of plain values, so that it can travel."""

    course: Course
    model: str
    options: tuple[tuple[str, str], ...]
    subjects: tuple[str, ...]
    first: int
    sessions: int
    seed: int
    start: datetime.datetime
    data: Path
    speed: float

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Campaign:
        """Read the command line. Raises ``ConfigError``."""
        for name in ("subjects", "sessions", "first", "jobs"):
            count = getattr(arguments, name)
            if count is not None and count < 1:
                raise ConfigError(f"--{name} {count}: wanted 1 or more")
        if arguments.subject is not None and arguments.subjects is not None:
            raise ConfigError("--subject names one subject and --subjects counts many: give one of them")
        subjects, sessions = _who(arguments)
        start = common.start_time(arguments.start)
        last = arguments.first - 1 + sessions
        if last > (datetime.date.max - start.date()).days:
            raise ConfigError(f"--sessions {sessions}: {last} days after {start.date()} there is no calendar")
        return cls(
            course=Course.of(arguments),
            model=arguments.model,
            options=tuple(common.options(arguments.param).items()),
            subjects=subjects,
            first=arguments.first,
            sessions=sessions,
            seed=arguments.seed,
            start=start,
            data=common.data_folder(arguments),
            speed=common.speed(arguments.speed),
        )

    def order(self, subject: str, session: int, facts: Facts) -> Order:
        """Say what the ``session``-th session of a subject is, counted from 0 at the first day of this campaign.

        A lone one has the campaign's seed. ``facts`` go into its header.
        """
        alone = len(self.subjects) * self.sessions * self.first == 1
        session += self.first - 1
        seed = self.seed if alone else session_seed(self.seed, subject, session)
        return Order(
            data=self.data,
            subject=subject,
            seed=seed,
            start=self.start + datetime.timedelta(days=session),
            rehearsal=Rehearsal(self.model, dict(self.options), seed=seed),
            speed=self.speed,
            facts=facts,
        )


def _who(arguments: argparse.Namespace) -> tuple[tuple[str, ...], int]:
    """Name the subjects, and count the sessions of each; without a subject every session has its own.

    A curriculum is gone through by one subject at least.
    """
    if arguments.subject is not None:
        return (arguments.subject,), arguments.sessions
    count, sessions = arguments.subjects, arguments.sessions
    if count is None:
        count, sessions = (sessions, 1) if arguments.curriculum is None else (1, sessions)
    return tuple(f"sim{number:03d}" for number in range(1, count + 1)), sessions


def run_subject(campaign: Campaign, subject: str) -> list[Kept]:
    """Run all sessions of one subject, in order, unless the operator stops one, or its curriculum is over."""
    assigner = Assigner(campaign.course)
    found: list[Kept] = []
    while len(found) < campaign.sessions and not _stopped(found):
        assigned = assigner.assign(campaign.data / check_name(subject))
        if assigned is None:
            break
        order = campaign.order(subject, len(found), assigned.facts())
        _tell(order, assigned)
        found.append(common.conduct(assigned.prepared, order))
    return found


def _tell(order: Order, assigned: Assigned) -> None:
    """Say which stage of a curriculum begins: a whole training takes minutes."""
    decision = assigned.decision
    if decision is not None and decision.stage != decision.came_from:
        with suppress(OSError):  # a worker may have nowhere to say it
            print(f"{order.start:%Y-%m-%d}  {order.subject}  {decision.stage}: {decision.why}", file=sys.stderr)


def _stopped(found: list[Kept]) -> bool:
    return bool(found) and found[-1].stopped


def run_campaign(campaign: Campaign, jobs: int) -> list[Kept]:
    """Run a campaign in so many processes; return what is left of the sessions by subject, then session."""
    if jobs == 1:
        found = []
        for subject in campaign.subjects:
            found.append(run_subject(campaign, subject))
            if _stopped(found[-1]):
                break
    else:
        found = _in_processes(campaign, min(jobs, len(campaign.subjects)))
    return [kept for of_subject in found for kept in of_subject]


def _in_processes(campaign: Campaign, jobs: int) -> list[list[Kept]]:
    """Share the subjects out; a stop lets the running sessions end as the operator's stop ends one."""
    chunk = max(1, len(campaign.subjects) // (jobs * 8))
    spawn = multiprocessing.get_context("spawn")
    going_on, stop = spawn.Pipe(duplex=False)
    stops = Stops(stop.close, lambda: None)  # however often it is said: sessions that end write their records
    with handling(SIGNALS, stops):
        with _for_us_alone():
            pool = ProcessPoolExecutor(jobs, spawn, _begin_worker, (going_on,))
            results = pool.map(partial(_work, campaign), campaign.subjects, chunksize=chunk)
        with pool:
            found = list(results)
    if stops.presses and not any(map(_stopped, found)):
        raise KeyboardInterrupt
    return found


@contextmanager
def _for_us_alone() -> Iterator[None]:
    """Let signals wait while processes are made, so that the new ones do not hear them before they are ready."""
    if os.name != "posix":
        yield
        return
    signals = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        resource_tracker.ensure_running()  # a process too, and to start it lets two of them through again
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_over = False
"""Whether the operator wants no more of this worker: what is still queued for it is not begun."""

AGAIN_S = 1.0
"""A stop may come just before a session listens; one that has heard it has ended by then."""


def _begin_worker(going_on: Connection) -> None:
    """Hear a stop from our parent alone; a terminal says it to all."""
    for name in SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # so that a session may listen to it
    threading.Thread(target=_listen, args=(going_on,), name="listen to parent", daemon=True).start()


def _listen(going_on: Connection) -> None:
    global _over
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    gone = parent.sentinel in wait([going_on, parent.sentinel])
    _over = True
    while not gone:
        _thread.interrupt_main(signal.SIGTERM)
        gone = bool(wait([parent.sentinel], AGAIN_S))
    os._exit(STOPPED)


def _work(campaign: Campaign, subject: str) -> list[Kept]:
    global _over
    found = [] if _over else run_subject(campaign, subject)
    _over = _over or _stopped(found)
    return found
