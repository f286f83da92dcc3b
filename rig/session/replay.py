"""Replay a journal: feed its inputs to its protocol and compare the decisions.

A replay has no clock and no port. Deadlines pass by the time answers in the journal.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rig.config import SessionLimits, rig_file_model
from rig.core.errors import OrderRefusedError, RecordError
from rig.core.journal.journal import REPLAYED_OUTPUTS, Journal, event_of
from rig.core.journal.lines import FORMAT
from rig.core.model.actions import Order
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.events import Event
from rig.devices import KINDS
from rig.devices.calibration import Calibration
from rig.session.build import assembly
from rig.session.build.build import spec_for_rig
from rig.session.build.request import SessionRequest
from rig.session.build.rig_file import Rig
from rig.session.build.spec import SessionSpec
from rig.session.build.task_classes import FoundTask
from rig.session.recorded_code import RecordedCode, select_code
from rig.session.run import session

Line = Mapping[str, Any]
DecisionFields = dict[str, Any]

# A replay writes fewer kinds of lines, so their numbers differ, and the checksums with them.
_NOT_COMPARED = ("seq", "crc")

_text = json.JSONEncoder(sort_keys=True).encode
"""Decisions are stored and compared as text: dictionaries would take several times the memory."""


class ReplayBoard(Board):
    """Board without function: its events come from the journal."""

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Raise ``OrderRefusedError``: a replay opens no board."""
        raise OrderRefusedError("a replay has no board to open")

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Send nothing: the recorded board has executed these orders."""

    def ask_time(self, at_us: int | None) -> None:
        """Wait for the journal's answer."""

    def estimate_us(self) -> tuple[int, int]:
        """Return time 0 without uncertainty: a replay has no clock."""
        return 0, 0

    def all_off(self) -> None:
        """Send nothing: a replay has no outputs."""

    async def close(self) -> Health:
        """Return counters of a board that did not answer."""
        return Health(False, 0, 0)

    def abort(self) -> None:
        """Send nothing: a replay holds no board."""


def spec_of_header(header: Line, found: FoundTask | None = None) -> SessionSpec:
    """Return a session's specification from its header, with the protocol that is installed, or another one.

    Raises ``RecordError`` when this program cannot.
    """
    if header.get("format") != FORMAT:
        raise RecordError(f"the journal's format is {header.get('format')}, this program reads {FORMAT}")
    try:
        return _spec_of(header, found or _installed(header))
    except (LookupError, TypeError, ValueError) as error:  # also pydantic's, about parameters that are no more
        raise RecordError(f"'{header.get('protocol')}' is not what it was when this was recorded: {error}") from None


def _installed(header: Line) -> FoundTask:
    chosen = select_code(header)
    if isinstance(chosen, RecordedCode):
        raise RecordError("the protocol was a laboratory's own file, and no code of a journal's folder runs unasked")
    return chosen.found


def _spec_of(header: Line, found: FoundTask) -> SessionSpec:
    described = header["rig"]
    calibrations = {name: Calibration.from_dict(data) for name, data in described["calibrations"].items()}
    # Without ``baud`` the program would load the driver that the journal names, to get its default.
    board = {"baud": 500_000, **described["board"]}
    file = rig_file_model(KINDS).model_validate(
        {"boards": {"board": board}, **{key: described.get(key) for key in ("devices", "screen")}}
    )
    return spec_for_rig(
        Rig(described["name"], file, calibrations, ()),
        found,
        found.task.params_type.model_validate(header["params"]),
        SessionLimits.model_validate(header["stop"]),
        SessionRequest(seed=header["seed"]),
        carried_over=header["carry_over"],
        remaining_today=header["remaining_today"],
    )


