"""A part that strange records break says so, and costs no other part."""

from __future__ import annotations

import pytest

from rig.core.journal.kinds import Paused
from rig.core.model.line import Line
from rig.report.guarded_part import GuardedReader, attempt
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


class Strange:
    """A fold that cannot read every pause."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def take(self, line: Line) -> None:
        if line.t_us == 2:
            raise KeyError("us")
        self.read.append(line.t_us)


def test_a_reader_stops_at_a_strange_line_and_its_part_names_it() -> None:
    whole, broken = GuardedReader(Strange()), GuardedReader(Strange())
    for t_us in (1, 3):
        whole.take(Paused(t_us))
    for t_us in (1, 2, 3):
        broken.take(Paused(t_us))
    assert whole.fold.read == [1, 3]
    with pytest.raises(KeyError, match="us"):
        assert broken.fold is None
