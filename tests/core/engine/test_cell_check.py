"""Every cell is checked against its column: wrong values are data, right ones are drawn from the types."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from rig.core.engine.cell_check import cell_check
from rig.core.errors import TaskError
from rig.core.model.columns import Column
from rig.core.model.events import Edge
from rig.core.model.reward_types import HopperSeconds, Pellets, RewardVolume
from rig.core.model.rows import KEEPS_UNKNOWN_COLUMNS, OneOf, Row

POKE = Edge(1_510_691, "left.beam", 1, 2, 5)
NOW_S = 2.0


class Side(StrEnum):
    LEFT = "left"


class Named:
    """Something with a name, such as a device."""

    name = "left"

    def __repr__(self) -> str:
        return "<port left>"


@dataclass
class Cells(Row):
    count: int = 0
    seconds: float = 0.0
    word: str = ""
    yes: bool = False
    choice: Annotated[str, OneOf("", "left", "right"), Column("the chosen side")] = ""
    side: Literal["left", "right"] = "left"
    maybe_side: Annotated[str | None, OneOf("left", "right")] = None
    maybe: float | None = None
    share: Annotated[float, Ge(0), Le(1)] = 0.0
    maybe_count: Annotated[int | None, Field(gt=0, lt=9)] = None
    drop_ul: RewardVolume = 0.0
    pellets: Pellets = 0
    maybe_grain_s: HopperSeconds | None = None
    several: int | str = 0
    numbers: tuple[float, ...] = ()
    words: list[str] = field(default_factory=list)
    anything: Any = None
    t_in: float = 0.0
    latency_s: float = 0.0
    latency_ms: float = 0.0


def wrong(**cells: Any) -> dict[str, str]:
    row = Cells(**cells)
    return {cell.column: cell.wanted for cell in cell_check(Cells).wrong_cells(row, row.values(), NOW_S)}


WRONG = [
    ("count", True, "a whole number; write int(...), or bool as the column's type"),
    ("count", 1.0, "a whole number"),
    ("count", "1", "a whole number"),
    ("count", POKE, "a whole number"),
    ("count", None, "a whole number; an empty cell needs '| None' in the column's type"),
    ("seconds", "1.5", "a number"),
    ("seconds", False, "a number; write int(...), or bool as the column's type"),
    ("seconds", math.nan, "a finite number"),
    ("seconds", -math.inf, "a finite number"),
    ("seconds", POKE, "a number; did you mean .t_s?"),
    ("word", 1, "a text"),
    ("word", b"left", "a text"),
    ("word", POKE, "a text; did you mean .source?"),
    ("word", Named(), "a text; did you mean .name?"),
    ("word", None, "a text; an empty cell needs '| None' in the column's type"),
    ("yes", 1, "True or False"),
    ("yes", "yes", "True or False"),
    ("choice", POKE, "'', 'left' or 'right'; did you mean .source?"),
    ("choice", Named(), "'', 'left' or 'right'; did you mean .name?"),
    ("choice", "LEFT", "'', 'left' or 'right'; did you mean 'left'?"),
    ("choice", "rihgt", "'', 'left' or 'right'; did you mean 'right'?"),
    ("choice", "center", "'', 'left' or 'right'"),
    ("choice", None, "'', 'left' or 'right'; an empty cell needs '| None' in the column's type"),
    ("side", "", "'left' or 'right'"),
    ("side", "Left", "'left' or 'right'; did you mean 'left'?"),
    ("maybe_side", "", "'left' or 'right' or None"),
    ("maybe_side", "Right", "'left' or 'right' or None; did you mean 'right'?"),
    ("maybe", "", "a number or None"),
    ("maybe", math.nan, "a finite number or None"),
    ("share", 1.01, "1 or less"),
    ("share", -0.01, "0 or more"),
    ("maybe_count", 0, "more than 0 or None"),
    ("maybe_count", 9, "less than 9 or None"),
    ("drop_ul", -2.5, "0 or more"),
    ("drop_ul", "2.5", "a number"),
    ("pellets", 1.0, "a whole number"),
    ("pellets", -1, "0 or more"),
    ("maybe_grain_s", -1.0, "0 or more or None"),
    ("several", 1.5, "a whole number or a text"),
    ("numbers", (1.0, "2"), "a number as entry 1"),
    ("numbers", 1.0, "a list"),
    ("words", "a", "a list"),
    ("words", ["a", 1], "a text as entry 1"),
    ("t_in", 1_510_691, "seconds of the session, now 2 s: such as .t_s, not .t_us"),
    ("latency_s", 35_000_000, "a time of at most 1e7 s: is it in another unit?"),
    ("latency_ms", 35_000_000_000.0, "a time of at most 1e7 s: is it in another unit?"),
]


@pytest.mark.parametrize(("column", "value", "wanted"), WRONG)
def test_a_value_that_its_column_does_not_accept_is_told_with_what_would_be_right(
    column: str, value: Any, wanted: str
) -> None:
    assert wrong(**{column: value}) == {column: wanted}


RIGHT = [
    ("seconds", 1),
    ("choice", "left"),
    ("choice", Side.LEFT),
    ("side", "right"),
    ("maybe_side", None),
    ("maybe", 3),
    ("drop_ul", 0),
    ("drop_ul", 4000.0),  # the sum of many rewards
    ("pellets", 40),
    ("maybe_grain_s", 0.0),
    ("several", "a"),
    ("numbers", [1, 2.5]),
    ("words", ("a", "b")),
    ("anything", {"a": [1, None]}),
    ("t_in", 1.5),
    ("latency_s", 3600.0),
]


@pytest.mark.parametrize(("column", "value"), RIGHT)
def test_a_value_of_its_column_is_accepted(column: str, value: Any) -> None:
    assert wrong(**{column: value}) == {}


FINITE = st.floats(allow_nan=False, allow_infinity=False)
BY_COLUMN = {
    "count": st.integers(),
    "seconds": FINITE | st.integers(),
    "word": st.text(),
    "yes": st.booleans(),
    "choice": st.sampled_from(["", "left", "right"]),
    "side": st.sampled_from(["left", "right"]),
    "maybe": st.none() | FINITE | st.integers(),
    "share": st.floats(0, 1),
    "drop_ul": st.floats(0, 1e6),
    "pellets": st.integers(0, 100),
}


@given(st.fixed_dictionaries({}, optional=BY_COLUMN))
def test_no_value_of_a_columns_type_is_refused(cells: dict[str, Any]) -> None:
    assert wrong(**cells) == {}


ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)


def is_right(column: str, value: Any) -> bool:
    """Say in plain Python what the columns accept."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return {
        "count": type(value) is int,
        "seconds": number,
        "word": type(value) is str,
        "yes": type(value) is bool,
        "choice": value in ("", "left", "right"),
        "maybe": value is None or number,
        "share": number and 0 <= value <= 1,
        "pellets": type(value) is int and value >= 0,
    }[column]


