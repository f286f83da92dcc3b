"""What becomes of the values of a column."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.export.nwb.columns import LONGEST_TEXT, ColumnData, column_of, described
from rig.records.tables.table import TableColumn


def made(*values: Any) -> ColumnData:
    column = column_of("c", "a column", values)
    assert column is not None
    return column


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ((1, 2), np.int64),
        ((0, 1), np.int8),
        ((0, 0), np.int8),
        ((True, False), np.bool_),
        ((1.5, 2), np.float64),
        ((0.0, 0.0), np.float64),
        ((0.0, 1.0), np.int8),
        ((1, None), np.float64),
        ((True, None), np.float64),
    ],
)
def test_numbers_have_a_type_that_holds_them(values: tuple[Any, ...], kind: type) -> None:
    data = made(*values).data
    assert isinstance(data, np.ndarray)
    assert data.dtype == kind


def test_what_is_missing_is_not_a_number_or_empty_and_the_column_says_so() -> None:
    numbers, texts = made(1, None), made("a", None)
    assert math.isnan(numbers.data[1])
    assert "NaN" in numbers.text
    assert texts.data == ["a", ""]


def test_a_column_without_any_value_is_none() -> None:
    assert column_of("c", "", [None, None]) is None
    assert column_of("c", "", []) is None


def test_lists_of_one_kind_are_kept_as_lists() -> None:
    column = made([1.5, 2.0], [], [3.0])
    assert (list(column.data), column.ends) == ([1.5, 2.0, 3.0], [2, 2, 3])
    assert made(["a"], ["b", "c"]).data == ["a", "b", "c"]


@pytest.mark.parametrize(
    "values",
    [
        ([1, "a"],),
        ([1], None),
        ([[1]],),
        ([True, 1],),
        ([None],),
        ({"a": 1},),
        (1, "a"),
        (True, 1),
        ([], []),
        (2**60 + 1, 1.5),
    ],
)
def test_other_values_are_written_as_json(values: tuple[Any, ...]) -> None:
    column = made(*values)
    assert [json.loads(text) for text in column.data] == list(values)
    assert "JSON" in column.text


def test_zeros_and_ones_of_the_first_rows_stay_integers_that_no_inspector_takes_for_truth_values() -> None:
    data = made(*[0, 1] * 100, 2).data
    assert isinstance(data, np.ndarray)
    assert (data.itemsize, data.tolist()[-1]) == (1, 2)


def test_a_text_loses_only_the_character_that_hdf5_cannot_hold() -> None:
    assert made("a\0b\n€").data == ["a\\0b\n€"]


SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = SCALARS | st.text(max_size=5) | st.lists(SCALARS | st.text(max_size=3), max_size=3)


@given(st.lists(VALUES, max_size=5))
def test_every_value_can_be_told_from_the_column(values: list[Any]) -> None:
    column = column_of("c", "a column", values)
    if column is None:
        assert set(values) <= {None}
    elif "JSON" in column.text:
        assert [json.loads(str(text)) for text in column.data] == values
    elif column.ends is not None:
        starts = [0, *column.ends]
        assert [list(column.data[a:b]) for a, b in zip(starts, column.ends, strict=False)] == [
            [item.replace("\0", "\\0") if isinstance(item, str) else item for item in value] for value in values
        ]
    else:
        for value, read in zip(values, column.data, strict=True):
            told = value.replace("\0", "\\0") if isinstance(value, str) else value
            assert read == told if value is not None else read == "" or math.isnan(float(read))


@pytest.mark.parametrize(
    ("said", "is_time", "text"),
    [
        ({}, False, "column c of the table trials"),
        ({"unit": "s"}, False, "column c of the table trials, in s"),
        ({"text": "when it came", "unit": "s"}, True, "when it came, in seconds from the start of the session"),
        ({"text": "the odds", "unit": "probability"}, False, "the odds"),
        ({"text": "the side", "values": ("", "left")}, False, "the side; one of (empty), left"),
    ],
)
def test_a_description_says_what_the_header_says(said: dict[str, Any], is_time: bool, text: str) -> None:
    assert described("trials", TableColumn("c", "any", **said), is_time=is_time) == text


def test_a_description_that_is_too_long_for_hdf5_is_cut() -> None:
    column = column_of("c", "x" * 100_000, [1])
    assert column is not None
    assert len(column.text) == LONGEST_TEXT
