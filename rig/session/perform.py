"""One session from start to finish: the subject's lock, the folder, the board, the run, the state afterwards."""

from __future__ import annotations

import asyncio
import datetime
import math
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rig.classes import code_of, is_file, split
from rig.config.limits import Allowed
from rig.config.subject import limits_of
from rig.core.board import Opened
from rig.core.errors import BoardError, ConfigError, RecordError
from rig.core.journal import Journal
from rig.core.observer import Observers, SessionObserver
from rig.core.plan import PERSON, Rehearsal
from rig.core.rows import TRIAL_TABLE
from rig.files import write_whole
from rig.hardware.boards import Driver, find_driver, make_board
from rig.records.machine import ENVIRONMENT
from rig.records.past import counts
from rig.session.awake import Awake
from rig.session.beats import Beats
from rig.session.day import UNLIMITED, Left, look
from rig.session.environment import of_board, of_machine
from rig.session.garbage import QuietGarbage
from rig.session.kept import Kept, Tables
from rig.session.recorder import Recorder, check_space, claim_folder, copy_sources, discard_folder, write_json
from rig.session.replaced import replaced
from rig.session.session import Outcome, Script, Session
from rig.session.setup import Prepared
from rig.session.stop import StopSignals
from rig.session.subject import Subject
from rig.session.tracking import tracker_of

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Order:
    """What is asked for: who, where, when, with what chance, how fast.

    ``speed`` is how many times real time a simulated session runs; None is a person at the keyboard.
    """

    data: Path
    subject: str
    seed: int
    start: datetime.datetime
    rehearsal: Rehearsal = field(default_factory=Rehearsal)
    speed: float | None = math.inf
    facts: Facts = field(default_factory=dict)
    """Further fields of the journal's header: what is true of the animal, on any machine."""
    experimenter: str | None = None
    from_records: str | None = None
    """The real session after which a simulated one is to begin, by its name: with the real subject's state."""
    allowed: Allowed | None = None
    """What a named person allows instead of the daily limits."""
    on_folder: Callable[[Path], object] = lambda folder: None
    """Told of the session's folder as soon as it is there, before the journal begins."""
    on_beat: Callable[[], object] | None = None
    """Called once a second while the session runs, where somebody wants to know that it does."""


@dataclass(frozen=True)
class Performed:
    """A session that was run: its folder, its header, how it ended, its tables' rows, its protocol's notes.

    ``stopped`` tells whether the operator wants no more, even where the session had ended by itself.
    """

    folder: Path
    header: Mapping[str, Any]
    outcome: Outcome
    tables: Tables
    notes: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False
    remark: str = ""
    """What a person should know of a virtual subject."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the trial table."""
        return self.tables[TRIAL_TABLE]


def perform(prepared: Prepared, order: Order, keep: Callable[[Performed], None] = lambda done: None) -> Performed:
    """Run one session and keep its records; ``keep`` writes the tables, while no signal can cut it short.

    Raises ``ConfigError`` or ``RecordError`` before anything has happened, ``BoardError`` before the first event.
    """
    driver = find_driver(prepared.plan.board.driver)
    simulated = is_simulated(prepared, driver, order.rehearsal.model)
    loop = driver.loop(order.speed)
    try:
        with StopSignals() as stop, Subject(order.data, order.subject, simulated=simulated) as subject:
            check_space(subject.folder)
            left = UNLIMITED if simulated else _left(subject, prepared, order)
            state, carried = _left_behind(subject, order, prepared.protocol)
            prepared.check_history(carried)
            date = order.start.date().isoformat()
            rehearsal = hinted(order.rehearsal, prepared, order.subject, subject.days_before(date))
            order = replace(order, rehearsal=rehearsal)
            script = _script(prepared, order, carried, left, simulated=simulated)
            facts = of_machine(prepared.sources, order.experimenter, replaced(prepared))
            folder = claim_folder(subject.folder, date, synced=not simulated)
            try:
                order.on_folder(folder)
                copy_sources(folder, prepared.sources, synced=not simulated)
                outcome, kept, remark = _record(_Means(loop, driver, simulated, stop, facts), script, order, folder)
            except (ConfigError, BoardError, RecordError):  # before the first event: there is nothing to keep
                discard_folder(folder)
                raise
            if outcome.failure is not None:
                _write_traceback(folder, outcome.failure)
            if counts(outcome.reason, outcome.rows, prepared.stop.min_trials):
                outcome = _advance(subject, {**state, prepared.protocol: dict(outcome.carried)}, outcome)
            done = Performed(folder, script.header, outcome, kept.tables, kept.notes, stop.presses > 0, remark)
            keep(done)
            return replace(done, stopped=stop.presses > 0)
    finally:
        loop.close()


def is_simulated(prepared: Prepared, driver: Driver, model: str | None) -> bool:
    """Tell whether no subject is there: the board is simulated, and with it all that is given.

    A person before a real window is a participant, whatever board is beside it, where the rig feeds nobody.
    """
    participant = model == PERSON and prepared.plan.screen is not None and not prepared.gives
    return driver.records == "simulated" and not participant


def _left(subject: Subject, prepared: Prepared, order: Order) -> Left:
    """Tell what a real subject may still be given. Raises ``ConfigError`` when that is nothing, or not known."""
    if not prepared.gives:
        return UNLIMITED
    limits = limits_of(subject.folder, order.allowed)
    return look(subject.folder, limits, order.start).allowance(prepared.gives)


