"""The tables of one session of a campaign as Arrow, and the session made of them again for analyses.

``sessions`` has one row for each session, with its header, footer and notes as JSON; ``trials`` and the further tables
of the protocol have their rows. Every row has the number of the session and the journal's time of the row. Most of a
header is the same in all sessions of an arm: that part is kept once, and a session has only what differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import convert, structs, to_builtins
from msgspec.json import Decoder

from rig.analysis.common.select_analysis import fill_tables
from rig.campaigns.campaign_session import CampaignSession
from rig.core.errors import RecordError
from rig.core.journal.codec import encode
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note
from rig.core.model.columns import ANY
from rig.core.model.microseconds import to_s
from rig.export.parquet import arrow_table, arrow_type
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.trials import write_tables
from rig.records.tables.table import Table, TableColumn, fits, json_text, recorded_tables
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
    session = read_session(result.folder)
    session.read()  # not its edges, outputs and states, which are not kept
    if session.scan.damage or session.footer is None:
        raise RecordError(f"{result.folder}: its journal is damaged")
    _compute(result)
    tables = {name: _typed(_numbered(table, number)) for name, table in session.protocol_tables.items()}
    return {SESSIONS: _typed(_session_row(number, session, common)), **tables}


def _compute(result: SessionResult) -> None:
    """Write the columns that an analysis computes from the track, which is not kept."""
    if (result.folder / POSITIONS).is_file():
        write_tables(result.folder, result.header, result.tables)
        fill_tables(result.folder, result.header.columns)


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


def _numbered(table: Table, number: int) -> Table:
    names = {column.name for column in table.columns}
    if taken := sorted({NUMBER.name, _ROW_TIME.name, *PARTITIONS} & names):
        raise RecordError(f"table {table.name}: column {taken[0]} is one of every table of a campaign: rename it")
    rows: list[Sequence[Any]] = [(number, t_us, *row) for t_us, row in zip(table.times_us, table.rows, strict=True)]
    return replace(table, columns=(NUMBER, _ROW_TIME, *table.columns), rows=rows)


def _session_row(number: int, session: RecordedSession, common: Header) -> Table:
    header, footer, stage = session.header, session.footer, session.header.curriculum
    row = {
        NUMBER.name: number,
        **{name: getattr(header, name) for name in ("start", "seed", "protocol", "model")},
        "curriculum": stage and stage.name,
        "stage": stage and stage.stage,
        "duration_s": to_s(session.end_us),
        **{name: getattr(footer, name) for name in ("reason", "trials", "rewards", "ul", "pellets", "access_s")},
        "header": json_text(_differing(header, common)),
        "footer": encode(footer).decode(),
        "notes": encode(list(session.all_notes)).decode(),
    }
    return Table(SESSIONS, _SESSION_COLUMNS, [[row[column.name] for column in _SESSION_COLUMNS]])


def _differing(header: Header, common: Header) -> dict[str, Any]:
    """Return the fields of a header that differ from the arm's, as JSON has them."""
    fields = [(field.encode_name, getattr(header, field.name), getattr(common, field.name)) for field in _FIELDS]
    return {name: to_builtins(own) for name, own, of_arm in fields if own != of_arm}


def sessions_of(tables: ArrowTables, common: Header, folder: Path) -> Iterator[CampaignSession]:
    """Yield the sessions of one subject in order; ``common`` is the arm's header, ``folder`` is called as the subject.

    Raises ``ValueError`` if the tables have not the columns of the header, with their types.
    """
    of_arm = to_builtins(common)
    empty = recorded_tables(common)
    for session in tables[SESSIONS].to_pylist():
        number = session[NUMBER.name]
        header = convert({**of_arm, **json.loads(session["header"])}, Header)
        footer, notes = _decode_footer(session["footer"]), _decode_notes(session["notes"])
        own = {name: _filled(table, tables.get(name), number) for name, table in empty.items()}
        yield CampaignSession(folder, f"{folder.name}/{number}", header, footer, own, notes)


def _filled(empty: Table, kept: pa.Table | None, number: int) -> Table:
    """Return the rows of one session as a table like an empty one."""
    if kept is None:
        raise ValueError(f"there is no table {empty.name}")
    rows = kept.filter(pc.field(NUMBER.name) == number)
    times_us, *columns = (_cells(rows, empty.name, column) for column in (_ROW_TIME, *empty.columns))
    return replace(empty, rows=list(zip(*columns, strict=True)), times_us=times_us)


def _cells(rows: pa.Table, name: str, column: TableColumn) -> list[Any]:
    """Return the cells of a column; those that were written as JSON are parsed."""
    if column.name not in rows.schema.names:
        raise ValueError(f"table {name} has no column {column.name}")
    kept, wanted = rows.column(column.name), arrow_type(column.kind)
    if plain_type(kept.type) != wanted:
        raise ValueError(f"table {name}: column {column.name} is of the type {kept.type}, wanted {wanted}")
    cells: list[Any] = kept.to_pylist()
    return [None if cell is None else json.loads(cell) for cell in cells] if column.kind == ANY else cells


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column in a file, where texts are plain texts."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind
