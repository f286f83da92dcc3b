"""Parameters as a table: every value has a row, and reads back as it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.export.nwb.flat import flat_items
from rig.export.nwb.parameters import _json

TEXTS = st.text('ab{}: "', max_size=12)
VALUES = st.recursive(
    st.integers() | TEXTS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_no_row_holds_an_object(value: Any) -> None:
    assert all("{" not in json.dumps(each).replace("{}", "") or _is_text(each) for _, each in flat_items(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(map(_is_flat, value)))


def _is_flat(value: Any) -> bool:
    return not isinstance(value, dict) and (not isinstance(value, list) or all(map(_is_flat, value)))


@given(TEXTS | st.lists(TEXTS) | st.just({}))
def test_a_value_reads_back_as_it_was(value: Any) -> None:
    assert json.loads(_json(value)) == value


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"quiz": [{"answers": 2}, 3]}, [("quiz.0.answers", 2), ("quiz.1", 3)]),
        ({"a": [1, 2]}, [("a", [1, 2])]),
        ({"a": {}}, [("a", {})]),
    ],
)
def test_lists_are_taken_apart_only_where_they_hold_objects(value: Any, rows: list[tuple[str, Any]]) -> None:
    assert list(flat_items(value)) == rows