def _left_behind(subject: Subject, order: Order, protocol: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the state that a session begins with, and the protocol's section of it. Raises ``RecordError``."""
    if order.from_records is None:
        state = subject.state()
        return state, subject.carried(state, protocol)
    real = Subject(order.data, order.subject)
    state = real.state()
    carried = real.carried(state, protocol)
    subject.write_state(state)
    return state, carried


def hinted(rehearsal: Rehearsal, prepared: Prepared, subject: str = "", days: int = 0) -> Rehearsal:
    """Tell the model who it is and on how many days it was here, and what the protocol tells every model."""
    hints = {"session_s": prepared.stop.session_s, "subject": subject, "days": days}
    return replace(rehearsal, hints={**hints, **prepared.sim_subject})


def _script(prepared: Prepared, order: Order, carried: Mapping[str, Any], left: Left, *, simulated: bool) -> Script:
    return prepared.script(
        order.seed,
        carried,
        left,
        subject=order.subject,
        start=(order.start if simulated else order.start.astimezone()).isoformat(timespec="seconds"),
        **_model(order.rehearsal.model),
        simulated=simulated,
        **({} if order.allowed is None else order.allowed.facts()),
        **({} if order.from_records is None else {"from_records": order.from_records}),
        **order.facts,
    )


def _model(word: str | None) -> Facts:
    """Give what the header says of a virtual subject: its name, and of one from a file the hash of its code."""
    if word is None or not is_file(word):
        return {"model": word}
    path, name = split(word)
    return {"model": f"{path.name}:{name}" if name else path.name, "model_code": code_of(path)}


@dataclass(frozen=True)
class _Means:
    """What a session is run with."""

    loop: asyncio.AbstractEventLoop
    driver: Driver
    simulated: bool
    stop: StopSignals
    facts: Facts


class _Environment(SessionObserver):
    """Writes what is true of the machine and the board into a session's folder, once it is open."""

    def __init__(self, folder: Path, means: _Means, awake: Awake) -> None:
        self._folder = folder
        self._means = means
        self._awake = awake

    def on_opened(self, opened: Opened) -> None:
        """Write it. Raises ``RecordError``."""
        facts = {**self._means.facts, **of_board(opened, kept_awake=self._awake.held)}
        write_json(self._folder / ENVIRONMENT, facts, synced=not self._means.simulated)


def _record(means: _Means, script: Script, order: Order, folder: Path) -> tuple[Outcome, Kept, str]:
    sessions: list[Session] = []
    recorder = Recorder(folder, synced=not means.simulated, on_full=lambda error: sessions[-1].fail(error))
    try:
        outcome, kept, remark = _run(means, script, order, recorder, sessions)
    except BaseException:
        with suppress(RecordError):
            recorder.close()
        raise
    try:
        recorder.close()
    except RecordError as error:
        outcome = _failed(outcome, error)
    return outcome, kept, remark


def _advance(subject: Subject, state: Mapping[str, Any], outcome: Outcome) -> Outcome:
    try:
        subject.write_state(state)
    except RecordError as error:
        return _failed(outcome, error)
    return outcome


def _failed(outcome: Outcome, error: RecordError) -> Outcome:
    """Let a session that has ended well end with a fault: its records are not what they should be."""
    return replace(outcome, reason="fault", detail=str(error), failure=outcome.failure or error)


def _write_traceback(folder: Path, failure: BaseException) -> None:
    text = "".join(traceback.format_exception(failure))
    with suppress(RecordError):  # on a full disk the footer must do
        write_whole(folder / "error.txt", text)


def _run(
    means: _Means, script: Script, order: Order, recorder: Recorder, sessions: list[Session]
) -> tuple[Outcome, Kept, str]:
    kept, awake, quiet = Kept(script.task.tables), Awake(), QuietGarbage()

    async def main() -> tuple[Outcome, str]:
        connection = means.driver.connect(script.plan, order.rehearsal)
        session = Session(
            script,
            Journal(recorder.append, connection.tell, recorder.secure),
            lambda inbox: make_board(means.driver, connection, script.plan, inbox, order.seed),
            tracker_of(script.plan, means.driver.camera(connection, script.plan), recorder.folder),
            Observers(kept, _Environment(recorder.folder, means, awake), *([] if means.simulated else [quiet])),
        )
        sessions.append(session)
        with ExitStack() as stack:
            if not means.simulated:
                stack.enter_context(awake)
                stack.enter_context(quiet)
            if order.on_beat is not None:
                stack.enter_context(Beats(order.on_beat, partial(_note_late, session)))
            stack.enter_context(means.stop.telling(lambda: session.request("stop"), session.hurry))
            outcome = await session.run(None if connection.subject is None else connection.subject())
        return outcome, "" if connection.remark is None else connection.remark()

    with asyncio.Runner(loop_factory=lambda: means.loop) as runner:
        outcome, remark = runner.run(main())
    return outcome, kept, remark


def _note_late(session: Session, late_s: float) -> None:
    with suppress(RecordError):  # the next line says that where it can be acted on
        session.journal.note(session.board.estimate_us()[0], "note", what="held_up", seconds=round(late_s, 1))
