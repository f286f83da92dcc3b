"""Times of day and dates are seconds, with all digits that a float holds."""

import pytest

from rig.system.written_times import TimeForm, time_form_of, written_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("09:00:12.5270010", 32_412.527001),
        ("9:00:12,5", 32_412.5),
        ("1970-01-02T00:00:01Z", 86_401.0),
        ("1970-01-02 01:00:01+01:00", 86_401.0),
        ("1970-01-01T19:00:01-0500", 86_401.0),
        ("1970-01-02T00:00:01+00", 86_401.0),
        ("1970-01-02T00:00:01", 86_401.0),
    ],
)
def test_a_time_is_seconds(text: str, seconds: float) -> None:
    form = time_form_of(text)
    assert form is not None
    assert form.has_date == text.startswith("1970")
    assert written_seconds(text, form) == pytest.approx(seconds, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["", "12.5", "2026-11-21T24:00:00", "2026-11-21T09:60:00", "2026-13-01T09:00:00", "11/21/2026 09:00:00", "9:00"],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no time|month must be"):
        written_seconds(text, TimeForm(has_date=True, has_zone=False))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("09:00:12", "it has no date, unlike the first time"),
        ("2026-11-21T09:00:12Z", "it has a zone, unlike the first time"),
    ],
)
def test_a_time_of_another_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        written_seconds(text, TimeForm(has_date=True, has_zone=False))
