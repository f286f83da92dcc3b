"""Plug-in of ``rig analyze`` for the disk bandit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protocols.disk_bandit.tables.pecks import NEEDED
from rig.analysis.common.plugin import Analysis, Option, Source, count

if TYPE_CHECKING:
    from protocols.disk_bandit.analysis.pecks import ParticipantVisit
    from protocols.disk_bandit.analysis.report import DiskReport
    from rig.records.recorded_session import RecordedSession


class DiskBanditAnalysis(Analysis["ParticipantVisit"]):
    """Shares and rates of disks, and theta of Luce's rule, by block (Racey et al. 2011)."""

    about = "the disk bandit"
    columns = NEEDED
    file_columns = NEEDED
    answers = ("selection", "groups", "sessions")
    separates = ("disks", "n_disks", "vi_s", "rr_p", "block_s")
    options = (
        Option("--min-pecks", "exclude sessions with fewer pecks (default: 20)", "N", count, 20),
        Option("--people", "compare theta with the columns of a table of subjects: sex, grades, ...", "FILE", str),
        Option("--cells", "write a table of all counts by session, block and disk", "FILE", str, writes=True),
    )

    def of_session(self, session: RecordedSession) -> tuple[ParticipantVisit, Sequence[str]]:
        """Return the pecks of a session that ``rig`` recorded, with the assignments in its journal."""
        from protocols.disk_bandit.analysis.assignments import NOTE, of_journal
        from protocols.disk_bandit.analysis.pecks import of_rows

        visit = of_rows(session.full_name, session.subject_label, session.rows())
        return of_journal(visit, session.header, session.notes(NOTE)), ()

    def of_file(self, path: Path) -> ParticipantVisit:
        """Read the pecks of a peck file."""
        from protocols.disk_bandit.analysis.pecks import of_rows
        from protocols.disk_bandit.tables.pecks import read_pecks

        return of_rows(path.stem, path.stem.partition("_")[0], read_pecks(path))

    def report(self, sources: Sequence[Source[ParticipantVisit]], *, fits: bool) -> DiskReport:
        """Return the report of the sessions; ``fits`` adds the models."""
        from protocols.disk_bandit.analysis.report import DiskReport

        return DiskReport.of(sources, self.given, fits=fits)
