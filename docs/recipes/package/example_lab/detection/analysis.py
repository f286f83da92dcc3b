"""Hits by the length of the buzz."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rig.analysis.common.plugin import Analysis, Report, Source
from rig.analysis.common.tables import Table
from rig.records.recorded_session import RecordedSession


@dataclass(frozen=True)
class Session:
    """Trials and hits of one session, by the length of the buzz in milliseconds."""

    name: str
    counts: Mapping[float, tuple[int, int]]
    fingerprint: bytes

    @property
    def trials(self) -> int:
        """Return the number of analyzed trials."""
        return sum(trials for trials, _ in self.counts.values())


def hits_by_length(rows: Sequence[Mapping[str, Any]]) -> dict[float, tuple[int, int]]:
    """Return the numbers of trials and of hits for each length of the buzz, the shortest first."""
    counts: dict[float, tuple[int, int]] = {}
    for row in sorted(rows, key=lambda row: float(row["buzz_ms"])):
        trials, hits = counts.get(row["buzz_ms"], (0, 0))
        counts[row["buzz_ms"]] = trials + 1, hits + (row["outcome"] == "hit")
    return counts


class DetectionReport(Report):
    """The share of hits of each session."""

    def __init__(self, sources: Sequence[Source[Session]]) -> None:
        self.notes = [note for source in sources for note in source.notes]
        self._sessions = [source.session for source in sources]

    def document(self) -> Mapping[str, Any]:
        """Return what ``--json`` prints."""
        return {"sessions": [{"name": session.name, "counts": session.counts} for session in self._sessions]}

    def tables(self) -> Iterator[Table]:
        """Yield one table with a row for each session and length."""
        rows = (
            (session.name, f"{buzz_ms:g}", str(trials), f"{hits / trials:.3f}")
            for session in self._sessions
            for buzz_ms, (trials, hits) in session.counts.items()
        )
        yield Table.of("hits by the length of the buzz", ("session", "buzz ms", "trials", "hits"), rows)


class DetectionAnalysis(Analysis[Session]):
    """Share of hits for each length of the buzz."""

    about = "detection of buzzes"
    columns = ("buzz_ms", "latency_s", "outcome")
    answers = ("sessions",)

    def of_session(self, session: RecordedSession) -> tuple[Session, Sequence[str]]:
        """Return the counts of a session, and no notes for the reader."""
        counts = hits_by_length(session.rows())
        return Session(session.full_name, counts, f"{session.subject} {session.header.start} {counts}".encode()), ()

    def report(self, sources: Sequence[Source[Session]], *, fits: bool) -> DetectionReport:
        """Return the report of all sessions."""
        return DetectionReport(sources)
