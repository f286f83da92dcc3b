"""Replay a journal: feed its inputs to its protocol and compare the decisions.

A replay has no clock and no port. Deadlines pass by the time answers in the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeAlias

from rig.config import SessionLimits, rig_file_model
from rig.core.engine.engine import Engine
from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import REPLAYED_OUTPUTS, HealthLine, SessionLine
from rig.core.model.board import Health
from rig.core.model.subject import Subject
from rig.core.task.runner import Runner
from rig.devices.base import Device
from rig.devices.calibration import Calibration
from rig.session.recorded_code import RecordedCode, select_code, select_kinds
from rig.session.replay_board import ReplayBoard
from rig.session.replay_comparison import Comparison, Decision, Difference, RecordedDecisions
from rig.session.run.ending import finish_records
from rig.session.spec import assembly
from rig.session.spec.build import spec_for_rig
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from rig.system.plugins import first_line
from rig.table_files.file_params import RECORDED

Kinds: TypeAlias = Mapping[str, type[Device]]
"""The classes of a rig's devices, by their kinds."""


def spec_of_header(header: Header, found: FoundTask | None = None, kinds: Kinds | None = None) -> SessionSpec:
    """Return a session's specification from its header, with the code that is installed, or another one.

    Raises ``RecordError`` when this program cannot.
    """
    try:
        return _spec_of(header, found or _installed(header), _installed_kinds(header) if kinds is None else kinds)
    except (LookupError, TypeError, ValueError) as error:  # also pydantic's, about parameters that are no more
        text = f"'{header.protocol}' is not what it was when this was recorded: {first_line(error)}"
        raise RecordError(text) from None


def _installed(header: Header) -> FoundTask:
    chosen = select_code(header)
    if isinstance(chosen, RecordedCode):
        raise RecordError("the protocol was a laboratory's own file, and no code of a journal's folder runs unasked")
    return chosen.found


def _installed_kinds(header: Header) -> Kinds:
    chosen = select_kinds(header)
    if chosen.copies:
        raise RecordError("a device was a laboratory's own file, and no code of a journal's folder runs unasked")
    return chosen.installed


def _spec_of(header: Header, found: FoundTask, kinds: Kinds) -> SessionSpec:
    described = header.rig
    calibrations = {name: Calibration.from_dict(data) for name, data in described.calibrations.items()}
    # Without ``baud`` the program would load the driver that the journal names, to get its default.
    board = {"baud": 500_000, **described.board}
    file = rig_file_model(kinds).model_validate(
        {"boards": {"board": board}, "devices": described.devices, "screen": described.screen}
    )
    return spec_for_rig(
        Rig(described.name, file, calibrations, ()),
        found,
        found.task.params_type.model_validate(header.params, context=RECORDED),
        SessionLimits.model_validate(header.stop),
        SessionRequest(seed=header.seed),
        carried_over=header.carry_over,
        remaining_today=header.remaining_today,
        recorded_draw=header.drawn,
        simulated=header.simulated,
        about_subject=Subject.of_facts(header.subject, header.subject_facts),
    )


def rerun(
    recorded: RecordedDecisions,
    take: Callable[[Decision], object],
    found: FoundTask | None = None,
    kinds: Kinds | None = None,
) -> None:
    """Run the installed protocol or another one on recorded events, and pass each decision to ``take``."""
    spec = spec_of_header(recorded.header, found, kinds)
    engine, runner = assembly.wire_up_task(spec, _DecisionJournal(take), lambda inbox: ReplayBoard())
    # All events at once: without a clock only the time answers among them end a wait.
    for event in recorded.events:
        engine.inbox.put(event)
    if recorded.task_started:
        asyncio.run(_run(engine, runner))
    # As at the end of a session: what was queued then was never sent.
    engine.discard_pending()
    with suppress(Exception):  # the protocol's own mistake, as it was when it was recorded
        finish_records(engine, runner, _health(recorded.end), recorded.end.t_us)


def _health(end: SessionLine) -> Health:
    return Health(end.complete, 0, end.executed) if isinstance(end, HealthLine | Footer) else Health(False, 0, 0)


async def _run(engine: Engine, runner: Runner) -> None:
    running = asyncio.ensure_future(runner.run())
    running.add_done_callback(lambda it: it.cancelled() or it.exception())  # also Ctrl-C's, which is never awaited
    idle = 0
    # A task that has stopped reading waits for an event that the journal does not have.
    while not running.done() and idle < 5:
        left = len(engine.inbox.events)
        await asyncio.sleep(0)
        idle = idle + 1 if len(engine.inbox.events) == left else 0
    running.cancel()
    # The decisions before an error of the task were passed on already, so the error is ignored.
    with suppress(asyncio.CancelledError, Exception):
        await running


class _DecisionJournal(Journal):
    """A journal that only listens to decisions."""

    def __init__(self, take: Callable[[Decision], object]) -> None:
        super().__init__(lambda line: None)
        self._take = take

    def _append(self, line: SessionLine, body: bytes) -> None:
        if isinstance(line, REPLAYED_OUTPUTS):
            self._take(body)


def replay_lines(lines: Iterable[SessionLine], found: FoundTask | None = None) -> tuple[int, Difference | None]:
    """Run `replay` on the lines of a journal."""
    return replay(RecordedDecisions(lines), found)


def replay(
    recorded: RecordedDecisions, found: FoundTask | None = None, kinds: Kinds | None = None
) -> tuple[int, Difference | None]:
    """Run a journal's protocol again, and return the number of equal decisions and the first that differs."""
    comparison = Comparison(recorded)
    rerun(recorded, comparison.take, found, kinds)
    comparison.take(None)
    return comparison.agreed, comparison.difference
