"""Lines of scales."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.scales.lines import NoReading, Reading, parse_line
from tests.tables import rows

UNITS = {"mg": 1.0, "g": 1000.0, "kg": 1e6}


@rows("line", "mg", "stable")
def test_the_lines_of_all_makers_are_read(line: str, mg: float, stable: bool) -> None:
    found = parse_line(line)
    assert isinstance(found, Reading)
    assert (found.mg, found.stable) == (pytest.approx(mg), stable)


@rows("line", "said")
def test_a_line_without_a_weight_says_why(line: str, said: str) -> None:
    found = parse_line(line)
    assert isinstance(found, NoReading)
    assert said in found.problem


@pytest.mark.parametrize(
    "line", ["", "hello", "ES", "S S 12", "1.2.3 g", "++3 g", "0.25", "S S    100.00 g S S  100.00 g"]
)
def test_a_line_that_is_no_stable_weight_is_not_taken_for_one(line: str) -> None:
    found = parse_line(line)
    assert not (isinstance(found, Reading) and found.stable)


def test_a_sartorius_without_its_unit_is_not_stable() -> None:
    assert parse_line("N     +   123.45   ") == Reading(0.0, False, 0.0)


@given(
    st.integers(-999_999, 999_999),
    st.integers(0, 4),
    st.sampled_from(sorted(UNITS)),
    st.sampled_from(
        [
            "S S {:>10} {}",
            "S D {:>10} {}",
            "ST,{:>9}  {}",
            "US,{:>9}  {}",
            "N     {:>9} {}  ",
            "{:>11} {}",
            "{:>11} {} ?",
        ]
    ),
    st.sampled_from(["", "\r\n", "\n"]),
)
def test_what_a_scale_prints_is_what_is_read(digits: int, decimals: int, unit: str, form: str, end: str) -> None:
    number = f"{digits / 10**decimals:+.{decimals}f}"
    found = parse_line(form.format(number, unit) + end)
    assert isinstance(found, Reading)
    assert found.mg == pytest.approx(float(number) * UNITS[unit])
    assert found.step_mg == pytest.approx(UNITS[unit] / 10**decimals)
    assert found.stable == (not form.startswith(("S D", "US")) and not form.endswith("?"))


@given(st.binary(max_size=40))
def test_no_bytes_break_the_parser(raw: bytes) -> None:
    parse_line(raw.decode("ascii", "replace"))


@given(st.text(alphabet="SDTUN+-., 0123456789gmk?[]\r\n", max_size=30))
def test_nothing_like_a_weight_breaks_the_parser(text: str) -> None:
    found = parse_line(text)
    assert found is None or isinstance(found, Reading | NoReading)


@given(st.integers(1, 17))
def test_a_line_that_lost_its_end_is_never_another_stable_weight(kept: int) -> None:
    found = parse_line("S S     251.04 mg"[:kept])
    assert not (isinstance(found, Reading) and found.stable) or found.mg == pytest.approx(251.04)
