"""Select the next stage of a subject from the records of its past sessions alone.

A session counts if its header names the curriculum and its end reason counts. The current stage is that of the newest
such session, or the stage that a person chose since then. Its rules use the sessions since the subject entered it.
"""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from pathlib import Path

from rig.config.models.criteria import StageCondition, is_number, row_matches
from rig.config.models.curriculum import END, CurriculumFile, Rule
from rig.core.errors import RecordError
from rig.core.journal.header import RecordedStage
from rig.core.journal.kinds import TrialLine
from rig.records.journal.read import Row, rows_of, scan_journal
from rig.records.session.brief import SessionBrief
from rig.system.file_stamp import Stamp

_STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "share": statistics.fmean,
    "count": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": sum,
    "max": max,
    "min": min,
}
_ZERO_WITHOUT_ROWS = ("count", "sum")
"""Measures that are 0 without rows; other measures of no rows are unknown."""


@dataclass(frozen=True)
class Measurement:
    """Value of a condition in one or several sessions; ``value`` is None without enough rows."""

    where: str
    value: float | None
    holds: bool
    error: str = ""

    def __str__(self) -> str:
        if self.error:
            return "not known"
        return "too few rows" if self.value is None else f"{self.value:.4g}"


@dataclass(frozen=True)
class ConditionResult:
    """A condition and its measurements."""

    condition: StageCondition
    values: tuple[Measurement, ...]
    holds: bool

    def __str__(self) -> str:
        values = ", ".join(map(str, self.values)) or "no session yet"
        return f"{self.condition.name}: {values} (wanted {self.condition.criterion_text()})"


@dataclass(frozen=True)
class RuleResult:
    """A rule and the results of its conditions."""

    rule: Rule
    conditions: tuple[ConditionResult, ...]

    @property
    def holds(self) -> bool:
        """Whether all conditions hold, so that the subject changes stage."""
        return all(weighed.holds for weighed in self.conditions)


@dataclass(frozen=True)
class StageOverride:
    """A stage that a person chose, with the reason."""

    stage: str
    reason: str


@dataclass(frozen=True)
class StageDecision:
    """The stage of the next session, and the measurements that it follows from."""

    curriculum: str
    stage: str
    """``end``: the curriculum is over."""
    previous_stage: str | None
    """The stage so far; None before the first session."""
    sessions: tuple[SessionBrief, ...]
    """Those that count since the subject came to that stage, and before it if a condition counts across stages."""
    rule_results: tuple[RuleResult, ...] = ()
    """The rules of that stage, up to the one that holds."""
    override: StageOverride | None = None
    assigned: bool = False
    """Whether the first stage is one of several, assigned by the subject's number."""

    @property
    def finished(self) -> bool:
        """Whether the subject has finished the curriculum."""
        return self.stage == END

    @property
    def explanation(self) -> str:
        """Return in a line which rule chose the stage, with the numbers."""
        if self.override is not None:
            return f"chosen by hand: {self.override.reason}"
        if self.previous_stage is None:
            return "assigned by the subject's number" if self.assigned else "the first stage"
        if self.stage != self.previous_stage:
            return f"{self.previous_stage} -> {self.stage}: {'; '.join(map(str, self.rule_results[-1].conditions))}"
        if not self.rule_results:
            return "stays: no rule leads on"
        missing = [str(weighed) for weighed in self.rule_results[0].conditions if not weighed.holds]
        return f"stays: {'; '.join(missing)}"

    @property
    def recorded(self) -> RecordedStage:
        """Return what the session's header records of it."""
        return RecordedStage(
            name=self.curriculum,
            stage=self.stage,
            previous=self.previous_stage,
            why=self.explanation,
            sessions=[session.name for session in self.sessions if self.rule_results],
            override=None if self.override is None else self.override.reason,
        )


def select_stage(
    name: str,
    file: CurriculumFile,
    newest_first: Iterable[SessionBrief],
    override: StageOverride | None = None,
    *,
    subject: str = "",
) -> StageDecision:
    """Return the stage of the next session; only the sessions that decide it are read.

    Raises ``ConfigError`` for a new ``subject`` without a number where the stages are assigned by it.
    """
    counted, again = tee(_counted(name, newest_first))
    stage, sessions = _current_stage(counted)
    # Before the recorded stage is looked up: a person may choose one after the file has lost it.
    if override is not None:
        return StageDecision(name, override.stage, stage, sessions, (), override)
    if stage is None:
        return StageDecision(name, file.first_of(subject), None, (), assigned=file.assign is not None)
    if stage not in file.stages:
        raise _unknown_stage(name, stage, file)
    tried: list[RuleResult] = []
    decisive = sessions
    # A stage that a person has just chosen has no session yet, so there is nothing to measure.
    for rule in file.stages[stage].rules if sessions else ():
        results: list[ConditionResult] = []
        for condition in rule.when:
            again, own = tee(again)
            looked_at = _current_stage(own, condition.across, stage)[1] if condition.across else sessions
            decisive = max(decisive, looked_at, key=len)
            results.append(_check_condition(condition, looked_at))
        tried.append(RuleResult(rule, tuple(results)))
        if tried[-1].holds:
            return StageDecision(name, rule.to, stage, decisive, tuple(tried))
    return StageDecision(name, stage, stage, decisive, tuple(tried))


