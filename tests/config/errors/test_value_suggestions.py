"""What was probably meant by a refused value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.config.errors.value_suggestions import suggestion


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2,5", "write 2.5, with a point"),
        ("-2,5", "write -2.5, with a point"),
        ("40 min", "write only the number: the key's name ends with the unit"),
        ("2.5ul", "write only the number: the key's name ends with the unit"),
        ("80 %", "write 0.8"),
        ("1,000,000", "write 1000000, without a separator of thousands"),
        ("2,400", "write 2400 for thousands, or 2.4 if this is a decimal fraction"),
        ("2 400", "write 2400, without a separator of thousands"),
        ("2\u202f400", "write 2400, without a separator of thousands"),
        ("2'400", "write 2400, without a separator of thousands"),
        ("2.400,5", "write 2400.5, without a separator of thousands"),
        ("2,400.5", "write 2400.5, without a separator of thousands"),
        ("0,250", "write 0.250, with a point"),
        ("2,4005", "write 2.4005, with a point"),
        ("2，5", "write 2.5, with a point"),
        ("40:00", "write one number, without colons"),
        ("many", ""),
        ("", ""),
    ],
)
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


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("list_type", "4000,8000", "write it in brackets: [4000, 8000]"),
        ("tuple_type", "left, right", "write it in brackets: [left, right]"),
        ("list_type", 4000, "write it in brackets: [4000]"),
        ("list_type", "1-15", "a range is written as a list of its numbers: [1, 2, 3, ..., 15]"),
        ("list_type", "1..3", "a range is written as a list of its numbers: [1, 2, 3]"),
        ("list_type", "15-1", "write it in brackets: [15-1]"),
        ("list_type", "-4 -8 -16", "write a space after each dash, or in brackets and with commas: [4, 8, 16]"),
        ("list_type", "-left -right", "write a space after each dash, or in brackets and with commas: [left, right]"),
        ("list_type", "4 8 -16", "write it in brackets: [4, 8, -16]"),
        ("list_type", "my picture.png", "write it in brackets: [my picture.png]"),
        ("list_type", {}, ""),
    ],
)
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


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("session_s", "40:00", "write one number in s: 2400 if these are minutes and seconds"),
        ("session_s", "0:40:00", "write one number in s: 2400 if these are hours, minutes and seconds"),
        ("idle_stop_s", "20:30", "write one number in s: 1230 if these are minutes and seconds"),
        ("pulse_ms", "0:01", "write one number in ms: 1000 if these are minutes and seconds"),
        ("session_s", "40:99", ""),
    ],
)
def test_a_time_with_colons_is_reckoned_in_the_unit_of_its_key(key: str, value: str, said: str) -> None:
    assert suggestion("float_parsing", value, {}, key) == said


def test_a_range_within_a_list_is_written_out() -> None:
    said = "a range is written as a list of its numbers: [1, 2, 3, ..., 15]"
    assert suggestion("int_parsing", "1-15", {}, "delays_s", in_list=True) == said
    assert suggestion("int_parsing", "1-15", {}, "delays_s") == ""
