"""One recorded session, read as far as its journal is good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.core.journal.lines import Line
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import to_s
from rig.export.clock_columns import add_clock_columns, frames_table
from rig.export.computed import computed_values, read_computed
from rig.export.other_clocks import OtherClocks, read_other_clocks
from rig.export.session_tables import SessionTables
from rig.export.table import Table
from rig.records.journal.read import MAX_LISTED, DamagedLine, PartialLine, iter_lines, journal_of, read_ends
from rig.records.session.subject import subject_of
from rig.records.session.task_clock import TaskClock
from rig.records.subject.deliveries import checksum
from rig.records.track.positions import KIND, POSITIONS
from rig.records.track.read import read_positions
from rig.system.atomic_files import os_error_text


@dataclass(frozen=True)
class Recording:
    """A session: its header, its end if it has one, and its tables.

    ``damage`` says in sentences what of its records cannot be trusted and was left out.
    """

    journal: Path
    header: Line
    footer: Line | None
    damage: tuple[str, ...]
    recorded: Mapping[str, Table]
    """The tables of the protocol: ``trials``, and further ones."""
    own: Mapping[str, Table]
    """The tables that every session has."""
    clock: TaskClock
    """The clock of the task, on which the times of the protocol's tables are."""
    clocks: OtherClocks
    """The clocks of other systems with which it is aligned."""

    @property
    def subject(self) -> str:
        """Return the name of the subject to which it belongs now; empty if the header has none."""
        recorded = self.header.get("subject")
        return subject_of(self.journal.absolute().parent, recorded) if recorded else ""

    @cached_property
    def session(self) -> str:
        """Return its name below the subject's folder, ``2026-11-21/001``; of a copied journal that of its file."""
        folder = self.journal.resolve().parent
        return f"{folder.parent.name}/{folder.name}" if folder.name.isdecimal() else self.journal.stem

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what was left out: the damage of the records, and files of alignments that cannot be read."""
        return self.damage + self.clocks.damage

    @property
    def complete(self) -> bool:
        """Whether the session has ended and nothing of its journal is missing."""
        return self.footer is not None and not self.damage

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Return all tables by name; where the protocol has one of the same name, the session's is ``session_NAME``."""
        return {**self.recorded, **{self._free_name(name): table for name, table in self.own.items()}}

    def _free_name(self, name: str) -> str:
        while name in self.recorded:
            name = f"session_{name}"
        return name


def read_recording(path: Path) -> Recording:
    """Read a session's folder, or its journal. Raises ``RecordError`` if it has no header to be read by."""
    journal = journal_of(path)
    made: SessionTables | None = None
    header: Line = {}
    footer: Line | None = None
    blocks: list[Line] = []
    clock = TaskClock()
    damage: list[str] = []
    damaged = 0
    for line in iter_lines(journal):
        if isinstance(line, DamagedLine):
            damaged += 1
            if damaged <= MAX_LISTED:
                damage.append(f"{line.why}" if isinstance(line, PartialLine) else f"line {line.line}: {line.why}")
            continue
        if made is None:
            if line["k"] != "header":
                break
            header, made = line, SessionTables(line)
        made.take(line)
        clock.take(line)
        footer = line if line["k"] == "footer" else None if line["k"] == "correction" else footer
        blocks += [line] if line["k"] == KIND else []
    if made is None:
        raise RecordError(f"{journal}: has no header line that can be read: nothing can be made of it")
    if damaged > MAX_LISTED:
        damage.append(f"{damaged - MAX_LISTED} more lines cannot be trusted")
    if footer is not None and not damage and not _has_its_bytes(journal, footer):
        damage.append("its bytes are not those that the program wrote: the digest of its end does not fit")
    own = made.tables()
    if blocks:
        damage += _read_positions(journal.with_name(POSITIONS), blocks, own["positions"])
    _fill(journal.parent, made.recorded[TRIAL_TABLE])
    clocks = read_other_clocks(journal.parent)
    own |= {numbered.name: frames_table(numbered) for numbered in clocks.frames}
    for table in (*made.recorded.values(), *own.values()):
        add_clock_columns(table, clocks, clock)
    return Recording(journal, header, footer, tuple(damage), made.recorded, own, clock, clocks)


def _fill(folder: Path, trials: Table) -> None:
    """Add the values of the columns that the program has computed after the session to the trial table."""
    empty = [n for n, values in enumerate(trials.column_values()) if not any(value is not None for value in values)]
    cells = read_computed(folder) if empty and trials.rows else []
    if not cells:
        return
    rows = [dict(zip((column.name for column in trials.columns), row, strict=True)) for row in trials.rows]
    for place in empty:
        column = trials.columns[place]
        values = computed_values(cells, rows, column.name, column.kind)
        trials.rows = [[*row[:place], value, *row[place + 1 :]] for row, value in zip(trials.rows, values, strict=True)]


def _has_its_bytes(journal: Path, footer: Line) -> bool:
    try:
        return bool(footer["digest"] == f"{checksum(journal, read_ends(journal).start):08x}")
    except OSError as error:
        raise RecordError(f"{journal}: cannot be read: {os_error_text(error)}") from error


def _read_positions(path: Path, blocks: list[Line], table: Table) -> list[str]:
    """Read the positions into their table; return what is wrong with the file."""
    try:
        positions = read_positions(path, blocks)
    except RecordError as error:
        return [str(error)]
    table.rows += [
        (to_s(t_us), _found(x_cm), _found(y_cm), frame, to_s(raw_us))
        for t_us, raw_us, x_cm, y_cm, frame, _ in positions.records.tolist()
    ]
    counts: dict[str, Any] = {"damaged": positions.damaged, "missing": positions.missing}
    return [f"{POSITIONS}: {count} records are {what}" for what, count in counts.items() if count]


def _found(cm: float) -> float | None:
    return None if cm != cm else cm