def _counted(name: str, newest_first: Iterable[SessionBrief]) -> Iterator[tuple[SessionBrief, str, bool]]:
    """Yield the sessions of a curriculum, each with its stage and whether a person chose it."""
    for past in newest_first:
        recorded = past.header.curriculum
        if recorded is None or recorded.name != name:
            continue
        # A stage that a person chose stays chosen although its session failed.
        chosen_by_person = recorded.override is not None
        if past.advances_state or chosen_by_person:
            yield past, recorded.stage, chosen_by_person


def _current_stage(
    newest_first: Iterable[tuple[SessionBrief, str, bool]], across: Collection[str] = (), stage: str | None = None
) -> tuple[str | None, tuple[SessionBrief, ...]]:
    """Return where a subject is, and list the sessions that count since it came there.

    Sessions in the stages ``across`` do not end the stay in a ``stage``.
    """
    sessions: list[SessionBrief] = []
    for past, its_stage, chosen_by_person in newest_first:
        if its_stage in across:
            continue
        # An earlier stay in the same stage must not count again after the subject was led back.
        if stage not in (None, its_stage):
            break
        stage = its_stage
        if past.advances_state:
            sessions.append(past)
        if chosen_by_person:  # the person's choice replaces what the earlier sessions showed
            break
    return stage, tuple(reversed(sessions))


def _unknown_stage(name: str, stage: str, file: CurriculumFile) -> RecordError:
    return RecordError(
        f"the newest session was in stage '{stage}', which curriculum {name} has no more; it has "
        f"{', '.join(file.stages)}: choose one with --stage NAME --override stage='reason'"
    )


def _check_condition(condition: StageCondition, sessions: Sequence[SessionBrief]) -> ConditionResult:
    if condition.sessions is not None:
        enough = len(sessions) >= condition.sessions
        return ConditionResult(condition, (Measurement(_span(sessions), len(sessions), enough),), enough)
    if condition.pooled:
        chosen = sessions if condition.window_sessions is None else sessions[-condition.window_sessions :]
        value = _measure(condition, chosen, _span(chosen))
        return ConditionResult(condition, (value,), value.holds)
    chosen = sessions[-(condition.window_sessions or condition.required_sessions) :]
    values = tuple(_measure(condition, [session], session.name) for session in chosen)
    return ConditionResult(condition, values, sum(value.holds for value in values) >= condition.required_sessions)


def _span(sessions: Sequence[SessionBrief]) -> str:
    return f"{sessions[0].name} to {sessions[-1].name}" if len(sessions) > 1 else sessions[0].name


def _measure(condition: StageCondition, sessions: Sequence[SessionBrief], where: str) -> Measurement:
    """Return the measure of a condition from the rows of sessions; with a damaged table no condition holds."""
    try:
        numbers = [number for session in sessions for number in _cached_row_values(condition, session)]
    except RecordError as error:
        return Measurement(where, None, holds=False, error=str(error))
    # That no row fits may be what is asked: a count of 0 is enough unless the file sets min_rows.
    if len(numbers) < condition.min_rows and not (condition.measure in _ZERO_WITHOUT_ROWS and condition.min_rows == 1):
        return Measurement(where, None, holds=False)
    value = float(_STATISTICS[condition.measure](numbers)) if numbers else 0.0
    return Measurement(where, value, condition.contains(value))


_row_values_of: dict[tuple[Path, Stamp, str], array[float]] = {}
"""Cached row values, so that a campaign reads each table once; the key holds the journal's size and time."""


def _cached_row_values(condition: StageCondition, past: SessionBrief) -> array[float]:
    """Return the number of each selected row of a session, cached. Raises ``RecordError``."""
    key = (past.journal, past.stamp, repr((condition.operand, condition.filter)))
    if key not in _row_values_of:
        _row_values_of[key] = array("d", _row_values(condition, past))
    return _row_values_of[key]


def _row_values(condition: StageCondition, past: SessionBrief) -> Iterator[float]:
    asked = condition.operand
    try:
        for row in trial_rows(past):
            if row_matches(condition.filter, row):
                cell = row_matches(asked, row) if isinstance(asked, dict) else row[asked]
                if is_number(cell):
                    yield cell
    except KeyError as error:
        raise RecordError(f"{past.folder}: its table has no column {error}") from None


def trial_rows(past: SessionBrief) -> list[Row]:
    """Read the trial table of a session that ended. Raises ``RecordError`` when a row is missing or damaged."""
    scan = scan_journal(past.journal, TrialLine)
    if len(scan.lines) != past.sums.trials:
        for item in scan.damage:
            raise RecordError(f"{past.journal}:{item.line}: a row of its table cannot be trusted: {item.why}")
        raise RecordError(
            f"{past.journal}: has {len(scan.lines)} rows of its table, and its end says {past.sums.trials}"
        )
    return rows_of(scan.lines)
