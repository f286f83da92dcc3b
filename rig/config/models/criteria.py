"""What a curriculum asks of past sessions: how many there are, or a number made of the rows of their tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import ClassVar, Self, TypeAlias, TypeGuard

from pydantic import Field, model_validator

from rig.config.errors.errors import ConfigIssuesError
from rig.config.errors.formatting import value_text
from rig.devices.base import StrictModel

_SIGNS = {"above": ">", "at_least": ">=", "below": "<", "at_most": "<="}
_OPPOSITE = {"above": "at_most", "at_least": "below", "below": "at_least", "at_most": "above"}
_PER_CENT = 100


class Bounds(StrictModel):
    """The bounds of a number."""

    above: float | None = Field(default=None, description="more than this")
    at_least: float | None = Field(default=None, description="this or more")
    below: float | None = Field(default=None, description="less than this")
    at_most: float | None = Field(default=None, description="this or less")

    @model_validator(mode="after")
    def _leave_something(self) -> Self:
        if not self.overlaps(-math.inf, math.inf):
            raise ValueError(f"no number is {self.bounds_text()}")
        return self

    def overlaps(self, lowest: float, highest: float) -> bool:
        """Whether any number from ``lowest`` to ``highest`` is within the bounds."""
        low = max(lowest, *(bound for bound in (self.above, self.at_least) if bound is not None), -math.inf)
        high = min(highest, *(bound for bound in (self.below, self.at_most) if bound is not None), math.inf)
        return low < high or (low == high and self.contains(low))

    def ineffective_bounds(self, what: str, lowest: float, highest: float) -> Iterator[tuple[str, str]]:
        """Yield key and text of each bound that holds for every number from ``lowest`` to ``highest``, or for none."""
        span = f"{what} is {lowest:g} or more" if math.isinf(highest) else f"{what} is {lowest:g} to {highest:g}"
        for key, sign in _SIGNS.items():
            bound = getattr(self, key)
            if bound is None:
                continue
            held, missed = (Bounds.model_construct(**{word: bound}) for word in (key, _OPPOSITE[key]))
            if held.overlaps(lowest, highest) and missed.overlaps(lowest, highest):
                continue
            per_cent = f"; {bound:g} % is {bound / _PER_CENT:g}" if highest == 1 < bound <= _PER_CENT else ""
            yield (
                key,
                f"{span}: {'every one' if held.overlaps(lowest, highest) else 'none'} is {sign} {bound:g}{per_cent}",
            )

    @property
    def bounds(self) -> dict[str, float]:
        """Return the number of each sign that is given."""
        return {sign: value for key, sign in _SIGNS.items() if (value := getattr(self, key)) is not None}

    def contains(self, value: float) -> bool:
        """Whether a number is within the bounds."""
        return (
            (self.above is None or value > self.above)
            and (self.at_least is None or value >= self.at_least)
            and (self.below is None or value < self.below)
            and (self.at_most is None or value <= self.at_most)
        )

    def bounds_text(self) -> str:
        """Return the bounds as text: ``>= 0.75 and <= 0.85``."""
        return " and ".join(f"{sign} {value_text(bound)}" for sign, bound in self.bounds.items())


class CellComparison(Bounds):
    """A cell against numbers, or against another cell of its row."""

    same_as: str | None = Field(default=None, description="the column that has the same in this row")

    @model_validator(mode="after")
    def _compares(self) -> CellComparison:
        if not self.bounds and self.same_as is None:
            raise ValueError(f"compares with nothing: give {', '.join(_SIGNS)} or same_as")
        return self

    def fits(self, value: object, row: Mapping[str, object]) -> bool:
        """Whether a cell is as wanted; an empty one is not."""
        if value is None or (self.same_as is not None and value != row[self.same_as]):
            return False
        return not self.bounds or (is_number(value) and self.contains(value))

    def __str__(self) -> str:
        same = "" if self.same_as is None else f"same as {self.same_as}"
        return " and ".join(filter(None, (same, self.bounds_text())))


Cell: TypeAlias = bool | int | float | str | None
CellCriterion: TypeAlias = Cell | list[Cell] | CellComparison
RowFilter: TypeAlias = dict[str, CellCriterion]
"""Rows by their cells: a value, one of several values, or a comparison, for each column; all of them must fit."""


def is_number(value: object) -> TypeGuard[float]:
    """Whether a cell can be reckoned with; true and false can, as 1 and 0."""
    return isinstance(value, int | float)


def row_matches(where: RowFilter, row: Mapping[str, object]) -> bool:
    """Whether a row has what is wanted in every column."""
    return all(_cell_matches(wanted, row[column], row) for column, wanted in where.items())


def _cell_matches(wanted: CellCriterion, value: object, row: Mapping[str, object]) -> bool:
    if isinstance(wanted, CellComparison):
        return wanted.fits(value, row)
    return value in wanted if isinstance(wanted, list) else value == wanted


def row_text(where: RowFilter) -> str:
    """Write what is wanted of a row."""
    return " and ".join(f"{column} {_cell_text(wanted)}" for column, wanted in where.items())


def _cell_text(wanted: CellCriterion) -> str:
    if isinstance(wanted, CellComparison):
        return str(wanted)
    words = [value_text(value).strip("'") for value in (wanted if isinstance(wanted, list) else [wanted])]
    return " or ".join(words)


class StageCondition(Bounds):
    """One thing that must be so before a subject leaves a stage; of the sessions that count, since it came there."""

    counted: ClassVar = ("share", "count")
    of_a_column: ClassVar = ("mean", "median", "sum", "max", "min")

    label: str = Field(default="", description="a short name for it, where there is little room: accuracy")
    sessions: int | None = Field(default=None, ge=1, description="so many sessions in this stage, and nothing else")
    share: RowFilter | None = Field(default=None, description="the part of the rows that have this")
    count: RowFilter | None = Field(default=None, description="how many rows have this; {} counts all")
    mean: str | None = Field(default=None, description="the mean of this column; empty cells are left out")
    median: str | None = Field(default=None, description="its median")
    sum: str | None = Field(default=None, description="its sum")
    max: str | None = Field(default=None, description="its largest number")
    min: str | None = Field(default=None, description="its smallest number")
    filter: RowFilter = Field(default_factory=dict, description="look at the rows that have this, and at no others")
    min_rows: int = Field(default=1, ge=1, description="fewer rows to look at than this are not enough")
    required_sessions: int = Field(
        default=1, ge=1, description="number of sessions in which it must hold, the newest in a row"
    )
    window_sessions: int | None = Field(
        default=None, ge=1, description="in any of this many newest sessions, not in a row"
    )
    pooled: bool = Field(
        default=False,
        description="compute once, from the rows of all sessions of the stage, or of window_sessions",
    )

    across: list[str] = Field(
        default_factory=list,
        description="stages, such as probes, whose sessions do not interrupt this stage: it counts on over them",
    )

    @model_validator(mode="after")
    def _one_thing(self) -> StageCondition:
        measures = ("sessions", *self.counted, *self.of_a_column)
        given = [key for key in measures if getattr(self, key) is not None]
        if len(given) != 1:
            said = f"{' and '.join(given)} are given" if given else "nothing is asked"
            raise ValueError(f"{said}: give one of {', '.join(measures)}")
        if self.sessions is not None:
            if beside := sorted(self.model_fields_set - {"sessions", "across"}):
                raise ValueError(f"sessions stands alone or with across, without {', '.join(beside)}")
        elif not self.bounds:
            raise ValueError(f"{given[0]} of what size? give {', '.join(_SIGNS)}")
        if wrong := [((key,), text) for key, text in self._idle_bounds()]:
            raise ConfigIssuesError(*wrong)
        if self.window_sessions is not None and self.window_sessions < self.required_sessions:
            raise ValueError(
                f"required_sessions is {self.required_sessions}, more than window_sessions ({self.window_sessions})"
            )
        if self.pooled and self.required_sessions > 1:
            raise ValueError("pooled is one number for several sessions: take required_sessions out")
        return self

    def _idle_bounds(self) -> Iterator[tuple[str, str]]:
        if self.share is not None:
            yield from self.ineffective_bounds("a share", 0, 1)
        if self.count is not None:
            yield from self.ineffective_bounds("a count", 0, math.inf)

    @property
    def measure(self) -> str:
        """Return the name of the statistic, such as ``share``."""
        return next(key for key in (*self.counted, *self.of_a_column) if getattr(self, key) is not None)

    @property
    def operand(self) -> str | RowFilter:
        """Return what stands behind a measure of rows: a column, or what rows must have."""
        operand: str | RowFilter = getattr(self, self.measure)
        return operand

    def columns(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield every column that is read, after its place in the condition."""
        if self.sessions is not None:
            return
        if isinstance(self.operand, str):
            yield (self.measure,), self.operand
        for loc, wanted in self.cells():
            yield loc, loc[-1]
            if isinstance(wanted, CellComparison) and wanted.same_as is not None:
                yield (*loc, "same_as"), wanted.same_as

    def cells(self) -> Iterator[tuple[tuple[str, str], CellCriterion]]:
        """Return what is wanted of each cell of a row, with its place in the condition; the last part is its column."""
        wheres = {} if self.sessions is not None else {"filter": self.filter, self.measure: self.operand}
        for key, where in wheres.items():
            for column, wanted in where.items() if isinstance(where, dict) else ():
                yield (key, column), wanted

    @property
    def name(self) -> str:
        """Return the label of what is measured, or else its description."""
        return self.label or self.measure_text()

    def measure_text(self) -> str:
        """Return what is looked at: ``share of rows with rewarded true among those with outcome chosen``."""
        if self.sessions is not None:
            return "sessions"
        asked = (
            self.operand
            if isinstance(self.operand, str)
            else "rows" + (f" with {row_text(self.operand)}" * bool(self.operand))
        )
        among = f" among those with {row_text(self.filter)}" if self.filter else ""
        return f"{self.measure} of {asked}{among}"

    def criterion_text(self) -> str:
        """Return of what size it must be, and in which sessions."""
        if self.sessions is not None:
            return f">= {self.sessions}{self._over_visits()}"
        rows = f" of {self.min_rows} rows or more" if self.min_rows > 1 else ""
        return f"{self.bounds_text()}{rows}{self._span()}{self._over_visits()}"

    def _over_visits(self) -> str:
        return f", across visits to {' and '.join(self.across)}" if self.across else ""

    def _span(self) -> str:
        if self.pooled:
            return (
                " over all sessions of the stage"
                if self.window_sessions is None
                else f" over the last {self.window_sessions}"
            )
        if self.window_sessions is not None and self.window_sessions > self.required_sessions:
            return f" in {self.required_sessions} of the last {self.window_sessions} sessions"
        return f" in {self.required_sessions} sessions in a row" if self.required_sessions > 1 else ""

    def __str__(self) -> str:
        return f"{self.measure_text()} {self.criterion_text()}"
