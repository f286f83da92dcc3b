"""One recorded session, read as far as its journal is good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Correction, PositionsLine
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import to_s
from rig.export.clock_columns import add_clock_columns, frames_table
from rig.export.computed import fill_computed
from rig.export.other_clocks import OtherClocks, read_other_clocks
from rig.export.session_tables import SessionTables
from rig.export.table import Table
from rig.records.journal.read import MAX_LISTED, DamagedLine, PartialLine, iter_lines, journal_of, read_ends
from rig.records.session.subject import subject_of
from rig.records.session.task_clock import TaskClock
from rig.records.subject.deliveries import checksum
from rig.records.track.positions import POSITIONS
from rig.records.track.read import read_positions
from rig.system.atomic_files import os_error_text


@dataclass(frozen=True)
class Recording:
    """A session: its header, its end if it has one, and its tables.

    ``damage`` says in sentences what of its records cannot be trusted and was left out.
    """

    journal: Path
    header: Header
    footer: Footer | None
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
        recorded = self.header.subject
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
    tables: SessionTables | None = None
    header: Header | None = None
    footer: Footer | None = None
    blocks: list[PositionsLine] = []
    damage: list[str] = []
    damaged = 0
    for line in iter_lines(journal):
        if isinstance(line, DamagedLine):
            damaged += 1
            if damaged <= MAX_LISTED:
                damage.append(f"{line.why}" if isinstance(line, PartialLine) else f"line {line.line}: {line.why}")
            continue
        if header is None or tables is None:
            if not isinstance(line, Header):
                break
            header, tables = line, SessionTables(line)
        tables.take(line)
        footer = line if isinstance(line, Footer) else None if isinstance(line, Correction) else footer
        blocks += [line] if isinstance(line, PositionsLine) else []
    if header is None or tables is None:
        raise RecordError(f"{journal}: has no header line that can be read: nothing can be made of it")
    if damaged > MAX_LISTED:
        damage.append(f"{damaged - MAX_LISTED} more lines cannot be trusted")
    if footer is not None and not damage and not _has_its_bytes(journal, footer):
        damage.append("its bytes are not those that the program wrote: the digest of its end does not fit")
    own = tables.own()
    if blocks:
        damage += _read_positions(journal.with_name(POSITIONS), blocks, own["positions"])
    fill_computed(journal.parent, tables.recorded[TRIAL_TABLE])
    clocks = read_other_clocks(journal.parent)
    own |= {numbered.name: frames_table(numbered) for numbered in clocks.frames}
    for table in (*tables.recorded.values(), *own.values()):
        add_clock_columns(table, clocks, tables.clock)
    return Recording(journal, header, footer, tuple(damage), tables.recorded, own, tables.clock, clocks)


def _has_its_bytes(journal: Path, footer: Footer) -> bool:
    try:
        return footer.digest == f"{checksum(journal, read_ends(journal).start):08x}"
    except OSError as error:
        raise RecordError(f"{journal}: cannot be read: {os_error_text(error)}") from error


def _read_positions(path: Path, blocks: list[PositionsLine], table: Table) -> list[str]:
    """Read the positions into their table; return what is wrong with the file."""
    try:
        positions = read_positions(path, blocks)
    except RecordError as error:
        return [str(error)]
    table.rows += [
        (to_s(t_us), _found(x_cm), _found(y_cm), frame, to_s(raw_us))
        for t_us, raw_us, x_cm, y_cm, frame, _ in positions.records.tolist()
    ]
    counts = {"damaged": positions.damaged, "missing": positions.missing}
    return [f"{POSITIONS}: {count} records are {what}" for what, count in counts.items() if count]


def _found(cm: float) -> float | None:
    return None if cm != cm else cm
