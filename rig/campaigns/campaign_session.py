"""A session of a campaign, as an analysis reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note
from rig.records.journal.read import JOURNAL
from rig.records.recorded_session import RecordedSession
from rig.records.tables.table import Table


class CampaignSession(RecordedSession):
    """A session of which header, footer, notes and the tables of the protocol are kept, and no journal.

    What else a journal has raises ``RecordError``.
    """

    def __init__(
        self,
        folder: Path,
        full_name: str,
        header: Header,
        footer: Footer,
        tables: Mapping[str, Table],
        notes: list[Note],
    ) -> None:
        super().__init__(folder / JOURNAL, header)
        self.full_name = full_name
        self.subject, _, self.name = full_name.partition("/")
        self._footer = footer
        self._recorded = tables
        self._notes = notes

    @property
    def footer(self) -> Footer:
        """Return the line of its end."""
        return self._footer

    @property
    def recorded_tables(self) -> Mapping[str, Table]:
        """Return the tables of the protocol, with the columns that the program has computed after the session."""
        return self._recorded

    @property
    def all_notes(self) -> Sequence[Note]:
        """Return the notes of the protocol."""
        return self._notes

    def _iter_lines(self) -> NoReturn:
        raise RecordError(
            f"{self.full_name}: a campaign keeps header, footer, notes and the tables of the protocol, and no "
            "journal: `rig analyze` reads journals"
        )
