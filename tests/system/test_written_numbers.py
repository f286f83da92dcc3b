"""Numbers are read as they were written, or asked about; none is read as another one."""

import math

import pytest

from rig.system.written_numbers import COMMA, POINT, AmbiguousNumberError, decimal_mark, number_of


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("12.5", POINT, 12.5),
        ("12,5", COMMA, 12.5),
        (" -3 ", COMMA, -3.0),
        ("\u22123,5", COMMA, -3.5),
        ("1e3", POINT, 1000.0),
        ("1,5E-3", COMMA, 0.0015),
        ("1,234.5", POINT, 1234.5),
        ("1,234,567", POINT, 1_234_567.0),
        ("1.234,5", COMMA, 1234.5),
        ("1.234.567", COMMA, 1_234_567.0),
        ("1 234,5", COMMA, 1234.5),
        ("1\u202f234.5", POINT, 1234.5),
        ("1'234'567.25", POINT, 1_234_567.25),
        ("12,527", COMMA, 12.527),
    ],
)
def test_a_number_is_read_as_it_was_written(text: str, mark: str, value: float) -> None:
    assert number_of(text, mark) == value


@pytest.mark.parametrize(("text", "mark"), [("12,527", POINT), ("12.527", COMMA), ("1.5", COMMA)])
def test_what_may_be_two_numbers_is_asked_about(text: str, mark: str) -> None:
    with pytest.raises(AmbiguousNumberError):
        number_of(text, mark)


@pytest.mark.parametrize(
    "text", ["", "x", "1_000", "1,5", "1 5", "12.5.3", "1,23,456", "#N/A", "0x10", "1.5 s", "\ufffd"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no number|1_000"):
        number_of(text)


def test_words_of_a_missing_number_are_nan() -> None:
    assert math.isnan(number_of("NaN"))


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        ([], POINT),
        (["12", "left"], POINT),
        (["12.5"], POINT),
        (["12,5"], COMMA),
        (["12,527"], POINT),
        (["12,527", "0,5"], COMMA),
        (["12,527413"], COMMA),
        (["1.234,5"], COMMA),
        (["1,234.5"], POINT),
        (["1'234,527"], COMMA),
        (["[67,72]", "P1,2"], POINT),
    ],
)
def test_the_decimal_mark_is_that_of_numbers_that_are_certain(cells: list[str], mark: str) -> None:
    assert decimal_mark(cells) == mark


def test_a_table_with_both_marks_is_refused() -> None:
    with pytest.raises(AmbiguousNumberError, match=r"a decimal point \(12\.5\) and with a comma \(0,25\)"):
        decimal_mark(["12.5", "0,25"])
