"""Output of ``rig analyze`` for delay discounting: tables, figures, JSON and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.delay_discounting.analysis import tables
from protocols.delay_discounting.analysis.lap_table import lap_table
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.results import MazeResults, MazeSettings, report
from protocols.delay_discounting.analysis.tracks import fill_trials
from rig.analysis.common.arrays import plain
from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.tables import Table, write_file
from rig.core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class MazeReport(Report):
    """A report with its sessions, their paths, and the options given."""

    paths: Sequence[Path]
    sessions: Sequence[Laps]
    found: MazeResults
    notes: Sequence[str]
    given: Mapping[str, Any]

    @classmethod
    def of(cls, sources: Sequence[Source[Laps]], given: Mapping[str, Any], *, fits: bool) -> MazeReport:
        """Build the report of sessions. Raises ``ConfigError`` when no session has a complete lap."""
        backpack = given["backpack"]
        sessions = [source.session.unturned() if backpack else source.session for source in sources]
        if not any(laps.trials for laps in sessions):
            raise ConfigError(*(f"{source.path}: has no complete lap: wanted at least one" for source in sources))
        found = report(sessions, MazeSettings(given["min_laps"], fits))
        notes = [note for source in sources for note in source.notes]
        notes += (*_excluded(found), *_untracked(found, backpack))
        return cls([source.path for source in sources], sessions, found, notes, given)

    def document(self) -> Mapping[str, object]:
        """Return the report as data for JSON."""
        return {
            "selection": {"min_laps": self.found.settings.min_laps, "backpack": self.given["backpack"]},
            "ratios": plain(self.found.ratios),
            "groups": plain(self.found.groups),
            "sessions": plain(self.found.sessions),
        }

    def tables(self) -> Iterator[Table]:
        """Yield tables with one column per ratio of the rewards, then one with one row per session."""
        return tables.tables(self.found)

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of the sessions and of every ratio."""
        from protocols.delay_discounting.analysis.figures import figures

        return figures(self.found, self.sessions)

    def write(self) -> list[str]:
        """Write the files that ``--laps`` and ``--fill`` ask for; return one line per file."""
        written = []
        if self.given["laps"]:
            written.append(write_file("--laps", self.given["laps"], lap_table(self.sessions)))
        if self.given["fill"]:
            written += (str(fill_trials(path, laps)) for path, laps in zip(self.paths, self.sessions, strict=True))
        return written


def _excluded(found: MazeResults) -> Iterator[str]:
    for each in found.sessions:
        if each.excluded:
            yield f"{each.name}: excluded: {', '.join(each.excluded)}"


def _untracked(found: MazeResults, backpack: bool) -> Iterator[str]:
    if backpack:
        yield "zIdPhi is omitted: a light on the back does not show turns of the head"
    elif not any(each.passes for each in found.sessions):
        yield "zIdPhi is omitted: no pass of the choice point was tracked"
