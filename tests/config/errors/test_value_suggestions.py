"""What was probably meant by a refused value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.errors.value_suggestions import suggestion
from tests.tables import rows


@rows("value", "said")
def test_a_text_that_was_to_be_a_number(value: str, said: str) -> None:
    assert suggestion("float_parsing", value, {}) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2,400", "write 2400, without a separator of thousands"),
        ("2,000", "write 2000 for thousands, or 2 if this is a decimal fraction"),
        ("2,5", ""),
    ],
)
def test_a_text_that_was_to_be_a_whole_number(value: str, said: str) -> None:
    assert suggestion("int_parsing", value, {}) == said


@rows("kind", "value", "said")
def test_a_value_that_was_to_be_a_list(kind: str, value: object, said: str) -> None:
    assert suggestion(kind, value, {}) == said


@pytest.mark.parametrize(
    ("value", "le", "said"),
    [(80, 1, "write a proportion, not a percentage: did you mean 0.8?"), (800, 1, ""), (80, 2, ""), ("80", 1, "")],
)
def test_a_percentage_that_was_to_be_a_part_of_one(value: object, le: float, said: str) -> None:
    assert suggestion("less_than_equal", value, {"le": le}) == said


@given(st.text(), st.sampled_from(("float_parsing", "int_parsing", "less_than_equal", "missing")))
def test_any_text_is_guessed_at_without_trouble(value: str, kind: str) -> None:
    assert "\n" not in suggestion(kind, value, {"le": 1.0})


@rows("key", "value", "said")
def test_a_time_with_colons_is_reckoned_in_the_unit_of_its_key(key: str, value: str, said: str) -> None:
    assert suggestion("float_parsing", value, {}, key) == said


def test_a_range_within_a_list_is_written_out() -> None:
    said = "a range is written as a list of its numbers: [1, 2, 3, ..., 15]"
    assert suggestion("int_parsing", "1-15", {}, "delays_s", in_list=True) == said
    assert suggestion("int_parsing", "1-15", {}, "delays_s") == ""
