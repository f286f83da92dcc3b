"""Plug-in of ``rig analyze`` for two-armed bandits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.analysis.common.plugin import Analysis, Option, Source, count

if TYPE_CHECKING:
    from protocols.two_armed_bandit.analysis.report import BanditReport
    from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
    from rig.records.recorded_session import RecordedSession


class TwoArmedBanditAnalysis(Analysis["ChoiceSession"]):
    """Rates, times, recovery after swaps, words of history, and models of choice (Beron et al. 2022)."""

    about = "a two-armed bandit"
    columns = ("choice", "outcome", "high_side", "p_left", "p_right", "t_center_in", "t_side_in", "latency_s")
    file_columns = COLUMNS
    answers = ("selection", "bootstrap", "groups", "sessions", "comparison")
    separates = (
        *("p_high", "p_low", "allow_asymmetric", "conditions", "condition_order", "trials_from", "blocks_from"),
    )
    options = (
        Option("--skip-first", "drop the first N trials of each session", "N", count, 0),
        Option("--split-seed", "choose the test sessions of the models at random", "SEED", count),
        Option("--seed", "random seed of the bootstrap (default: 1)", "SEED", count, 1),
        Option("--resamples", "resamples of the bootstrap over sessions (default: 1000)", "N", count, 1000),
        Option("--models", "study the models: history lengths, likelihood surfaces, simulated agents (takes minutes)"),
        Option("--splits", "with --models: number of random splits of the sessions (default: 10)", "N", count, 10),
        Option("--compare", "compare 12 statistics with those of real sessions in the public format", "DIR", str),
        Option("--public", "write all trials as the authors' table", "FILE", str, writes=True),
        Option("--decisions", "write each session as a file of decisions", "DIR", str, writes=True),
        Option("--subject-tables", "write tables of each subject: behavior, and weights", "DIR", str, writes=True),
        Option("--ngram", "write the table of history words for the model ngram", "FILE", str, writes=True),
    )

    def of_session(self, session: RecordedSession) -> tuple[ChoiceSession, Sequence[str]]:
        """Return the completed trials of a session that ``rig`` recorded, without notes."""
        from protocols.two_armed_bandit.analysis.sessions import of_rows

        return of_rows(session.full_name, session.subject_label, session.rows()), ()

    def of_file(self, path: Path) -> ChoiceSession:
        """Read a session in the public format; its file is named SUBJECT_…csv."""
        from protocols.two_armed_bandit.analysis.sessions import of_file

        return of_file(path)

    def report(self, sources: Sequence[Source[ChoiceSession]], *, fits: bool) -> BanditReport:
        """Return the report of the sessions; ``fits`` adds the models."""
        from protocols.two_armed_bandit.analysis.report import BanditReport

        return BanditReport.of(sources, self.given, fits=fits)
