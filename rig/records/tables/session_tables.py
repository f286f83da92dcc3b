"""The tables of one session, made from the lines of its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import asdict

from rig.core.journal.header import Footer
from rig.core.journal.kinds import (
    FAULTS,
    HealthLine,
    Note,
    OperatorNote,
    ParamsChanged,
    Paused,
    Resumed,
    RewardLine,
    SessionLine,
    StateLine,
    fault_word,
)
from rig.core.model.events import Continued, Edge, FrameShown, Hover, Key, Request, Touch, ZoneEvent
from rig.core.model.line import kind_of
from rig.core.model.microseconds import to_s
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN, Lane
from rig.records.session.last_rewards import last_rewards
from rig.records.session.state_spans import StateSpans
from rig.records.tables.columns import SESSION_TABLES
from rig.records.tables.table import Table

_BY_FIELDS = {Touch: "touches", Key: "keys", Hover: "hovers", FrameShown: "scenes_shown", Request: "requests"}
"""The tables whose columns are the fields of a kind of line."""


class SessionTables:
    """Takes the lines of a journal one by one; ``own`` returns what was in them."""

    def __init__(self) -> None:
        self._own = {name: Table(name, columns) for name, columns in SESSION_TABLES.items()}
        self._lanes = Lanes()
        self.states = StateSpans()
        """Every visit of a state."""
        self._rewards: list[RewardLine] = []
        self._paused_us: int | None = None

    def take(self, line: SessionLine) -> None:
        """Read the next line."""
        self._lanes.take(line)
        match line:
            case Edge():
                self._edge(line, line.fired, line.number, None)
            case ZoneEvent():
                self._edge(line, 0, None, to_s(line.uncertainty_us))
            case Touch() | Key() | Hover() | FrameShown() | Request():
                self._fields(_BY_FIELDS[type(line)], line)
            case StateLine() | Footer():
                self.states.take(line)
            case RewardLine():
                self._rewards.append(line)
            case Paused() | Resumed() | Continued():
                self._pause(line)
            case HealthLine():
                self._own["health"].rows = [("executed", line.executed), *line.counters.items()]
            case _:
                self._log(line)

    def own(self) -> dict[str, Table]:
        """Return the tables that every session has, by name, without positions and samples. Raises ``RecordError``."""
        own = self._own
        own["states"].rows = [(span.state, *_span(span.start_us, span.end_us)) for span in self.states]
        own["rewards"].rows = [_reward_row(line) for line in last_rewards(self._rewards)]
        own["spans"].rows = [*_span_rows(self._lanes.inputs, "input"), *_span_rows(self._lanes.outputs, "output")]
        if self._paused_us is not None:
            self._add("pauses", to_s(self._paused_us), None, None, "pause")
        return own

    # --- lines ------------------------------------------------------------------------------------------------

    def _add(self, table: str, *values: object) -> None:
        self._own[table].rows.append(values)

    def _fields(self, table: str, line: Touch | Key | Hover | FrameShown | Request) -> None:
        values = [getattr(line, column.name) for column in self._own[table].columns[1:-1]]
        self._add(table, to_s(line.t_us), *values, to_s(line.uncertainty_us))

    def _edge(self, line: Edge | ZoneEvent, fired: int, number: int | None, uncertainty_s: float | None) -> None:
        self._add("edges", to_s(line.t_us), line.channel, bool(line.level), line.src, fired, number, uncertainty_s)

    def _log(self, line: SessionLine) -> None:
        """Add a note, a fault or a change of parameters."""
        t_s = to_s(line.t_us)
        match line:
            case Note():
                fields = dict(line.fields)
                text = fields.pop("text") if isinstance(fields.get("text"), str) else None
                self._add("notes", t_s, line.src, line.what, text, fields or None)
            case OperatorNote():
                self._add("notes", t_s, line.src, kind_of(line), line.text, further_fields(line, "text"))
            case ParamsChanged():
                for name, value in line.changed.items():
                    self._add("param_changes", t_s, line.trial, name, value)
            case _ if isinstance(line, FAULTS):
                detail = getattr(line, "detail", None)
                self._add("faults", t_s, fault_word(line), detail, further_fields(line, "what", "detail") or None)

    def _pause(self, line: Paused | Resumed | Continued) -> None:
        if isinstance(line, Paused):
            self._paused_us = line.t_us
        elif isinstance(line, Resumed):
            self._paused_us = None
            self._add("pauses", *_span(line.t_us - line.paused_us, line.t_us), "pause")
        # A break in a pause belongs to it.
        elif self._paused_us is None:
            self._add("pauses", *_span(line.t_us - line.gap_us, line.t_us), line.why)


def further_fields(line: SessionLine, *named: str) -> dict[str, object]:
    """Return the fields of a line by name, without its time and those ``named``."""
    return {name: value for name, value in asdict(line).items() if name not in ("t_us", *named)}


def _reward_row(line: RewardLine) -> tuple[object, ...]:
    amount = line.source, line.amount, line.unit
    return line.id, to_s(line.t_us), *amount, line.delivered_by, line.status.value, line.cause


def _span(start_us: int, end_us: int | None) -> tuple[float, float | None, float | None]:
    if end_us is None:
        return to_s(start_us), None, None
    return to_s(start_us), to_s(end_us), to_s(end_us - start_us)


def _span_rows(lanes: Mapping[str, Lane], direction: str) -> Iterator[tuple[object, ...]]:
    for channel, lane in sorted(lanes.items()):
        for start_us, end_us in zip(lane.starts, lane.ends, strict=True):
            yield channel, direction, *_span(start_us, None if end_us == OPEN else end_us)