class RecordedSession:
    """What a replay needs of a journal, which is gone through once: its ends, its inputs, its decisions as text."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.header: Line = {}
        self.last: Line = {}
        self.end: Line = {}
        """The ``health`` line, which says how the board ended; without one, the last line."""
        self.events: list[Event] = []
        self.decisions: list[str] = []
        self.corrected = False
        """Whether lines were appended afterwards, with what the board has kept."""
        for line in lines:
            self.header = self.header or line
            self.last = line
            # What follows was decided by the board's answer after the session, and not by the protocol.
            self.corrected = self.corrected or line["k"] == "correction"
            if self.corrected:
                continue
            # The health line says how the board ended; the last reward lines follow from it and come later.
            if self.end.get("k") != "health":
                self.end = line
            if (event := event_of(line)) is not None:
                self.events.append(event)
            elif line["k"] in REPLAYED_OUTPUTS:
                self.decisions.append(_text({key: value for key, value in line.items() if key not in _NOT_COMPARED}))

    @property
    def crashed(self) -> bool:
        """Whether the journal was cut off: what it does not hold may have been decided all the same."""
        return bool(self.last["k"] != "footer" or self.last["reason"] == "crash")

    @property
    def task_started(self) -> bool:
        """Whether the protocol has run at all: a session may be stopped while its board is still opening.

        Requests of the operator are in the journal then, but the protocol has never handled one.
        """
        return bool(self.last.get("task_started", True))


def rerun(recorded: RecordedSession, take: Callable[[str], object], found: FoundTask | None = None) -> None:
    """Run the installed protocol or another one on recorded events, and pass each decision to ``take`` as text."""
    spec = spec_of_header(recorded.header, found)
    engine, runner = assembly.wire_up_task(spec, _DecisionJournal(take), lambda inbox: ReplayBoard())
    # All events at once: without a clock only the time answers among them end a wait.
    for event in recorded.events:
        engine.inbox.put(event)
    if recorded.task_started:
        asyncio.run(_run(engine, runner))
    end = recorded.end
    # As at the end of a session: what was queued then was never sent.
    engine.discard_pending()
    with suppress(Exception):  # the protocol's own mistake, as it was when it was recorded
        session.finish_records(engine, runner, Health(end.get("complete", False), 0, end.get("executed", 0)), end["t"])


async def _run(engine: Any, runner: Any) -> None:
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

    def __init__(self, take: Callable[[str], object]) -> None:
        super().__init__(lambda line: None)
        self._take = take

    def _line(self, t_us: int, src: str, kind: str, fields: str) -> None:
        if kind in REPLAYED_OUTPUTS:
            # Parsed and written again, as the recorded lines are, so that equal decisions are equal texts.
            self._take(_text({"t": t_us, "src": src, "k": kind, **json.loads(f"{{{fields[1:]}}}")}))


@dataclass(frozen=True)
class Difference:
    """Where a replay first decides otherwise: in which trial, what was written, what comes now."""

    trial: int
    recorded: DecisionFields | None
    replayed: DecisionFields | None


def replay_lines(lines: Iterable[Line], found: FoundTask | None = None) -> tuple[int, Difference | None]:
    """Run `replay` on the lines of a journal."""
    return replay(RecordedSession(lines), found)


def replay(recorded: RecordedSession, found: FoundTask | None = None) -> tuple[int, Difference | None]:
    """Run a journal's protocol again, and return the number of equal decisions and the first that differs."""
    comparison = _Comparison(recorded)
    rerun(recorded, comparison.take, found)
    comparison.take(None)
    return comparison.agreed, comparison.difference


class _Comparison:
    """Holds decisions, one by one as they come, against those that were recorded, until one differs."""

    def __init__(self, recorded: RecordedSession) -> None:
        self.agreed = 0
        self.difference: Difference | None = None
        self._recorded = recorded
        self._trial = 1

    def take(self, now: str | None) -> None:
        """Check the next decision against the recorded one; None is the end of the decisions."""
        decisions = self._recorded.decisions
        was = decisions[self.agreed] if self.agreed < len(decisions) else None
        # After a crash the last decisions may not have been written: their absence is no difference.
        if self.difference is not None or (was is None and self._recorded.crashed):
            return
        if was != now:
            self.difference = Difference(self._trial, _decision(was), _decision(now))
        elif was is not None:
            self.agreed += 1
            # The search spares most lines the parsing; a protocol's own text may hold the same words.
            self._trial += '"k": "trial"' in was and json.loads(was)["k"] == "trial"


def _decision(text: str | None) -> DecisionFields | None:
    if text is None:
        return None
    fields = json.loads(text)
    return {**{name: fields.pop(name) for name in ("t", "src", "k")}, **fields}
