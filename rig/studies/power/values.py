"""The number of each simulated subject, taken from the analysis of its sessions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rig.analysis.common.arrays import Floats
from rig.analysis.common.plugin import Analysis, Source
from rig.analysis.common.sources import source_of
from rig.analysis.common.user_errors import located_user_errors
from rig.config.models.study_file import Power
from rig.core.errors import ConfigError, RecordError
from rig.records.recorded_session import RecordedSession
from rig.studies.result_number import take
from rig.terminal.format import pluralize


@dataclass(frozen=True)
class ArmValues:
    """The values of an arm, [subjects, columns] as in ``pool.Pool``, and notes on subjects without a value."""

    values: Floats
    notes: tuple[str, ...]


@dataclass(frozen=True)
class SubjectValues:
    """The values of one subject, and for each value that is NaN the reason."""

    subject: str
    values: tuple[float, ...]
    reasons: tuple[str, ...]


def values_of(
    analysis: Analysis[Any], power: Power, subject: str, sessions: Sequence[RecordedSession]
) -> SubjectValues:
    """Return the values of a subject from its sessions in their order."""
    parts = _parts(power)
    try:
        sources = [source_of(session, analysis) for session in sessions]
    except (ConfigError, RecordError) as error:
        return SubjectValues(subject, (math.nan,) * len(parts), (str(error),) * len(parts))
    taker = _Taker(analysis, power.statistic.take)
    values = [taker.value(sources, part) for part in parts]
    return SubjectValues(subject, tuple(value for value, _ in values), tuple(reason for _, reason in values))


class _Taker:
    """Takes the number of a subject from an analysis.

    A report with fits of models takes up to seventy times as long. So a number is sought in one without them first.
    Once it was found there, or only with them, the other kind is not made any more.
    """

    def __init__(self, analysis: Analysis[Any], place: str) -> None:
        self._analysis = analysis
        self._place = place
        self._kinds: tuple[bool, ...] = (False, True)

    def value(self, sources: Sequence[Source[Any]], part: slice) -> tuple[float, str]:
        """Return the value over some sessions, and why it is NaN."""
        if part.stop > len(sources):
            return math.nan, f"it has {pluralize(len(sources), 'session')}"
        reason = ""
        for fits in self._kinds:
            try:
                with located_user_errors(type(self._analysis)):
                    document = self._analysis.report(sources[part], fits=fits).document()
                value = take(document, self._place)
            except (ConfigError, RecordError) as error:
                reason = str(error)
                continue
            if math.isfinite(value):
                self._kinds = (fits,)
                return value, ""
            reason = f"{self._place} is not a finite number"
        return math.nan, reason


def together(power: Power, subjects: Sequence[SubjectValues]) -> ArmValues:
    """Return the values of subjects as those of their arm. Raises ``ConfigError`` if none of them has a value."""
    parts = _parts(power)
    values = np.array([subject.values for subject in subjects], float).reshape(len(subjects), len(parts))
    if subjects and not np.isfinite(values).any():
        raise ConfigError(f"{power.statistic.take}: no subject has this number: {subjects[0].reasons[0]}")
    return ArmValues(values, tuple(_notes(parts, subjects)))


def _notes(parts: Sequence[slice], subjects: Sequence[SubjectValues]) -> Iterator[str]:
    for index, part in enumerate(parts):
        without = [subject for subject in subjects if not math.isfinite(subject.values[index])]
        if without:
            over = f"session {part.stop}" if part.start else pluralize(part.stop, "session")
            yield (
                f"{len(without)} of {pluralize(len(subjects), 'subject')} left out, without a value over {over}: "
                f"{without[0].subject}: {without[0].reasons[index]}"
            )


def _parts(power: Power) -> list[slice]:
    """Return the sessions of each column: the first ones for a permutation test, single ones for a mixed model."""
    if power.test == "permutation":
        return [slice(0, count) for count in power.sessions]
    return [slice(number, number + 1) for number in range(max(power.sessions))]
