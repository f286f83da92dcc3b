"""Do the rules of a stage suit the table of its protocol? What they ask that can never be so, or always is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import inf
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from rig.config.errors.closest_names import unknown_name
from rig.config.errors.errors import Loc
from rig.config.errors.formatting import value_text
from rig.config.models.criteria import Bounds, CellComparison, CellCriterion, StageCondition, is_number
from rig.config.models.curriculum import Rule, Stage
from rig.core.model.columns import column_types
from rig.core.model.rows import OneOf, Row

_NUMBERS = {int, float, bool}
_Found = Iterator[tuple[Loc, str]]


_REWARDED = "rewarded"
"""The outcome of a trial that got a reward, and the column that says so."""


@dataclass(frozen=True)
class RowLimits:
    """How many rows a session can have at most, by ``stop.max_trials``, and rewarded ones, by ``stop.max_rewards``."""

    max_trials: int | None = None
    max_rewards: int | None = None

    @classmethod
    def of_section(cls, stop: object) -> RowLimits:
        """Return the limits of a section ``stop`` that was not validated."""
        limits = stop if isinstance(stop, dict) else {}
        keys = ("max_trials", "max_rewards")
        return cls(**{key: limits[key] for key in keys if isinstance(limits.get(key), int)})


def check_rules(stage: Stage, table: type[Row], limits: RowLimits = RowLimits()) -> _Found:
    """Yield place and text of each mistake in the rules of a stage whose sessions write such a table."""
    hints = column_types(table)
    for index, rule in enumerate(stage.rules):
        earlier = next((n for n, other in enumerate(stage.rules[:index]) if other.when == rule.when), None)
        if earlier is not None:
            yield ("rules", index, "when"), f"asks the same as rules[{earlier}], which comes first: it never leads on"
        for number, condition in enumerate(rule.when):
            at: Loc = ("rules", index, "when", number)
            for loc, text in _of_condition(condition, table.columns(), hints, limits):
                yield (*at, *loc), text
        for number, text in _contradictions(rule):
            yield ("rules", index, "when", number), text


def _of_condition(
    condition: StageCondition, columns: Collection[str], hints: Mapping[str, object], limits: RowLimits
) -> _Found:
    if condition.sessions is not None:
        return
    for loc, column in condition.columns():
        if column not in columns:
            yield loc, unknown_name(f"the table has no column {column!r}", column, list(columns))
        elif loc == (condition.measure,):
            yield from _of_numbers(condition, column, hints.get(column))
    for loc, wanted in condition.cells():
        if reason := _never(wanted, hints.get(loc[-1]), hints):
            yield loc, f"column {loc[-1]!r} {reason}"
    yield from _of_rows(condition)
    yield from _of_limits(condition, hints, limits)


def _of_limits(condition: StageCondition, hints: Mapping[str, object], limits: RowLimits) -> _Found:
    """Yield what more rows are asked for than the limits of a session leave room for."""
    most = _most_rows(condition, limits.max_trials)
    rewarded = _most_rows(condition, limits.max_rewards) if _counts_rewarded(condition) else None
    known = [number for number in (most, rewarded) if number is not None]
    if known and condition.count is not None:
        by = " (stop.max_rewards)" if min(known) == rewarded else ""
        yield from (((key,), text + by) for key, text in condition.ineffective_bounds("a count", 0, min(known)))
    rewards = _most_rows(condition, limits.max_rewards)
    if rewards is not None and condition.sum == _REWARDED and _members(hints.get(_REWARDED)) <= {int, bool}:
        ineffective = condition.ineffective_bounds(f"the sum of {_REWARDED!r}", 0, rewards)
        yield from (((key,), f"{text} (stop.max_rewards)") for key, text in ineffective)
    if most is not None and condition.min_rows > most:
        yield (
            ("min_rows",),
            f"a session has {most} rows at most (stop.max_trials): {condition.min_rows} never are there",
        )


def _counts_rewarded(condition: StageCondition) -> bool:
    """Whether all rows that are counted have got a reward."""
    rewarded = {**condition.filter, **(condition.count or {})}
    return _few(rewarded.get("outcome")) == {_REWARDED} or rewarded.get(_REWARDED) in (True, [True])


def _most_rows(condition: StageCondition, most: int | None) -> int | None:
    """Return how many rows a condition can look at, if a session has ``most``; None when there is no limit."""
    if most is None or (condition.pooled and condition.window_sessions is None):
        return None
    return most * (condition.window_sessions or 1) if condition.pooled else most


def _of_numbers(condition: StageCondition, column: str, hint: object) -> _Found:
    """Yield what is wrong with a statistic of a column: no numbers in it, or bounds that decide nothing."""
    if not _is_numeric(hint):
        yield (condition.measure,), f"column {column!r} holds words; wanted one of numbers"
        return
    known = {False, True} if _members(hint) == {bool} else _values(hint)
    numbers = [value for value in known or () if is_number(value)]
    # A sum grows with the number of rows, so the values of single rows do not bound it.
    if numbers and condition.measure != "sum":
        what = f"the {condition.measure} of {column!r}"
        yield from (((key,), text) for key, text in condition.ineffective_bounds(what, min(numbers), max(numbers)))


def _of_rows(condition: StageCondition) -> _Found:
    """Yield what is asked of rows and already decided by their filter: both may list values of one column."""
    asked = condition.operand
    for column, wanted in asked.items() if isinstance(asked, dict) else ():
        few, among = _few(wanted), _few(condition.filter.get(column))
        if few is None or among is None:
            continue
        if not few & among:
            yield (condition.measure, column), f"of the rows with {column} {_listed(among)} none is {_listed(few)}"
        elif condition.measure == "share" and among <= few and len(asked) == 1:
            # With further columns a row could still differ in one of those.
            yield (condition.measure, column), f"of the rows with {column} {_listed(among)} every one is {_listed(few)}"


def _few(wanted: CellCriterion) -> set[object] | None:
    """Return the few values that a cell may have; None where it is compared, or nothing is wanted of it."""
    if wanted is None or isinstance(wanted, CellComparison):
        return None
    return set(wanted) if isinstance(wanted, list) else {wanted}


def _listed(values: Iterable[object]) -> str:
    return " or ".join(sorted(value_text(value).strip("'") for value in values))


def _contradictions(rule: Rule) -> Iterator[tuple[int, str]]:
    """Yield the conditions of a rule that contradict an earlier one about the same number."""
    for (_, first), (index, other) in combinations(enumerate(rule.when), 2):
        if (
            first.sessions is None
            and _looks_at(first) == _looks_at(other)
            and not _both(first, other).overlaps(-inf, inf)
        ):
            yield index, f"{other.measure_text()} cannot be {other.bounds_text()} and, as before, {first.bounds_text()}"


def _looks_at(condition: StageCondition) -> dict[str, object]:
    return condition.model_dump(exclude={*_NARROWER, "label", "min_rows"})


_NARROWER: Mapping[str, Callable[[Iterable[float]], float]] = {
    "above": max,
    "at_least": max,
    "below": min,
    "at_most": min,
}


def _both(first: Bounds, other: Bounds) -> Bounds:
    """Return the bounds of what lies within both."""
    both: dict[str, Any] = {}
    for key, narrower in _NARROWER.items():
        if bounds := [bound for side in (first, other) if (bound := getattr(side, key)) is not None]:
            both[key] = narrower(bounds)
    # Not validated: bounds that leave no number are what is looked for, and validation refuses them.
    return Bounds.model_construct(**both)


def _never(wanted: CellCriterion, hint: object, hints: Mapping[str, object]) -> str:
    """Return why no cell of a column can match; empty if one can, or if the column's type is not known."""
    if isinstance(wanted, CellComparison) and wanted.same_as is not None:
        ours, theirs = _values(hint), _values(hints.get(wanted.same_as))
        if ours is not None and theirs is not None and not ours & theirs:
            return f"never has the same as column {wanted.same_as!r}"
    cells = wanted if isinstance(wanted, list) else [wanted]
    if not cells:
        return "is to be one of no values: list one or more"
    reckoned = [cell for cell in cells if (cell.bounds if isinstance(cell, CellComparison) else is_number(cell))]
    if reckoned and not _is_numeric(hint):
        return "holds words, and is compared with a number"
    texts = [cell for cell in cells if isinstance(cell, str)]
    if texts and _members(hint) and _members(hint) <= _NUMBERS:
        return f"holds numbers, and never {texts[0]!r}"
    known = _values(hint)
    strange = [
        cell for cell in cells if known is not None and not isinstance(cell, CellComparison) and cell not in known
    ]
    if not strange or known is None:
        return ""
    # An empty cell is a value of the column, and no word to suggest.
    return unknown_name(f"is never {value_text(strange[0])}", str(strange[0]), sorted(map(str, known - {""})))


def _values(hint: object) -> set[Any] | None:
    """Return the values that a column may have, by its type; None where they are not known."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return set(args)
    if origin is Annotated:
        marks = [set(mark.values) for mark in args[1:] if isinstance(mark, OneOf)]
        return marks[0] if marks else _values(args[0])
    if origin in (Union, UnionType):
        members = [_values(member) for member in args]
        known = [values for values in members if values is not None]
        return set().union(*known) if len(known) == len(members) else None
    if hint is NoneType:
        return {None}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {member.value for member in hint}
    return None


def _members(hint: object) -> set[Any]:
    """Return the types of which a column's is made; none where it is not known."""
    if hint in (None, Any):
        return set()
    if get_origin(hint) is Annotated:
        return _members(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return set().union(*map(_members, get_args(hint)))
    values = _values(hint)
    return ({hint} if values is None else {type(value) for value in values}) - {NoneType}


def _is_numeric(hint: object) -> bool:
    """Whether a column may hold numbers; of one whose type is not known anything may be."""
    return not _members(hint) or bool(_members(hint) & _NUMBERS)
