"""The tables of one session of a campaign as Arrow, and the session's record for analyses made of them again.

``sessions`` has one row for each session, with its header, footer and notes as JSON; ``trials`` and the further tables
of the protocol have their rows. Every row has the number of the session and the journal's time of the row. Most of a
header is the same in all sessions of an arm: that part is kept once, and a session has only what differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from rig.analysis.common.record import Record
from rig.analysis.common.select_analysis import fill_tables
from rig.core.errors import RecordError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.lines import Line, fields_of_row, parse_line, row_of
from rig.core.model.columns import ANY, described_in
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import to_s
from rig.export.computed import computed_values, read_computed
from rig.export.parquet import arrow_table
from rig.export.table import Table, TableColumn, fits, json_text, recorded_table
from rig.records.journal.read import JOURNAL
from rig.records.session.trials import write_tables
from rig.records.track.positions import POSITIONS
from rig.session.run.run_session import SessionResult
from rig.system.atomic_files import read_errors

SESSIONS = "sessions"
_WITHOUT = "without"
"""The key under which a session names fields of the arm's header that its own has not; no field has this name."""

_column = TableColumn.of

NUMBER = _column("session_number", "integer", "number of the subject's session, from 1")
PARTITIONS = ("study", "arm", "subject")
"""Columns that a reader makes of the names of the folders."""

_ROW_TIME = _column("t_us", "integer", "time of the session at which the row was written")

_SESSION_COLUMNS = (
    NUMBER,
    _column("start", "text", "when it began, in virtual time, as ISO 8601"),
    _column("seed", "integer", "random seed of the session"),
    _column("protocol", "text", "the task"),
    _column("curriculum", "text", "the curriculum that chose it; missing outside of one"),
    _column("stage", "text", "the curriculum's stage"),
    _column("model", "text", "the virtual subject"),
    _column("reason", "text", "why it ended"),
    _column("duration_s", "number", "length of the session"),
    _column("trials", "integer", "rows of the trial table"),
    _column("rewards", "integer", "rewards that were given"),
    _column("ul", "number", "volume that was given"),
    _column("pellets", "integer", "pellets that were given"),
    _column("access_s", "number", "seconds for which hoppers were up"),
    _column("header", "text", "first line of the journal, as JSON, without what headers.json has of the arm"),
    _column("footer", "text", "last line of the journal, as JSON"),
    _column("notes", "text", "notes of the protocol, as JSON"),
)

ArrowTables = dict[str, pa.Table]
Header = Mapping[str, Any]

_KINDS = tuple(f'"k":"{kind}"'.encode() for kind in ("trial", "row", "note"))
_HEAD = 80
"""Number of bytes at the start of a line that hold its kind."""


def session_tables(result: SessionResult, number: int, common: Header) -> ArrowTables:
    """Return the tables of a session that has just ended, ``number`` among those of its subject.

    ``common`` is the arm's header. Raises ``RecordError`` if the journal cannot be read again.
    """
    header, *middle, footer = _lines(result.folder)
    trials = [line for line in middle if line["k"] == "trial"]
    rows = {TRIAL_TABLE: _computed(result, [row_of(line) for line in trials])}
    times = {TRIAL_TABLE: [line["t"] for line in trials]}
    for name in header.get("tables", {}):
        own = [line for line in middle if line["k"] == "row" and line["table"] == name]
        rows[name], times[name] = [row_of(line) for line in own], [line["t"] for line in own]
    columns = {TRIAL_TABLE: header["columns"], **header.get("tables", {})}
    made = {
        name: _typed(_numbered(recorded_table(name, cells, header), number, times[name], rows[name]))
        for name, cells in columns.items()
    }
    notes = [line for line in middle if line["k"] == "note"]
    return {SESSIONS: _typed(_session_row(number, header, common, footer, notes, len(trials))), **made}


def _typed(table: Table) -> pa.Table:
    """Return a table of Arrow whose columns have the types that their descriptions say. Raises ``RecordError``.

    With other types in one subject's file no program could read the files as one table.
    """
    for column, values in zip(table.columns, table.column_values(), strict=True):
        for value in values:
            if not fits(value, column.kind):
                raise RecordError(
                    f"table {table.name}: column {column.name} holds {value!r:.60}: wanted {column.kind}, as its type "
                    "in the protocol says"
                )
    return arrow_table(table)


def _lines(folder: Path) -> list[Line]:
    """Return header, rows, notes and footer of a journal that this process has just written.

    All other lines are passed over without a look: to check each costs a fifth of the session.
    """
    journal = folder / JOURNAL
    with read_errors(journal):
        first, *middle, last = journal.read_bytes().splitlines()
    wanted = (line for line in middle if any(kind in line[:_HEAD] for kind in _KINDS))
    return [parse_line(line) for line in (first, *wanted, last)]


