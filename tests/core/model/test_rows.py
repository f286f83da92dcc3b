"""The columns of a row: which are keyword-only, and which values fill which."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest

from rig.core.errors import TaskError
from rig.core.model.reward_types import RewardVolume
from rig.core.model.rows import KEEPS_UNKNOWN_COLUMNS, OneOf, Row, line_of, trace_lines, unknown_columns
from rig.core.task.trial_row import TrialRow

WORDS = OneOf("rewarded", "left_early", "interrupted")


@dataclass
class First(TrialRow):
    outcome: Annotated[str, WORDS] = ""
    t_in: float = 0.0


@dataclass
class Between(TrialRow):
    t_in: float
    outcome: Annotated[str, WORDS] = ""
    held_s: float = 0.0


@dataclass
class Required(TrialRow):
    outcome: Annotated[str, WORDS] = ""
    t_in: float


@dataclass
class WithoutDefault(TrialRow):
    outcome: Annotated[str, WORDS]
    t_in: float


@dataclass
class All(TrialRow):
    trial: Annotated[int, "own"] = 0
    rewarded: int = field(default=0)
    delivered_by: str = field(default="", metadata={"own": True})
    outcome: str = ""
    t_in: float = 0.0


@dataclass
class Grandchild(First):
    drop_ul: RewardVolume = 0.0
    outcome: Annotated[str, OneOf("rewarded", "interrupted")] = "rewarded"


@dataclass(kw_only=True)
class Stamped(Row):
    t: float = 0.0


@dataclass
class Interval(Stamped):
    t: Annotated[float, "declared again"] = 1.0
    length_s: float = 0.0


@dataclass
class Positional(Row):
    t: float = 0.0


@dataclass
class Child(Positional):
    t: Annotated[float, "declared again"] = 1.0
    length_s: float = 0.0


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        (First, "t_in"),
        (Between, "t_in"),
        (Required, "t_in"),
        (WithoutDefault, "t_in"),
        (All, "t_in"),
        (Grandchild, "t_in"),
        (Interval, "length_s"),
        (Child, "t"),  # positional in its base, and so here
    ],
)
def test_the_first_value_fills_the_first_column_that_is_the_protocols_own(kind: Any, column: str) -> None:
    row = kind(5.0)
    assert {name for name, value in row.values().items() if value == 5.0} == {column}


def test_a_column_that_is_declared_again_has_its_new_default_or_that_of_its_base() -> None:
    assert (Grandchild().outcome, WithoutDefault(1.0).outcome, Interval().t) == ("rewarded", "", 1.0)


def test_the_order_of_the_columns_is_that_of_the_classes() -> None:
    assert First.columns() == ("trial", "outcome", "t_in", "delivered_by", "rewarded")
    assert Between.columns() == ("trial", "t_in", "outcome", "held_s", "delivered_by", "rewarded")
    assert Interval.columns() == ("t", "length_s")


def test_a_column_that_is_declared_again_is_no_argument_without_its_name() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        Between(1.0, 2.0, "rewarded")  # type: ignore[misc, arg-type]


def test_the_line_that_set_a_column_is_recorded_on_request_alone() -> None:
    row = Between(1.0)
    row.held_s = 2.0
    assert line_of(row, "held_s") is None
    trace_lines(row, ("task.py", 7))
    row.on_rewards([])  # a line of this package is no author's
    row.held_s = 3.0
    assert line_of(row, "held_s") == (__file__, line_of(row, "held_s")[1])  # type: ignore[index]
    assert (line_of(row, "t_in"), line_of(row, "outcome")) == (("task.py", 7), ("task.py", 7))
    assert unknown_columns(row) == {}
    assert tuple(row.values()) == Between.columns()


def test_a_value_for_an_unknown_column_is_kept_in_a_real_session_alone() -> None:
    row = Between(1.0)
    with pytest.raises(TaskError, match=r"has no column 'held'\. Did you mean 'held_s'"):
        row.held = 2.0  # type: ignore[attr-defined]
    token = KEEPS_UNKNOWN_COLUMNS.set(True)
    row.held = 2.0  # type: ignore[attr-defined]
    KEEPS_UNKNOWN_COLUMNS.reset(token)
    assert unknown_columns(row) == {"held": 2.0}
    assert "held" not in row.values()
