"""Output of ``rig analyze`` for the disk bandit: tables, figures, JSON and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.disk_bandit.analysis import tables
from protocols.disk_bandit.analysis.cells import cell_table
from protocols.disk_bandit.analysis.pecks import ParticipantVisit, Pecks
from protocols.disk_bandit.analysis.results import DiskResults, DiskSettings, report, sessions_of
from protocols.disk_bandit.tables.people import read_people
from rig.analysis.common.arrays import plain
from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.tables import Table, write_file
from rig.core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class DiskReport(Report):
    """A report with its sessions and the file for its counts."""

    sessions: Sequence[Pecks]
    found: DiskResults
    notes: Sequence[str]
    cells: str | None

    @classmethod
    def of(cls, sources: Sequence[Source[ParticipantVisit]], given: Mapping[str, Any], *, fits: bool) -> DiskReport:
        """Build the report of sessions. Raises ``ConfigError`` when no session has a peck on a disk."""
        sessions = sessions_of([source.session for source in sources])
        if not any(pecks.chosen.any() for pecks in sessions):
            raise ConfigError(*(f"{source.path}: has no peck on a disk: wanted at least one" for source in sources))
        people = read_people(Path(given["people"])) if given["people"] else None
        found = report(sessions, DiskSettings(given["min_pecks"], fits, people))
        notes = [note for source in sources for note in source.notes]
        return cls(sessions, found, [*notes, *_notes(found)], given["cells"])

    def document(self) -> Mapping[str, object]:
        """Return the report as data for JSON."""
        return {
            "selection": {"min_pecks": self.found.settings.min_pecks},
            "groups": plain(self.found.groups),
            "sessions": plain(self.found.sessions),
        }

    def tables(self) -> Iterator[Table]:
        """Yield the tables of every group, then one with one row per session."""
        return tables.tables(self.found)

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of every group."""
        from protocols.disk_bandit.analysis.figures import figures

        return figures(self.found, self.sessions)

    def write(self) -> list[str]:
        """Write the file that ``--cells`` asks for; return one line for it."""
        return [write_file("--cells", self.cells, cell_table(self.sessions))] if self.cells else []


def _notes(found: DiskResults) -> Iterator[str]:
    for each in found.sessions:
        if each.excluded:
            yield f"{each.name}: excluded: {', '.join(each.excluded)}"
    for group in found.groups.values():
        if group.left_out:
            counts = ", ".join(f"{count} {why}" for why, count in sorted(group.left_out.items()))
            yield f"{group.name}: pecks that are not choices are excluded: {counts}"
        if found.settings.people is not None:
            unknown = sorted({each.subject for each in group.largest} - set(found.settings.people))
            if unknown:
                yield f"{group.name}: --people has no row for {', '.join(unknown)}"
        for what, why in group.thetas.refused.items() if group.thetas else ():
            yield f"{group.name}: {what} {why}"
