"""The tables of one session, made from the lines of its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rig.core.journal.lines import RESERVED_FIELDS, row_of
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import to_s
from rig.export.columns import SESSION_TABLES
from rig.export.table import Table, recorded_table
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN, Lane

Line = Mapping[str, Any]


class SessionTables:
    """Takes the lines of a journal one by one; ``tables`` returns what was in them."""

    def __init__(self, header: Line) -> None:
        self.recorded = {
            name: recorded_table(name, columns, header)
            for name, columns in {TRIAL_TABLE: header["columns"], **header.get("tables", {})}.items()
        }
        """The tables of the protocol: the trials, and further ones."""
        self._own = {name: Table(name, columns) for name, columns in SESSION_TABLES.items()}
        self._lanes = Lanes()
        self._states: list[tuple[str, int]] = []
        self._rewards: dict[int, Line] = {}
        self._paused_us: int | None = None
        self._health: Line = {}
        self._end_us: int | None = None
        self._readers: dict[str, Callable[[Line], None]] = {
            "trial": lambda line: self._row(TRIAL_TABLE, row_of(line)),
            "row": self._further_row,
            "edge": lambda line: self._edge(line, line["number"], None),
            "zone": lambda line: self._edge(line, None, to_s(line["uncertainty_us"])),
            "state": lambda line: self._states.append((line["name"], line["t"])),
            "reward": self._reward,
            "touch": lambda line: self._fields("touches", line),
            "key": lambda line: self._fields("keys", line),
            "hover": lambda line: self._fields("hovers", line),
            "frame_shown": lambda line: self._fields("scenes_shown", line),
            "request": lambda line: self._fields("requests", line),
            "note": self._note,
            "fault": self._fault,
            "params": self._params,
            "pause": self._pause,
            "resume": self._resume,
            "continued": self._continue,
            "health": self._keep_health,
            "footer": self._keep_end,
        }

    def take(self, line: Line) -> None:
        """Read the next line."""
        self._lanes.take(line)
        read = self._readers.get(line["k"])
        if read is not None:
            read(line)

    def tables(self) -> dict[str, Table]:
        """Return the tables that every session has, by name, without the positions. Raises ``RecordError``."""
        made = {name: Table(name, table.columns, list(table.rows)) for name, table in self._own.items()}
        made["states"].rows = list(self._state_rows())
        made["rewards"].rows = [self._reward_row(line) for line in self._rewards.values()]
        made["spans"].rows = [*_span_rows(self._lanes.inputs, "input"), *_span_rows(self._lanes.outputs, "output")]
        if self._paused_us is not None:
            made["pauses"].rows.append((to_s(self._paused_us), None, None, "pause"))
        made["health"].rows = [
            (name, value)
            for name, value in self._health.items()
            if name not in RESERVED_FIELDS and isinstance(value, int | float) and not isinstance(value, bool)
        ]
        return made

    # --- lines ------------------------------------------------------------------------------------------------

    def _add(self, table: str, *values: Any) -> None:
        self._own[table].rows.append(values)

    def _fields(self, table: str, line: Line) -> None:
        """Add a line whose fields are the columns of its table."""
        t_s, uncertainty_s = to_s(line["t"]), to_s(line["uncertainty_us"])
        names = [column.name for column in self._own[table].columns[1:-1]]
        self._add(table, t_s, *(line[name] for name in names), uncertainty_s)

    def _row(self, table: str, row: Line) -> None:
        made = self.recorded[table]
        made.rows.append([row[column.name] for column in made.columns])

    def _further_row(self, line: Line) -> None:
        self._row(line["table"], row_of(line))

    def _edge(self, line: Line, number: int | None, uncertainty_s: float | None) -> None:
        fired = line.get("fired", 0) if number is not None else 0
        self._add(
            "edges", to_s(line["t"]), line["channel"], bool(line["level"]), line["src"], fired, number, uncertainty_s
        )

    def _reward(self, line: Line) -> None:
        # The last line of a reward counts; the order is that of the first ones.
        self._rewards[line["id"]] = line

    def _reward_row(self, line: Line) -> tuple[Any, ...]:
        names = [column.name for column in self._own["rewards"].columns[2:]]
        return (line["id"], to_s(line["t"]), *(line[name] for name in names))

    def _note(self, line: Line) -> None:
        named = line.get("what"), line.get("text")
        what, text = (value if isinstance(value, str) else None for value in named)
        self._add("notes", to_s(line["t"]), line["src"], what, text, _further(line, "what", "text"))

    def _fault(self, line: Line) -> None:
        detail = line.get("detail")
        told = detail if isinstance(detail, str) else None
        self._add("faults", to_s(line["t"]), line["what"], told, _further(line, "what", "detail"))

    def _params(self, line: Line) -> None:
        for name, value in line["changed"].items():
            self._add("param_changes", to_s(line["t"]), line["trial"], name, value)

    def _pause(self, line: Line) -> None:
        self._paused_us = line["t"]

    def _resume(self, line: Line) -> None:
        start_us = line["t"] - line["paused_us"]
        self._paused_us = None
        self._add("pauses", to_s(start_us), to_s(line["t"]), to_s(line["paused_us"]), "pause")

    def _continue(self, line: Line) -> None:
        # A break in a pause belongs to it.
        if self._paused_us is None:
            start_us = line["t"] - line["gap_us"]
            self._add("pauses", to_s(start_us), to_s(line["t"]), to_s(line["gap_us"]), line["why"])

    def _keep_health(self, line: Line) -> None:
        self._health = line

    def _keep_end(self, line: Line) -> None:
        # The footer of a correction comes long after the session.
        if self._end_us is None:
            self._end_us = line["t"]

    def _state_rows(self) -> Iterator[tuple[Any, ...]]:
        ends = [*(t_us for _, t_us in self._states[1:]), self._end_us]
        for (name, start_us), end_us in zip(self._states, ends, strict=False):
            yield name, *_span(start_us, end_us)


def _further(line: Line, *named: str) -> dict[str, Any] | None:
    return {name: value for name, value in line.items() if name not in (*RESERVED_FIELDS, *named)} or None


def _span(start_us: int, end_us: int | None) -> tuple[float, float | None, float | None]:
    if end_us is None:
        return to_s(start_us), None, None
    return to_s(start_us), to_s(end_us), to_s(end_us - start_us)


def _span_rows(lanes: Mapping[str, Lane], direction: str) -> Iterator[tuple[Any, ...]]:
    for channel, lane in sorted(lanes.items()):
        for start_us, end_us in zip(lane.starts, lane.ends, strict=True):
            yield channel, direction, *_span(start_us, None if end_us == OPEN else end_us)
