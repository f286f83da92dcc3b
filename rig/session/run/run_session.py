"""Run one session from start to finish: the subject's lock, the folder, the board, the task, and the new state."""

from __future__ import annotations

import asyncio
import datetime
import math
import traceback
from collections.abc import Callable, Coroutine, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path

from rig.boards.driver_lookup import Connection, Driver, find_driver, make_board
from rig.config.subject import limits_of
from rig.core.engine.inbox import Inbox
from rig.core.engine.observer import Observers, SessionObserver
from rig.core.errors import BoardError, ConfigError, RecordError
from rig.core.journal.header import Header
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Note
from rig.core.model.board import Board, BoardInfo
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.core.model.rows import TRIAL_TABLE
from rig.records.session.brief import advances_state
from rig.records.session.read_environment import ENVIRONMENT
from rig.session.broken import BrokenSession, read_broken
from rig.session.daily_total import UNLIMITED, RemainingAmounts, load_daily_total
from rig.session.run.block_recorder import BlockRecorder
from rig.session.run.collect_environment import board_facts, host_facts
from rig.session.run.collected import RowCollector, Tables
from rig.session.run.controls import RequestFollower, SessionControls
from rig.session.run.cpu_latency import KeepCpuAwake
from rig.session.run.disk_space import check_space
from rig.session.run.footer import Outcome
from rig.session.run.gc_control import GcPaused
from rig.session.run.heartbeat import Heartbeat
from rig.session.run.journal_file import Recorder, claim_folder, copy_sources, discard_folder, write_json
from rig.session.run.rebuild import ResumedJournal, Resumption
from rig.session.run.sampling import build_sample_recorder
from rig.session.run.session import Session
from rig.session.run.stop import StopSignals
from rig.session.run.tracking import build_track_recorder
from rig.session.settle_previous import SettledSession, settle_previous
from rig.session.spec.local_files import replaced_sources
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_facts import subject_of_session
from rig.session.subject_folder import SubjectFolder
from rig.system.atomic_files import write_atomic
from rig.system.garbage import rare_collections


@dataclass(frozen=True)
class SessionResult:
    """Result of a session: its folder, specification, outcome, table rows and protocol notes.

    ``stopped`` is whether the operator asked to stop, even if the session had already ended.
    """

    folder: Path
    spec: SessionSpec
    outcome: Outcome
    tables: Tables
    notes: list[Note] = field(default_factory=list)
    stopped: bool = False
    remark: str = ""
    """Remark of the virtual subject for the operator."""
    settled: tuple[SettledSession, ...] = ()
    """Earlier sessions of the board whose rewards in doubt it has settled."""

    @property
    def header(self) -> Header:
        """Return the journal's header."""
        return self.spec.header

    @property
    def rows(self) -> list[dict[str, object]]:
        """Return the rows of the trial table."""
        return self.tables[TRIAL_TABLE]


def run_session(
    spec: SessionSpec,
    *,
    on_folder: Callable[[Path], object] | None = None,
    on_beat: Callable[[], object] | None = None,
    on_finished: Callable[[SessionResult], object] = lambda result: None,
    controlled: bool = False,
) -> SessionResult:
    """Run one session and keep its records.

    ``on_folder`` is called with the session's folder before the journal begins, ``on_beat`` once a second while the
    session runs; ``on_finished`` writes the tables, while no signal can cut it short. Other programs of the same user
    can reach a ``controlled`` session at its socket. Raises ``ConfigError`` or ``RecordError`` before anything
    has happened, ``BoardError`` before the first event.
    """
    request, driver = spec.request, find_driver(spec.plan.board.driver)
    simulated = is_simulated(spec, driver, request.simulation.model)
    loop = driver.loop(request.speed)
    try:
        with StopSignals() as stop, SubjectFolder(request.data, request.subject, simulated=simulated) as subject:
            check_space(subject.folder)
            remaining_today = UNLIMITED if simulated else _remaining_today(subject, spec)
            state, carried_over = _load_state(subject, spec)
            spec = replace(spec, simulated=simulated, remaining_today=remaining_today, carried_over=carried_over)
            # Before a folder is claimed: a subject whom the protocol refuses gets no session.
            spec.check_history()
            start = session_start(request)
            spec = replace(spec, about_subject=subject_of_session(spec, subject, start))
            days = subject.days_before(start.date().isoformat())
            running = _Runtime(spec, driver, simulation_options(spec, days), on_beat, controlled=controlled)
            folder = claim_folder(subject.folder, start.date().isoformat(), synced=spec.durable)
            is_followed = controlled or on_folder is not None or on_beat is not None
            outcome = _run_in_folder(running, loop, stop, folder, on_folder, is_followed=is_followed)
            result = _finish(subject, state, running, outcome, folder, stop, on_finished)
        # Without the lock of this subject, whose own last session may be the one in doubt.
        return result if simulated else replace(result, settled=tuple(settle_previous(folder)))
    finally:
        # A start that is refused never gives the loop to asyncio.Runner, which would close it.
        loop.close()


