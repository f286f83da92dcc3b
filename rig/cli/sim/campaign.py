"""A campaign of simulated sessions: subjects, sessions, and a random seed for each session.

Seeds depend on subject and session, not on the process: results are the same for any number of jobs.
"""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from rig.campaigns.subject_before import SubjectBefore
from rig.cli import common
from rig.cli.run.request import requested
from rig.cli.run_and_save import FinishedSession, run_and_save
from rig.core.errors import ConfigError, RigError
from rig.core.task.random_streams import session_seed
from rig.jobs.engine import Chain
from rig.jobs.open_engine import open_engine
from rig.jobs.worker import stop_requested
from rig.session.curriculum.stage_planner import Records, StagePlanner
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_facts import parse_facts
from rig.session.subject_folder import check_name, subjects_folder
from rig.system.statuses import STOPPED
from rig.terminal.format import pluralize


@dataclass(frozen=True, eq=False)
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
    key: str = field(default_factory=lambda: uuid4().hex)
    """What tells it from other campaigns, also where it was pickled."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Campaign) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Campaign:
        """Parse the command line. Raises ``ConfigError``."""
        for name in ("subjects", "sessions", "start_day", "jobs"):
            count = getattr(arguments, name)
            if count is not None and count < 1:
                raise ConfigError(f"--{name} {count}: wanted 1 or more")
        if arguments.subject is not None and arguments.subjects is not None:
            raise ConfigError("--subject names one subject and --subjects counts many: give one of them")
        speed = common.speed(arguments.speed)
        if (arguments.jobs or 1) > 1 and not math.isinf(speed):
            raise ConfigError(
                f"--speed {arguments.speed} with --jobs {arguments.jobs}: sessions that one watches run one by one: "
                "leave out one of them"
            )
        subjects, sessions = _who(arguments)
        start = common.start_time(arguments.start)
        last = arguments.start_day - 1 + sessions
        if last > (datetime.date.max - start.date()).days:
            raise ConfigError(f"--sessions {sessions}: {last} days after {start.date()} there is no calendar")
        return cls(
            request=replace(
                requested(arguments),
                simulation=common.simulation(arguments, arguments.seed),
                subject_facts=parse_facts(arguments.fact),
            ),
            subjects=subjects,
            start_day=arguments.start_day,
            sessions=sessions,
            seed=arguments.seed,
            start=start,
            speed=speed,
            from_records=arguments.from_records,
        )

    def records(self, subject: str, session: int = 0) -> Records:
        """Return the records that select the ``session``-th session of a subject. Raises ``ConfigError``."""
        return Records.of(self.request.data, subject, simulated=True, from_records=self.from_records and session == 0)

    def folder(self, subject: str) -> Path:
        """Return the folder of a subject. Raises ``ConfigError`` for what cannot be a subject's name."""
        return subjects_folder(self.request.data, simulated=True) / check_name(subject)

    def chain(self, subject: str) -> Chain[SubjectOrder, list[FinishedSession]]:
        """Return the job of a subject. Raises ``ConfigError`` and ``RecordError``."""
        return Chain(SubjectOrder(self, subject, SubjectBefore.of(self.folder(subject))))

    def sorted(self, sessions: list[FinishedSession]) -> list[FinishedSession]:
        """Return sessions by the order of their subjects."""
        places: dict[str | None, int] = {subject: place for place, subject in enumerate(self.subjects)}
        return sorted(sessions, key=lambda finished: places[finished.summary.subject])

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
        while len(found) < campaign.sessions and not _stopped(found) and not stop_requested():
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
        folders = dict.fromkeys(finished.summary.folder for finished in (sessions[0], sessions[-1]))
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


@dataclass(frozen=True)
class SubjectOrder:
    """The job of one subject, and what its folder held before."""

    campaign: Campaign
    subject: str
    before: SubjectBefore

    def __str__(self) -> str:
        return self.subject


def run_order(order: SubjectOrder) -> list[FinishedSession]:
    """Run the sessions of a subject, from the beginning also if a process was killed that had begun with them."""
    with order.before.in_job(order.campaign.folder(order.subject), order.campaign.key):
        return run_subject(order.campaign, order.subject, _planner(order.campaign))


@lru_cache(maxsize=1)
def _planner(campaign: Campaign) -> StagePlanner:
    # One for all subjects of this process: reading the files again for each would cost 3 % of a session.
    return StagePlanner(campaign.request)


def run_campaign(campaign: Campaign, jobs: int | None) -> list[FinishedSession]:
    """Run a campaign in ``jobs`` processes; return the sessions, sorted by subject, then by session.

    Sessions that one watches run one by one. After a stop the last session has its status.
    """
    if not math.isinf(campaign.speed):
        jobs = 1
    found: list[FinishedSession] = []
    try:
        with open_engine(jobs, most=len(campaign.subjects)) as engine:
            for sessions in engine.run(run_order, map(campaign.chain, campaign.subjects)):
                found += sessions
                if _stopped(sessions):
                    break
    except RigError:
        _report_finished("of other subjects ran", campaign.sorted(found))
        raise
    except KeyboardInterrupt:
        if not found:
            raise
        return _with_stop(campaign.sorted(found))
    return campaign.sorted(found)


def _with_stop(found: list[FinishedSession]) -> list[FinishedSession]:
    return [*found[:-1], found[-1]._replace(status=STOPPED, stopped=True)]
