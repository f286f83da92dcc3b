"""The words at the axes."""

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
    ((spacing, values),) = axis.logTickValues(-1.2, 1.2, 300, [])
    assert axis.logTickStrings(values, 1, spacing) == ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
