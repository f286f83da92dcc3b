"""What a curriculum asks of past sessions: which mistakes it refuses, which rows it picks, how it is said."""

from typing import Any

import pytest
from pydantic import ValidationError

from rig.config.models.criteria import Bounds, CellComparison, RowFilter, StageCondition, row_matches
from tests.tables import rows

ROW = {"choice": "left", "high_side": "left", "rewarded": 1, "latency_s": 0.4, "t_side_in": None, "ambiguous": False}


@rows("bounds", "inside", "outside")
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


@rows("keys", "said")
def test_a_condition_that_asks_nothing_clear_is_refused(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        StageCondition(**keys)
    assert said in str(caught.value)


@rows("keys", "said")
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
