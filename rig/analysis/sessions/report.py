"""Output of ``rig analyze`` for sessions of any protocol: tables, figures and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rig.analysis.common.arrays import plain
from rig.analysis.common.intervals import wilson
from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.subjects import OverSubjects, over_subjects
from rig.analysis.common.tables import Rows, Table, number, spread
from rig.analysis.sessions.visits import AMOUNTS, SessionRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADER = ("session", "protocol", "min", "ended by", "trials", "rewarded", "share, 95 %", "given", "outcomes")


@dataclass(frozen=True)
class Subject:
    """Means of one subject over its sessions of a protocol; s.e.m. with three sessions or more."""

    subject: str
    protocol: str
    sessions: int
    trials: OverSubjects
    rewarded_share: OverSubjects
    duration_min: OverSubjects
    given: dict[str, OverSubjects]


@dataclass(frozen=True)
class SessionsReport(Report):
    """Sessions in order of their start, and the number of sessions drawn per subject."""

    sessions: Sequence[SessionRecord]
    notes: Sequence[str]
    drawn: int

    @classmethod
    def of(cls, sources: Sequence[Source[SessionRecord]], drawn: int) -> SessionsReport:
        """Build the report of sessions, sorted by start, then by name."""
        # By start: the names of sessions from several laboratories do not sort by time.
        sessions = sorted((source.session for source in sources), key=lambda each: (each.start, each.name))
        return cls(sessions, [note for source in sources for note in source.notes], drawn)

    def document(self) -> Mapping[str, object]:
        """Return sessions and subjects as data for JSON."""
        return {"sessions": [_document(session) for session in self.sessions], "subjects": plain(self.subjects)}

    def tables(self) -> Iterator[Table]:
        """Yield a table with one row per session, and one with one row per subject."""
        yield Table.of_sessions(HEADER, map(_row, self.sessions), "sessions in order of their start")
        header = ("subject", "protocol", "sessions", "trials", "share rewarded", "min", *AMOUNTS.values())
        yield Table.of("subjects, mean of their sessions ± s.e.m.", header, self._rows())

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield one figure for each of the last sessions of a subject, and one for every subject over its days."""
        from rig.analysis.sessions.figures import figures

        return figures(self.by_subject, self.drawn)

    @property
    def by_subject(self) -> dict[tuple[str, str], list[SessionRecord]]:
        """Return the sessions by subject and protocol."""
        found: dict[tuple[str, str], list[SessionRecord]] = {}
        for session in self.sessions:
            found.setdefault((session.subject, session.protocol), []).append(session)
        return {key: found[key] for key in sorted(found)}

    @property
    def subjects(self) -> list[Subject]:
        """Return the means of every subject in every protocol."""
        return [_subject(*key, own) for key, own in self.by_subject.items()]

    def _rows(self) -> Rows:
        for subject in self.subjects:
            amounts = (subject.given[name] for name in AMOUNTS)
            yield (
                *(subject.subject, subject.protocol, str(subject.sessions)),
                *(spread(subject.trials.mean, subject.trials.sem, 1), _mean(subject.rewarded_share, 3)),
                *(_mean(subject.duration_min, 1), *(_mean(amount, 1) if amount.mean else "-" for amount in amounts)),
            )


def share(visit: SessionRecord) -> tuple[float, float, float]:
    """Return the share of rewarded trials and its 95 % interval (Wilson); NaN if the table has no rewards."""
    if visit.rewarded is None or not visit.trials:
        return (float("nan"),) * 3
    p = visit.rewarded_trials / visit.trials
    low, high = wilson(p, visit.trials)
    return p, float(low), float(high)


def _mean(found: OverSubjects, digits: int) -> str:
    return spread(found.mean, found.sem, digits)


def _subject(subject: str, protocol: str, own: Sequence[SessionRecord]) -> Subject:
    def mean(values: Sequence[float]) -> OverSubjects:
        return over_subjects(np.array(values, float))

    return Subject(
        subject,
        protocol,
        len(own),
        mean([each.trials for each in own]),
        mean([share(each)[0] for each in own]),
        mean([each.duration_s / 60 for each in own]),
        {name: mean([each.given.get(name, 0.0) for each in own]) for name in AMOUNTS},
    )


def _row(visit: SessionRecord) -> tuple[str, ...]:
    p, low, high = share(visit)
    known = visit.rewarded is not None
    given = ", ".join(f"{amount:g} {AMOUNTS[name]}" for name, amount in visit.given.items())
    return (
        *(visit.name, visit.protocol, number(visit.duration_s / 60, 1), visit.reason or "-", str(visit.trials)),
        str(visit.rewarded_trials) if known else "-",
        f"{p:.3f}, {low:.3f} to {high:.3f}" if known and visit.trials else "-",
        *(given or "-", ", ".join(f"{n} {outcome}" for outcome, n in visit.outcomes.items()) or "-"),
    )


def _document(visit: SessionRecord) -> dict[str, object]:
    p, low, high = share(visit)
    return {
        "name": visit.name,
        "subject": visit.subject,
        "protocol": visit.protocol,
        "start": visit.start,
        "reason": visit.reason,
        "duration_s": visit.duration_s,
        "trials": visit.trials,
        "outcomes": visit.outcomes,
        "rewards": visit.rewards,
        "rewarded_share": plain({"value": p, "low": low, "high": high}),
        "given": visit.given,
    }