def _computed(result: SessionResult, rows: list[Line]) -> list[Line]:
    """Return rows with the columns that an analysis computes from the track, which is not kept."""
    if not (result.folder / POSITIONS).is_file():
        return rows
    write_tables(result.folder, result.header, result.tables)
    fill_tables(result.folder, result.header["columns"])
    cells = read_computed(result.folder)
    described = result.header["descriptions"][TRIAL_TABLE]
    kinds = {name: described.get(name, {}).get("kind", ANY) for name in result.header["columns"]}
    values = {
        name: computed_values(cells, rows, name, kind)
        for name, kind in kinds.items()
        if all(row[name] is None for row in rows)
    }
    return [{**row, **{name: column[index] for name, column in values.items()}} for index, row in enumerate(rows)]


def _numbered(table: Table, number: int, times: Sequence[int], rows: Sequence[Line]) -> Table:
    names = [column.name for column in table.columns]
    if taken := sorted({NUMBER.name, _ROW_TIME.name, *PARTITIONS} & set(names)):
        raise RecordError(f"table {table.name}: column {taken[0]} is one of every table of a campaign: rename it")
    cells: list[Sequence[Any]] = [
        [number, t_us, *(row[name] for name in names)] for t_us, row in zip(times, rows, strict=True)
    ]
    return Table(table.name, (NUMBER, _ROW_TIME, *table.columns), cells, is_recorded=True)


def _session_row(number: int, header: Line, common: Header, footer: Line, notes: Sequence[Line], trials: int) -> Table:
    stage = header.get("curriculum") or {}
    row = {
        NUMBER.name: number,
        **{name: header.get(name) for name in ("start", "seed", "protocol", "model")},
        "curriculum": stage.get("name"),
        "stage": stage.get("stage"),
        "reason": footer["reason"],
        "duration_s": to_s(footer["t"]),
        "trials": trials,
        **{name: footer.get(name) for name in ("rewards", "ul", "pellets", "access_s")},
        "header": _json(_differing(header, common)),
        "footer": _json(footer),
        "notes": _json(list(notes)),
    }
    return Table(SESSIONS, _SESSION_COLUMNS, [[row[column.name] for column in _SESSION_COLUMNS]])


def _json(value: Any) -> str:
    return json_text(escape_surrogates(value))


def _differing(header: Line, common: Header) -> dict[str, Any]:
    """Return what of a header differs from the arm's."""
    own = {name: value for name, value in header.items() if name not in common or common[name] != value}
    lacking = sorted(name for name in common if name not in header)
    return {**own, _WITHOUT: lacking} if lacking else own


def _whole(own: Mapping[str, Any], common: Header) -> Line:
    """Return a header again of what differs from the arm's."""
    lacking = own.get(_WITHOUT, ())
    kept = {name: value for name, value in common.items() if name not in lacking}
    return {**kept, **{name: value for name, value in own.items() if name != _WITHOUT}}


def records_of(tables: Mapping[str, pa.Table], common: Header, subject: str, folder: Path) -> Iterator[Record]:
    """Yield the sessions of one subject as analyses read them, in order; ``common`` is the arm's header."""
    rows = {name: _by_session(tables[name], _json_columns(common, name)) for name in tables if name != SESSIONS}
    for session in tables[SESSIONS].to_pylist():
        number = session[NUMBER.name]
        found = (line for name, of in rows.items() for line in _row_lines(name, of.get(number, [])))
        notes, footer = json.loads(session["notes"]), json.loads(session["footer"])
        header = _whole(json.loads(session["header"]), common)
        yield Record(f"{subject}/{number}", subject, folder, [header, *found, *notes, footer])


def _json_columns(common: Header, table: str) -> list[str]:
    return [name for name, told in described_in(common, table).items() if told.get("kind", ANY) == ANY]


def _by_session(table: pa.Table, is_json: Sequence[str]) -> dict[int, list[dict[str, Any]]]:
    """Return the rows of each session; cells that were written as JSON have their values again."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        for name in is_json:
            row[name] = None if row[name] is None else json.loads(row[name])
        found.setdefault(row[NUMBER.name], []).append(row)
    return found


def _row_lines(table: str, rows: Iterable[dict[str, Any]]) -> Iterator[Line]:
    """Yield rows as journal lines, without number and checksum."""
    place = {"k": "trial"} if table == TRIAL_TABLE else {"k": "row", "table": table}
    for row in rows:
        del row[NUMBER.name]
        yield {"t": row.pop(_ROW_TIME.name), "src": "host", **place, **fields_of_row(row)}
