"""A part that strange records break says so, and costs no other part."""

from __future__ import annotations

import pytest

from rig.report.guarded_part import attempt
from rig.report.html import Html, element


def test_a_part_that_can_be_made_is_returned() -> None:
    assert attempt("it", lambda: element("p", "in")) == "<p>in</p>"
    assert attempt("it", lambda: None) is None


@pytest.mark.parametrize(
    "error", [KeyError("us"), TypeError("<b>"), ValueError("x"), ZeroDivisionError(), IndexError()]
)
def test_what_a_strange_record_raises_becomes_a_remark(error: Exception) -> None:
    def fail() -> Html:
        raise error

    made = attempt("Latencies", fail)
    assert made is not None
    assert "Latencies cannot be made of these records" in made
    assert "<b>" not in made


def test_a_failure_of_the_system_is_not_hidden() -> None:
    def fail() -> Html:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        attempt("it", fail)
