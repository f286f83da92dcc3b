"""One recorded session: what its header and its end say, its damage, its lines, and its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note, PositionsLine, SamplesLine, SessionLine
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.task_clock import TaskClock
from rig.records.journal.digest import OTHER_LINES, digest_fits
from rig.records.journal.dispatch import Dispatch
from rig.records.journal.read import DamagedLine, JournalScan, Row, iter_lines, journal_of, read_ends
from rig.records.session.read_environment import read_environment
from rig.records.session.state_spans import StateSpans
from rig.records.session.subject import subject_of
from rig.records.session.task_clock import RecordedClock
from rig.records.tables.clock_columns import frames_table, with_clock_columns
from rig.records.tables.computed import with_computed
from rig.records.tables.other_clocks import OtherClocks, read_other_clocks
from rig.records.tables.protocol_tables import ProtocolTables
from rig.records.tables.sampled import Sampled, read_sampled, samples_table
from rig.records.tables.session_tables import SessionTables
from rig.records.tables.table import Table
from rig.records.tables.tracked import Track, positions_table, read_track
from rig.system.atomic_files import os_error_text

_LINES = 1_000
"""So many lines are in memory at once."""


class JournalPass(NamedTuple):
    """What every pass over a journal gives.

    ``blocks`` are the lines that index the file of positions, ``samples`` those that index the file of each source.
    """

    scan: JournalScan
    clock: RecordedClock
    protocol: ProtocolTables
    blocks: list[PositionsLine]
    samples: defaultdict[str, list[SamplesLine]]


class RecordedSession:
    """A session as far as its journal is good.

    The journal is read when its end or a table is asked for, and once for all of its lines; `read` hands these to a
    reader that keeps less. Reading raises ``RecordError``.
    """

    def __init__(self, journal: Path, header: Header) -> None:
        self.journal = journal
        self.header = header
        self._pass: JournalPass | None = None
        self._made: SessionTables | None = None

    # --- what the header and the folder say -------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """Return its folder."""
        return self.journal.parent

    @cached_property
    def name(self) -> str:
        """Return its name below the subject's folder, ``2026-11-21/001``; of a copied journal that of its file."""
        folder = self.journal.resolve().parent
        return f"{folder.parent.name}/{folder.name}" if folder.name.isdecimal() else self.journal.stem

    @cached_property
    def subject(self) -> str:
        """Return the name of the subject to which it belongs now; empty if the header has none."""
        recorded = self.header.subject
        # Resolved: a link, or the end of a path with "..", would be another folder's name.
        return subject_of(self.journal.resolve().parent, recorded) if recorded else ""

    @cached_property
    def full_name(self) -> str:
        """Return its name with that of the subject's folder, ``M18/2026-11-21/001``; of a copy the end of its path."""
        return "/".join(self.journal.resolve().parent.parts[-3:])

    @property
    def subject_label(self) -> str:
        """Return the subject, or the name of its folder if the header has none."""
        return self.subject or self.journal.resolve().parent.parent.parent.name or "no name"

    @property
    def start(self) -> datetime | None:
        """Return the local time of the start."""
        return self.header.start_time

    @property
    def simulated(self) -> bool:
        """Whether no real subject took part."""
        return self.header.simulated

    @cached_property
    def environment(self) -> Mapping[str, object]:
        """Return the facts about the computer; empty if their file is missing or damaged."""
        facts: Mapping[str, object] = escape_surrogates(read_environment(self.folder))
        return facts

    # --- the journal ------------------------------------------------------------------------------------------

    def read(self, *readers: Callable[[SessionLine], object]) -> JournalPass:
        """Read the journal, hand each good line to all readers, and return what every pass gives."""
        known = JournalPass(JournalScan(), RecordedClock(), ProtocolTables(self.header), [], defaultdict(list))
        dispatch = Dispatch()
        dispatch.add(known.clock.take, *RecordedClock.kinds)
        dispatch.add(known.protocol.take, *ProtocolTables.kinds)
        dispatch.add(known.blocks.append, PositionsLine)
        dispatch.add(lambda line: known.samples[line.source].append(line), SamplesLine)
        good = known.scan.good_lines(self._iter_lines())
        while lines := list(islice(good, _LINES)):
            for read in (dispatch.take, *readers):  # one after the other: a third quicker than line by line
                for line in lines:
                    read(line)
        self._pass = known
        return self._pass

    def _iter_lines(self) -> Iterator[SessionLine | DamagedLine]:
        return iter_lines(self.journal)

    def _read_tables(self) -> tuple[SessionTables, JournalPass]:
        tables = SessionTables()
        known = self.read(tables.take)
        self._made = tables
        return tables, known

    @property
    def _tables(self) -> SessionTables:
        return self._made or self._read_tables()[0]

    @property
    def _known(self) -> JournalPass:
        # Who asks for the end of a session asks for its tables next.
        return self._pass or self._read_tables()[1]

    @property
    def _protocol(self) -> ProtocolTables:
        return (self._pass or self.read()).protocol

    @cached_property
    def lines(self) -> Sequence[SessionLine]:
        """Return the good lines of its journal, which are kept from then on; the first is the header."""
        lines: list[SessionLine] = []
        self.read(lines.append)
        return lines

    @property
    def scan(self) -> JournalScan:
        """Return what of the journal is damaged, line by line."""
        return self._known.scan

    @property
    def footer(self) -> Footer | None:
        """Return the line of its end; None if it still runs or broke off."""
        return self.scan.footer

    @property
    def end_us(self) -> int:
        """Return the time of the end, or else of the last line."""
        return self.scan.end_us

    @property
    def clock(self) -> TaskClock:
        """Return the clock of the task, on which the times of the protocol's tables are."""
        return self._known.clock

    # --- what is damaged --------------------------------------------------------------------------------------

    @cached_property
    def damage(self) -> tuple[str, ...]:
        """Return in sentences what of its records cannot be trusted and is left out."""
        scan = self.scan
        sentences = [f"line {item.line}: {item.why}" for item in scan.damage]
        if scan.damaged > len(scan.damage):
            sentences.append(f"{scan.damaged - len(scan.damage)} more lines cannot be trusted")
        sentences += [] if scan.torn is None else [scan.torn.why]
        return (*sentences, *self.damage_beside_lines)

    @cached_property
    def damage_beside_lines(self) -> tuple[str, ...]:
        """Return the part of the damage that is in no single line: a digest that does not fit, and files of records."""
        footer, scan = self.footer, self.scan
        is_whole = footer is None or scan.damage or scan.torn is not None or _digest_fits(self.journal)
        return (*(() if is_whole else (OTHER_LINES,)), *self.track.damage, *self.sampled.damage)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what was left out: the damage of the records, and files of alignments that cannot be read."""
        return self.damage + self.clocks.damage

    @property
    def complete(self) -> bool:
        """Whether the session has ended and nothing of its records is missing."""
        return self.footer is not None and not self.damage

    # --- its tables -------------------------------------------------------------------------------------------

    @property
    def recorded_tables(self) -> Mapping[str, Table]:
        """Return the tables of the protocol as it recorded them: the trials, and further ones."""
        return self._protocol.recorded

    def rows(self, table: str = TRIAL_TABLE) -> list[Row]:
        """Return the rows of a table of the protocol as it recorded them; none of a table that it does not have."""
        recorded = self.recorded_tables.get(table)
        return [] if recorded is None else recorded.row_dicts()

    @property
    def all_notes(self) -> Sequence[Note]:
        """Return the notes of the protocol."""
        return self._protocol.notes

    def notes(self, what: str) -> list[Note]:
        """Return the notes of the protocol that say ``what``."""
        return [note for note in self.all_notes if note.what == what]

    @cached_property
    def protocol_tables(self) -> Mapping[str, Table]:
        """Return the tables of the protocol, with the columns that the program has computed after the session."""
        tables = self.recorded_tables
        return {**tables, TRIAL_TABLE: with_computed(self.folder, tables[TRIAL_TABLE])}

    @cached_property
    def session_tables(self) -> Mapping[str, Table]:
        """Return the tables that every session has; positions and samples are in `track` and `sampled`."""
        return self._tables.own()

    @property
    def states(self) -> StateSpans:
        """Return every visit of a state, in order."""
        return self._tables.states

    @property
    def position_blocks(self) -> Sequence[PositionsLine]:
        """Return the lines that index the file of positions."""
        return (self._pass or self.read()).blocks

    @cached_property
    def track(self) -> Track:
        """Return the positions of a tracked animal, as far as they can be read."""
        return read_track(self.folder, self.position_blocks)

    @cached_property
    def sampled(self) -> Sampled:
        """Return what the board has sampled, as far as it can be read."""
        return read_sampled(self.folder, (self._pass or self.read()).samples)

    @cached_property
    def clocks(self) -> OtherClocks:
        """Return the clocks of other systems with which it is aligned."""
        return read_other_clocks(self.folder)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Return all tables by name, each time also on the other clocks.

        Where the protocol has a table of the same name, the session's is ``session_NAME``.
        """
        beside = {"positions": positions_table(self.track), "samples": samples_table(self.sampled, self.header.rig)}
        own = {**self.session_tables, **beside}
        own |= {numbered.name: frames_table(numbered) for numbered in self.clocks.frames}
        tables = {**self.protocol_tables, **{self._free_name(name): table for name, table in own.items()}}
        return {name: with_clock_columns(table, self.clocks, self.clock) for name, table in tables.items()}

    def _free_name(self, name: str) -> str:
        while name in self.protocol_tables:
            name = f"session_{name}"
        return name


def _digest_fits(journal: Path) -> bool:
    try:
        return digest_fits(journal, read_ends(journal))
    except OSError as error:
        raise RecordError(f"{journal}: cannot be read: {os_error_text(error)}") from error


def read_session(path: Path) -> RecordedSession:
    """Open a session by its folder or its journal. Raises ``RecordError`` for one without a header to be read by."""
    journal = journal_of(path)
    header = read_ends(journal).header
    if header is None:
        first = next(iter_lines(journal), None)
        why = f": {first.why}" if isinstance(first, DamagedLine) else ""
        raise RecordError(f"{journal}: has no header line that can be read{why}: wanted the journal of a session")
    return RecordedSession(journal, header)