def _run_in_folder(
    running: _Runtime,
    loop: asyncio.AbstractEventLoop,
    stop: StopSignals,
    folder: Path,
    on_folder: Callable[[Path], object] | None,
    *,
    is_followed: bool,
) -> Outcome:
    """Run a session in its new folder; if it gave no order, an error removes the folder."""
    try:
        if on_folder is not None:
            on_folder(folder)
        # The journal first: a folder with sources and no journal is of a session whose journal is lost.
        recorder = running.recorder(folder, is_followed=is_followed)
        try:
            copy_sources(folder, running.spec.sources, synced=running.spec.durable)
        except RecordError:
            recorder.close()
            raise
        return running.run(loop, stop, recorder)
    except (ConfigError, BoardError, RecordError):
        # Raised before the first event, so there are no records to keep. Should one come later all the same,
        # the records of what was ordered stay.
        if not running.has_ordered:
            discard_folder(folder)
        raise


def resume_session(
    spec: SessionSpec,
    session: Path,
    *,
    on_folder: Callable[[Path], object] | None = None,
    on_beat: Callable[[], object] | None = None,
    on_finished: Callable[[SessionResult], object] = lambda result: None,
    controlled: bool = False,
) -> SessionResult:
    """Run the rest of a session that broke off, in its own folder; otherwise as `run_session`.

    ``on_folder`` is called when the board is open and the journal goes on. The start in the request is the time of
    now. Before that moment an error changes nothing in the folder.
    """
    request, driver = spec.request, find_driver(spec.plan.board.driver)
    loop = driver.loop(request.speed)
    try:
        with StopSignals() as stop, SubjectFolder(request.data, request.subject, simulated=spec.simulated) as subject:
            check_space(subject.folder)
            broken = read_broken(session)  # under the lock: no program writes it any more
            broken.check_time(session_start(request))
            remaining = UNLIMITED if spec.simulated else _remaining_today(subject, spec)
            state = subject.state()
            days = subject.days_before(session.parent.name)
            running = _Runtime(spec, driver, simulation_options(spec, days), on_beat, controlled=controlled)
            outcome = running.resume(loop, stop, broken, remaining, on_folder)
            result = _finish(subject, state, running, outcome, session, stop, on_finished)
        return result if spec.simulated else replace(result, settled=tuple(settle_previous(session)))
    finally:
        loop.close()


def _finish(
    subject: SubjectFolder,
    state: Mapping[str, object],
    running: _Runtime,
    outcome: Outcome,
    folder: Path,
    stop: StopSignals,
    on_finished: Callable[[SessionResult], object],
) -> SessionResult:
    """Write what follows from a session's end: the subject's state and the tables."""
    spec = running.spec
    if outcome.failure is not None:
        _write_traceback(folder, outcome.failure)
    # Behind the synced footer: an end that the disk has lost must not advance the subject.
    if advances_state(outcome.reason, outcome.rows, spec.stop.min_trials):
        outcome = _write_state(subject, {**state, spec.protocol: dict(outcome.carried_over)}, outcome)
    kept = running.kept
    result = SessionResult(folder, spec, outcome, kept.tables, kept.notes, stop.count > 0, running.remark)
    on_finished(result)
    # Counted again: a signal while the tables are written ends a campaign after this session.
    return replace(result, stopped=stop.count > 0)


def is_simulated(spec: SessionSpec, driver: Driver, model: str | None) -> bool:
    """Whether the session has no real subject, so that its rewards do not count.

    A person at a real window is a real participant, also with a simulated board, if the rig gives no rewards.
    """
    participant = model == PERSON and spec.plan.screen is not None and not spec.gives
    return driver.records == "simulated" and not participant


def session_start(request: SessionRequest) -> datetime.datetime:
    """Return the start of a session. Raises ``ConfigError`` for a request without one."""
    if request.start is None:
        raise ConfigError("when does the session begin? Its request has no start")
    return request.start


