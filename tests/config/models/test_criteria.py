"""What a curriculum asks of past sessions: which mistakes it refuses, which rows it picks, how it is said."""

from typing import Any

import pytest
from pydantic import ValidationError

from rig.config.models.criteria import Bounds, CellComparison, RowFilter, StageCondition, row_matches

ROW = {"choice": "left", "high_side": "left", "rewarded": 1, "latency_s": 0.4, "t_side_in": None, "ambiguous": False}


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        ({"above": 2}, 2.1, 2.0),
        ({"at_least": 2}, 2.0, 1.9),
        ({"below": 2}, 1.9, 2.0),
        ({"at_most": 2}, 2.0, 2.1),
        ({"at_least": 0.75, "at_most": 0.85}, 0.8, 0.9),
    ],
)
def test_a_bound_lets_in_what_it_says(bounds: dict[str, float], inside: float, outside: float) -> None:
    assert Bounds(**bounds).contains(inside)
    assert not Bounds(**bounds).contains(outside)


@pytest.mark.parametrize(
    "where",
    [
        {},
        {"choice": "left"},
        {"choice": ["right", "left"]},
        {"choice": CellComparison(same_as="high_side")},
        {"rewarded": True},
        {"rewarded": 1, "latency_s": CellComparison(below=0.5)},
        {"t_side_in": None},
        {"ambiguous": CellComparison(at_most=0)},
    ],
)
def test_a_row_fits_that_has_all_that_is_wanted(where: RowFilter) -> None:
    assert row_matches(where, ROW)


@pytest.mark.parametrize(
    "where",
    [
        {"choice": "right"},
        {"choice": ["right", ""]},
        {"rewarded": 1, "latency_s": CellComparison(above=0.5)},
        {"t_side_in": CellComparison(at_least=0)},
        {"t_side_in": CellComparison(same_as="t_side_in")},
        {"choice": CellComparison(below=5)},
        {"rewarded": CellComparison(same_as="high_side")},
    ],
)
def test_a_row_does_not_fit_where_one_cell_differs_is_empty_or_is_no_number(where: RowFilter) -> None:
    assert not row_matches(where, ROW)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "nothing is asked: give one of sessions, share, count, mean, median, sum, max, min"),
        ({"mean": "a", "max": "b", "above": 1}, "mean and max are given: give one of"),
        ({"mean": "a"}, "mean of what size? give above, at_least, below, at_most"),
        ({"sessions": 3, "at_least": 2}, "sessions stands alone or with across, without at_least"),
        (
            {"mean": "a", "above": 1, "required_sessions": 3, "window_sessions": 2},
            "required_sessions is 3, more than window_sessions (2)",
        ),
        ({"mean": "a", "above": 1, "required_sessions": 2, "pooled": True}, "take required_sessions out"),
        ({"share": {"a": {}}, "above": 1}, "compares with nothing: give above"),
    ],
)
def test_a_condition_that_asks_nothing_clear_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        StageCondition(**keys)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"sessions": 60}, "sessions >= 60"),
        ({"count": {}, "at_least": 100, "required_sessions": 2}, "count of rows >= 100 in 2 sessions in a row"),
        (
            {
                "share": {"choice": {"same_as": "high_side"}},
                "filter": {"outcome": ["a", "b"]},
                "above": 0.7,
                "min_rows": 40,
            },
            "share of rows with choice same as high_side among those with outcome a or b > 0.7 of 40 rows or more",
        ),
        (
            {"median": "latency_s", "below": 2, "required_sessions": 3, "window_sessions": 5},
            "median of latency_s < 2 in 3 of the last 5",
        ),
        ({"sum": "rewarded", "at_least": 150, "pooled": True}, "sum of rewarded >= 150 over all sessions of the stage"),
        (
            {"sum": "x", "at_least": 1, "at_most": 2, "pooled": True, "window_sessions": 3},
            ">= 1 and <= 2 over the last 3",
        ),
    ],
)
def test_a_condition_is_said_in_words(keys: dict[str, Any], said: str) -> None:
    assert said in str(StageCondition(**keys))


def test_a_condition_names_every_column_that_it_reads_with_its_place() -> None:
    condition = StageCondition(share={"a": {"same_as": "b"}}, filter={"c": 1}, above=0)
    assert list(condition.columns()) == [
        (("filter", "c"), "c"),
        (("share", "a"), "a"),
        (("share", "a", "same_as"), "b"),
    ]
    assert list(StageCondition(mean="d", above=0).columns()) == [(("mean",), "d")]
    assert list(StageCondition(sessions=2).columns()) == []