@given(st.sampled_from(["count", "seconds", "word", "yes", "choice", "maybe", "share", "pellets"]), ANYTHING)
def test_a_value_is_refused_exactly_if_its_column_does_not_accept_it(column: str, value: Any) -> None:
    assert (wrong(**{column: value}) == {}) == is_right(column, value)


def test_every_wrong_cell_of_a_row_is_told() -> None:
    assert set(wrong(count=True, choice="up", maybe="")) == {"count", "choice", "maybe"}


def test_a_time_of_a_long_session_may_be_large() -> None:
    row = Cells(t_in=80_000.0, latency_s=100_000.0)
    assert cell_check(Cells).wrong_cells(row, row.values(), 80_000.0) == []


def test_a_column_that_the_row_does_not_have_is_told_with_the_one_that_was_meant() -> None:
    token = KEEPS_UNKNOWN_COLUMNS.set(True)
    row = Cells()
    row.chioce = "left"  # type: ignore[attr-defined]
    KEEPS_UNKNOWN_COLUMNS.reset(token)
    (cell,) = cell_check(Cells).wrong_cells(row, row.values(), NOW_S)
    assert (cell.column, cell.value) == ("chioce", "left")
    assert cell.wanted.startswith("a column of the row: Cells has no column 'chioce'. Did you mean 'choice'?")


@dataclass
class Odd(Row):
    count: Annotated[int, Field(pattern="x")] = 0
    word: str = ""


def test_a_bound_that_no_value_of_its_type_can_have_is_told_and_breaks_nothing() -> None:
    row = Odd()
    (cell,) = cell_check(Odd).wrong_cells(row, row.values(), NOW_S)
    assert cell.column == "count"
    assert cell.wanted.startswith("a type that can be checked: Unable to apply constraint 'pattern'")


def test_a_type_that_cannot_be_read_is_named() -> None:
    @dataclass
    class Local(Row):
        cell: "Nowhere" = 0  # type: ignore[name-defined]  # noqa: F821, UP037

    with pytest.raises(TaskError, match="Local: the type of a column cannot be read: name 'Nowhere'"):
        cell_check(Local)
