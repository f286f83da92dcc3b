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
from msgspec import convert, structs, to_builtins
from msgspec.json import Decoder

from rig.analysis.common.record import Record
from rig.analysis.common.select_analysis import fill_tables
from rig.analysis.common.sources import record_of
from rig.core.errors import RecordError
from rig.core.journal.codec import encode
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note, RowLine, TrialLine
from rig.core.model.columns import ANY
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import to_s
from rig.export.parquet import arrow_table
from rig.records.journal.read import Row, of_kind
from rig.records.session.trials import write_tables
from rig.records.tables.computed import computed_values, read_computed
from rig.records.tables.table import Table, TableColumn, fits, json_text, recorded_table
from rig.records.track.positions import POSITIONS
from rig.session.run.run_session import SessionResult

SESSIONS = "sessions"

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

_FIELDS = structs.fields(Header)
_decode_footer = Decoder(Footer).decode
_decode_notes = Decoder(list[Note]).decode


def session_tables(result: SessionResult, number: int, common: Header) -> ArrowTables:
    """Return the tables of a session that has just ended, ``number`` among those of its subject.

    ``common`` is the arm's header. Raises ``RecordError`` if the journal cannot be read again.
    """
    record, scan = record_of(result.folder, (RowLine, Note))
    header, footer = record.header, record.footer
    if scan.damage or footer is None:
        raise RecordError(f"{result.folder}: its journal is damaged")
    rows = {name: [(line.t_us, line.row) for line in record.table_lines(name)] for name in header.tables}
    times_us = [line.t_us for line in record.trials]
    rows[TRIAL_TABLE] = list(zip(times_us, _computed(result, header, record.rows), strict=True))
    made = {
        name: _typed(_numbered(recorded_table(name, columns, header), number, rows[name]))
        for name, columns in {TRIAL_TABLE: header.columns, **header.tables}.items()
    }
    return {SESSIONS: _typed(_session_row(number, record, footer, common)), **made}


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


def _computed(result: SessionResult, header: Header, rows: list[Row]) -> list[Row]:
    """Return rows with the columns that an analysis computes from the track, which is not kept."""
    if not (result.folder / POSITIONS).is_file():
        return rows
    write_tables(result.folder, header, result.tables)
    fill_tables(result.folder, header.columns)
    cells = read_computed(result.folder)
    values = {
        name: computed_values(cells, rows, name, header.column_kind(TRIAL_TABLE, name))
        for name in header.columns
        if all(row[name] is None for row in rows)
    }
    return [{**row, **{name: column[index] for name, column in values.items()}} for index, row in enumerate(rows)]


def _numbered(table: Table, number: int, rows: Iterable[tuple[int, Row]]) -> Table:
    names = [column.name for column in table.columns]
    if taken := sorted({NUMBER.name, _ROW_TIME.name, *PARTITIONS} & set(names)):
        raise RecordError(f"table {table.name}: column {taken[0]} is one of every table of a campaign: rename it")
    cells: list[Sequence[Any]] = [[number, t_us, *(row[name] for name in names)] for t_us, row in rows]
    return Table(table.name, (NUMBER, _ROW_TIME, *table.columns), cells, is_recorded=True)


def _session_row(number: int, record: Record, footer: Footer, common: Header) -> Table:
    header, stage = record.header, record.header.curriculum
    row = {
        NUMBER.name: number,
        **{name: getattr(header, name) for name in ("start", "seed", "protocol", "model")},
        "curriculum": stage and stage.name,
        "stage": stage and stage.stage,
        "duration_s": to_s(footer.t_us),
        **{name: getattr(footer, name) for name in ("reason", "trials", "rewards", "ul", "pellets", "access_s")},
        "header": json_text(_differing(header, common)),
        "footer": encode(footer).decode(),
        "notes": encode(list(of_kind(record.lines, Note))).decode(),
    }
    return Table(SESSIONS, _SESSION_COLUMNS, [[row[column.name] for column in _SESSION_COLUMNS]])


def _differing(header: Header, common: Header) -> dict[str, Any]:
    """Return the fields of a header that differ from the arm's, as JSON has them."""
    fields = [(field.encode_name, getattr(header, field.name), getattr(common, field.name)) for field in _FIELDS]
    return {name: to_builtins(own) for name, own, of_arm in fields if own != of_arm}


def records_of(tables: Mapping[str, pa.Table], common: Header, subject: str, folder: Path) -> Iterator[Record]:
    """Yield the sessions of one subject as analyses read them, in order; ``common`` is the arm's header."""
    of_arm = to_builtins(common)
    lines = [_by_session(name, table, common) for name, table in tables.items() if name != SESSIONS]
    for session in tables[SESSIONS].to_pylist():
        number = session[NUMBER.name]
        header = convert({**of_arm, **json.loads(session["header"])}, Header)
        notes, footer = _decode_notes(session["notes"]), _decode_footer(session["footer"])
        rows = (line for by_session in lines for line in by_session.get(number, ()))
        yield Record(f"{subject}/{number}", subject, folder, header, [*rows, *notes, footer])


def _by_session(name: str, table: pa.Table, common: Header) -> dict[int, list[TrialLine | RowLine]]:
    """Return the rows of each session as lines; cells that were written as JSON have their values again."""
    is_json = [column for column, described in common.described(name).items() if described.kind == ANY]
    lines: dict[int, list[TrialLine | RowLine]] = {}
    for row in table.to_pylist():
        for column in is_json:
            row[column] = None if row[column] is None else json.loads(row[column])
        number, t_us = row.pop(NUMBER.name), row.pop(_ROW_TIME.name)
        line = TrialLine(t_us, row) if name == TRIAL_TABLE else RowLine(t_us, name, row)
        lines.setdefault(number, []).append(line)
    return lines
