"""A campaign: who, how many sessions, and each session's own chance, whatever process runs it."""

from __future__ import annotations

import argparse
import datetime
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rig.cli import common
from rig.cli.status import STOPPED
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal
from rig.core.streams import session_seed
from rig.session.perform import Order, perform
from rig.session.setup import Prepared, prepare
from rig.session.stop import SIGNALS


@dataclass(frozen=True)
class Campaign:
    """Everything that decides the sessions of a campaign; made of plain values, so that it can travel."""

    protocol: str
    rig: str | None
    sets: tuple[str, ...]
    driver: str | None
    model: str
    options: tuple[tuple[str, str], ...]
    subjects: tuple[str, ...]
    sessions: int
    seed: int
    start: datetime.datetime
    data: Path
    speed: float

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Campaign:
        """Read the command line. Raises ``ConfigError``."""
        for name in ("subjects", "sessions", "jobs"):
            count = getattr(arguments, name)
            if count is not None and count < 1:
                raise ConfigError(f"--{name} {count}: wanted 1 or more")
        if arguments.subject is not None and arguments.subjects is not None:
            raise ConfigError("--subject names one subject and --subjects counts many: give one of them")
        subjects, sessions = _who(arguments)
        start = common.start_time(arguments.start)
        if sessions > (datetime.date.max - start.date()).days:
            raise ConfigError(f"--sessions {sessions}: so many days after {start.date()} there is no calendar")
        return cls(
            protocol=arguments.protocol,
            rig=arguments.rig,
            sets=tuple(arguments.set),
            driver=arguments.board,
            model=arguments.model,
            options=tuple(common.options(arguments.param).items()),
            subjects=subjects,
            sessions=sessions,
            seed=arguments.seed,
            start=start,
            data=common.data_folder(arguments),
            speed=common.speed(arguments.speed),
        )

    def prepared(self) -> Prepared:
        """Read the files."""
        return prepare(self.protocol, self.rig, self.sets, self.driver)

    def order(self, subject: str, session: int) -> Order:
        """Say what the ``session``-th session of a subject is, counted from 0. A lone one has the campaign's seed."""
        alone = len(self.subjects) * self.sessions == 1
        seed = self.seed if alone else session_seed(self.seed, subject, session)
        return Order(
            data=self.data,
            subject=subject,
            seed=seed,
            start=self.start + datetime.timedelta(days=session),
            rehearsal=Rehearsal(self.model, dict(self.options), seed=seed),
            speed=self.speed,
        )


def _who(arguments: argparse.Namespace) -> tuple[tuple[str, ...], int]:
    """Name the subjects, and count the sessions of each; without a subject every session has its own."""
    if arguments.subject is not None:
        return (arguments.subject,), arguments.sessions
    count, sessions = arguments.subjects, arguments.sessions
    if count is None:
        count, sessions = sessions, 1
    return tuple(f"sim{number:03d}" for number in range(1, count + 1)), sessions


def run_subject(campaign: Campaign, subject: str) -> list[dict[str, Any]]:
    """Run all sessions of one subject, in order, unless the operator stops one."""
    prepared = campaign.prepared()
    found: list[dict[str, Any]] = []
    while len(found) < campaign.sessions and not _stopped(found):
        found.append(common.keep(perform(prepared, campaign.order(subject, len(found)))))
    return found


def _stopped(summaries: list[dict[str, Any]]) -> bool:
    return bool(summaries) and summaries[-1]["reason"] == "operator"


def run_campaign(campaign: Campaign, jobs: int) -> list[dict[str, Any]]:
    """Run a campaign in so many processes; return the summaries by subject, then session."""
    if jobs == 1:
        found = []
        for subject in campaign.subjects:
            found.append(run_subject(campaign, subject))
            if _stopped(found[-1]):
                break
    else:
        found = _in_processes(campaign, min(jobs, len(campaign.subjects)))
    return [summary for summaries in found for summary in summaries]


def _in_processes(campaign: Campaign, jobs: int) -> list[list[dict[str, Any]]]:
    chunk = max(1, len(campaign.subjects) // (jobs * 8))
    spawn = multiprocessing.get_context("spawn")
    with _Interruptible(), ProcessPoolExecutor(jobs, spawn, _begin_worker) as pool:
        try:
            return list(pool.map(partial(_work, campaign), campaign.subjects, chunksize=chunk))
        except KeyboardInterrupt:
            for worker in multiprocessing.active_children():
                worker.terminate()  # its session ends as the operator's stop ends one
            raise


class _Interruptible:
    """Take the system's other ways of saying stop for Ctrl-C, which the workers leave to us."""

    def __enter__(self) -> None:
        self._before = {number: signal.getsignal(number) for number in _others()}
        for number, handler in self._before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def _others() -> list[int]:
    here = threading.current_thread() is threading.main_thread()
    return [getattr(signal, name) for name in SIGNALS if here and name != "SIGINT" and hasattr(signal, name)]


_over = False
"""Whether the operator has stopped this worker: what is still queued for it is not begun."""


def _begin_worker() -> None:
    if os.name == "posix":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(STOPPED)


def _work(campaign: Campaign, subject: str) -> list[dict[str, Any]]:
    global _over
    found = [] if _over else run_subject(campaign, subject)
    _over = _over or _stopped(found)
    return found