def _remaining_today(subject: SubjectFolder, spec: SessionSpec) -> RemainingAmounts:
    """Return what a real subject may still be given. Raises ``ConfigError`` if that is nothing or unknown."""
    if not spec.gives:
        return UNLIMITED
    limits = limits_of(subject.folder, spec.request.limit_override)
    return load_daily_total(subject.folder, limits, session_start(spec.request)).remaining_amounts(spec.gives)


def _load_state(subject: SubjectFolder, spec: SessionSpec) -> tuple[dict[str, dict[str, object]], dict[str, object]]:
    """Read the state that a session begins with, and the protocol's section of it. Raises ``RecordError``."""
    if spec.from_records is None:
        state = subject.state()
        return state, subject.carried_over(state, spec.protocol)
    real = SubjectFolder(spec.request.data, spec.request.subject)
    state = real.state()
    carried_over = real.carried_over(state, spec.protocol)
    # Kept with the simulated sessions: the next of them goes on from it, and the real state stays as it is.
    subject.write_state(state)
    return state, carried_over


def simulation_options(spec: SessionSpec, days: int = 0) -> SimulationOptions:
    """Return the simulation's options; the model gets the subject's name and its number of earlier days."""
    hints = {"session_s": spec.stop.session_s, "subject": spec.request.subject, "days": days}
    return replace(spec.request.simulation, hints={**hints, **spec.model_params})


def _write_state(subject: SubjectFolder, state: Mapping[str, object], outcome: Outcome) -> Outcome:
    try:
        subject.write_state(state)
    except RecordError as error:
        return _with_fault(outcome, error)
    return outcome


def _with_fault(outcome: Outcome, error: RecordError) -> Outcome:
    """Return the outcome with a fault: the session ended normally, but its records are incomplete."""
    return replace(outcome, reason="fault", detail=str(error), failure=outcome.failure or error)


def _write_traceback(folder: Path, failure: BaseException) -> None:
    text = "".join(traceback.format_exception(failure))
    with suppress(RecordError):  # on a full disk the footer has the error
        write_atomic(folder / "error.txt", text)


class _Environment(SessionObserver):
    """Observer that writes ``environment.json`` once the board is open; of a session that goes on beside the first."""

    def __init__(self, folder: Path, facts: Mapping[str, object], awake: KeepCpuAwake, *, synced: bool) -> None:
        self._path = _free(folder / ENVIRONMENT)
        self._facts = facts
        self._awake = awake
        self._synced = synced

    def on_opened(self, opened: BoardInfo) -> None:
        """Write it. Raises ``RecordError``."""
        write_json(
            self._path, {**self._facts, **board_facts(opened, kept_awake=self._awake.active)}, synced=self._synced
        )


class _Publisher(SessionObserver):
    """Observer that lets a journal go on once the board is open, and then calls ``on_folder``, if there is one."""

    def __init__(self, recorder: Recorder, on_folder: Callable[[Path], object] | None) -> None:
        self._recorder = recorder
        self._on_folder = on_folder

    def on_opened(self, opened: BoardInfo) -> None:
        """Move the journal to its place. Raises ``RecordError``."""
        self._recorder.publish()
        if self._on_folder is not None:
            self._on_folder(self._recorder.folder)


def _free(path: Path) -> Path:
    """Return a path, or the first of it with a number that is free: ``environment.2.json``."""
    names = (path.with_suffix(f".{n}{path.suffix}") for n in range(2, 100))
    return next(candidate for candidate in (path, *names) if not candidate.exists())


