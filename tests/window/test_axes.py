"""The words at the axes."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("qt")


@pytest.mark.parametrize(
    ("seconds", "step_s", "text"),
    [
        (0, 1, "0:00"),
        (65, 5, "1:05"),
        (3725, 60, "62:05"),
        (59.96, 0.1, "1:00.0"),
        (5.25, 0.05, "0:05.25"),
        (5.2505, 0.001, "0:05.250"),
        (-2, 1, "-0:02"),
    ],
)
def test_times_are_minutes_and_seconds(seconds: float, step_s: float, text: str) -> None:
    from rig.window.axes import clock_text

    assert clock_text(seconds, step_s) == text


def test_a_long_span_has_marks_at_whole_minutes_or_hours() -> None:
    from rig.window.axes import ClockAxis

    for span_s in (0.02, 1, 60, 3600, 86_400):
        ((step_s, _),) = ClockAxis("bottom").tickSpacing(0, span_s, 1200)
        assert 3 <= span_s / step_s <= 12


def test_a_logarithmic_axis_shows_numbers_that_a_person_reads() -> None:
    from rig.window.axes import ChartAxis

    axis = ChartAxis("bottom")
    assert log_marks(axis, -1.2, 1.2) == ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
    assert log_marks(axis, -3, 3) == ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]


def test_a_logarithmic_axis_over_less_than_a_decade_has_enough_marks_to_be_read() -> None:
    from rig.window.axes import FEWEST_MARKS, ChartAxis

    axis = ChartAxis("bottom")
    assert log_marks(axis, 0.13, 0.6) == ["1.5", "2", "3"]
    assert len(log_marks(axis, 0.31, 0.4)) >= FEWEST_MARKS


def log_marks(axis: Any, low: float, high: float) -> list[str]:
    """Return the words of the marks between two logarithms."""
    ((spacing, values),) = axis.logTickValues(low, high, 300, [])
    return list(axis.logTickStrings(values, 1, spacing))
