"""Output of ``rig analyze`` for a two-armed bandit: tables, figures, JSON and files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.two_armed_bandit.analysis import tables
from protocols.two_armed_bandit.analysis.day_to_day.compare import Comparison
from protocols.two_armed_bandit.analysis.day_to_day.with_real import comparison_table, with_real
from protocols.two_armed_bandit.analysis.history_words import ngram
from protocols.two_armed_bandit.analysis.public import decision_file, trial_table
from protocols.two_armed_bandit.analysis.results import BanditResults, report, selected
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.analysis.subject_files import write_subjects
from rig.analysis.common.arrays import plain
from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.tables import Table, write_file
from rig.core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BanditReport(Report):
    """A report with its sessions and the options given."""

    sessions: Sequence[ChoiceSession]
    found: BanditResults
    comparisons: Sequence[Comparison]
    notes: Sequence[str]
    given: Mapping[str, Any]

    @classmethod
    def of(cls, sources: Sequence[Source[ChoiceSession]], given: Mapping[str, Any], *, fits: bool) -> BanditReport:
        """Build the report of sessions. Raises ``ConfigError`` when no session has a trial left."""
        settings = BanditSettings(
            skip_first=given["skip_first"],
            split_seed=given["split_seed"],
            seed=given["seed"],
            fits=fits,
            study=given["models"],
            splits=given["splits"],
            resamples=given["resamples"],
        )
        sessions = selected([source.session for source in sources], settings.skip_first)
        notes = [note for source in sources for note in source.notes]
        notes += _excluded(sources, sessions, settings)
        comparisons = with_real(given["compare"], sessions) if given["compare"] else ()
        return cls(sessions, report(sessions, settings), comparisons, notes, given)

    def document(self) -> Mapping[str, object]:
        """Return the report as data for JSON."""
        settings = self.found.settings
        return {
            "selection": {"name": settings.selection, "skip_first": settings.skip_first},
            "bootstrap": {"resamples": settings.resamples, "seed": settings.seed},
            "groups": plain(self.found.groups),
            "sessions": plain(self.found.sessions),
            "comparison": plain(self.comparisons),
        }

    def tables(self) -> Iterator[Table]:
        """Yield a table with one column per condition, then one with one row per session."""
        yield from tables.tables(self.found)
        if self.comparisons:
            yield comparison_table(self.comparisons)

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of every condition."""
        from protocols.two_armed_bandit.analysis.figures import figures

        return figures(self.found, self.sessions)

    def write(self) -> list[str]:
        """Write the files that the options ask for; return one line per file."""
        written = []
        if path := self.given["ngram"]:
            text = json.dumps(ngram(Stack.of(self.sessions)), indent=1) + "\n"
            written.append(write_file("--ngram", path, text))
        if path := self.given["public"]:
            written.append(write_file("--public", path, trial_table(self.sessions)))
        if folder := self.given["subject_tables"]:
            written += write_subjects(Path(folder), self.found.groups.values())
        if folder := self.given["decisions"]:
            written += _decisions(Path(folder), self.sessions)
        return written


def _decisions(folder: Path, sessions: Sequence[ChoiceSession]) -> Iterator[str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--decisions {folder}: cannot be created: {error.strerror}: wanted a folder") from None
    for session in sessions:
        text = decision_file(session)
        if text is not None:
            # The reader takes the subject from the file name up to the first underscore.
            name = session.name if session.name.startswith(session.subject) else f"{session.subject}_{session.name}"
            yield write_file("--decisions", str(folder / f"{name.replace('/', '_')}.csv"), text)


def _excluded(
    sources: Sequence[Source[ChoiceSession]], sessions: list[ChoiceSession], settings: BanditSettings
) -> list[str]:
    """Return a note for each session without trials. Raises ``ConfigError`` when no session is left."""
    kept = {session.name for session in sessions}
    after = f" after its first {settings.skip_first}" if settings.skip_first else ""
    empty = [source for source in sources if source.session.name not in kept]
    if not sessions:
        raise ConfigError(*(f"{source.path}: has no completed trial{after}: wanted at least one" for source in empty))
    return [f"{source.session.name}: has no completed trial{after}; excluded" for source in empty]