class _Runtime:
    """A running session, its journal, and the rows and notes that it collects."""

    def __init__(
        self,
        spec: SessionSpec,
        driver: Driver,
        simulation: SimulationOptions,
        on_beat: Callable[[], object] | None,
        *,
        controlled: bool,
    ) -> None:
        self.kept = RowCollector(spec.task.tables)
        self.remark = ""
        self.spec = spec
        self._driver = driver
        self._simulation = simulation
        self._on_beat = on_beat
        self._controlled = controlled
        # Asked before the board is open: a git command may take a second, in which no event would be read.
        rig_file = next(iter(spec.rig.sources), None)
        self._facts = host_facts(spec.sources, spec.request.experimenter, replaced_sources(spec), rig_file)
        self._session: Session | None = None

    def recorder(self, folder: Path, *, is_followed: bool) -> Recorder:
        """Build the writer of its journal. Raises ``RecordError``."""
        if not is_followed and not self.spec.durable and self.spec.request.speed == math.inf:
            return BlockRecorder(folder)
        return Recorder(folder, synced=self.spec.durable, on_full=self.fail)

    def run(self, loop: asyncio.AbstractEventLoop, stop: StopSignals, recorder: Recorder) -> Outcome:
        """Run it to its end."""
        return self._run(loop, recorder, lambda: self._main(recorder, stop))

    def resume(
        self,
        loop: asyncio.AbstractEventLoop,
        stop: StopSignals,
        broken: BrokenSession,
        remaining: RemainingAmounts,
        on_folder: Callable[[Path], object] | None,
    ) -> Outcome:
        """Run the rest of a broken session; if its board cannot be opened, nothing has changed."""
        recorder = Recorder(broken.folder, synced=self.spec.durable, on_full=self.fail, kept=broken.kept)
        elapsed_us = broken.elapsed_us(session_start(self.spec.request))

        def resumption(on_note: Callable[[Mapping[str, object]], object]) -> Resumption:
            return Resumption.at(
                elapsed_us, broken, ResumedJournal(broken, recorder.append, on_note, recorder.secure), remaining
            )

        publisher = _Publisher(recorder, on_folder)
        try:
            return self._run(loop, recorder, lambda: self._main(recorder, stop, resumption, publisher))
        finally:
            recorder.discard()

    def _run(
        self, loop: asyncio.AbstractEventLoop, recorder: Recorder, main: Callable[[], Coroutine[object, None, Outcome]]
    ) -> Outcome:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                outcome = runner.run(main())
        except BaseException:
            # The first failure is reported, and not that the journal could not be closed after it.
            with suppress(RecordError):
                recorder.close()
            raise
        try:
            recorder.close()
        except RecordError as error:
            outcome = _with_fault(outcome, error)
        return outcome

    @property
    def has_ordered(self) -> bool:
        """Whether a batch of orders was written, so that something may have been given."""
        return self._session is not None and self._session.journal.counts["command"] > 0

    def fail(self, error: RecordError) -> None:
        """End the session because of its journal."""
        if self._session is not None:
            self._session.fail(error)

    async def _main(
        self,
        recorder: Recorder,
        stop: StopSignals,
        resume: Callable[[Callable[[Mapping[str, object]], object]], Resumption] | None = None,
        *further: SessionObserver,
    ) -> Outcome:
        spec, driver = self.spec, self._driver
        connection = driver.connect(spec.plan, self._simulation)
        awake, quiet, follower = KeepCpuAwake(), GcPaused(), RequestFollower()
        environment = _Environment(recorder.folder, self._facts, awake, synced=spec.durable)
        resumption = None if resume is None else resume(connection.tell)
        indexed = None if resumption is None else resumption.broken.indexed
        session = self._session = Session(
            spec,
            Journal(recorder.append, connection.tell, recorder.secure) if resumption is None else resumption.journal,
            lambda inbox: make_board(driver, connection, spec.plan, inbox, spec.seed),
            build_track_recorder(spec.plan, driver.camera(connection, spec.plan), recorder.folder, indexed),
            Observers(*further, self.kept, environment, follower, *([quiet] if spec.punctual else [])),
            resumption,
            self._reopening(connection),
            build_sample_recorder(spec.plan, recorder.folder, indexed),
        )
        with ExitStack() as stack:
            # A simulated session needs neither: virtual time has no delays. See docs/decisions/garbage-collector.md.
            if spec.punctual:
                stack.enter_context(awake)
                stack.enter_context(quiet)
            else:
                stack.enter_context(rare_collections())
            if self._on_beat is not None:
                stack.enter_context(Heartbeat(self._on_beat, partial(_note_late, session)))
            if self._controlled:
                stack.enter_context(SessionControls(session, follower, recorder.folder).served())
            stack.enter_context(stop.deliver_to(lambda: session.request("stop"), session.stop_now))
            outcome = await session.run(None if connection.subject is None else connection.subject())
        if connection.remark is not None:
            self.remark = connection.remark()
        return outcome

    def _reopening(self, connection: Connection) -> Callable[[Inbox, Board], Board] | None:
        """Return what builds the board again after it was lost; None where it cannot come back."""
        spec, driver = self.spec, self._driver
        if not driver.can_reconnect:
            return None
        tries = count(1)

        def reopen(inbox: Inbox, lost: Board) -> Board:
            again = driver.reconnect(connection, spec.plan)
            # A simulated board has the seed as its nonce, and begins no new epoch on the nonce of its last one.
            return make_board(driver, again, spec.plan, inbox, spec.seed + next(tries), lost)

        return reopen


def _note_late(session: Session, late_s: float) -> None:
    with suppress(RecordError):  # the next line raises it where the session can end
        session.journal.note(session.board.estimate_us()[0], "held_up", seconds=round(late_s, 1))
