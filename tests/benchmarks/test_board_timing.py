"""The table of `rig board bench` among the benchmarks."""

from benchmarks.board_timing import Judged
from rig.diagnostics.timing.report_rows import figure, unmeasured


def test_a_row_is_shown_as_it_was_judged() -> None:
    measure = Judged("mega", figure("  flash", 80.5, "%", at_most=75, note="of 256 kB"))
    assert (measure.what, measure.must_be, measure.measured, measure.holds) == (
        "mega: flash",
        "<= 75 %",
        "80.5 %",
        False,
    )
    assert measure.note == "n 1; of 256 kB"
    assert measure.to_dict()["chip"] == "mega"


def test_what_was_not_measured_does_not_fail_the_benchmarks() -> None:
    assert Judged("uno", unmeasured("hang", "no program")).holds
