"""The rows of the table."""

import json

from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.report_rows import figure, times, unmeasured

SPREAD = latencies("reflex", [(0.0, float(us)) for us in range(1, 101)])


def test_times_are_met_when_all_their_bounds_are() -> None:
    row = times("reflex", SPREAD, {"median": 50, "max": 100})
    assert (row.met, row.verdict, row.n) == (True, "met", 100)
    assert row.must == "median <= 50, max <= 100 us"
    assert row.got == "median 50.0, p99 99.0, p99.9 100.0, max 100.0 us"


def test_one_bound_that_is_not_kept_is_enough_to_fail() -> None:
    assert times("reflex", SPREAD, {"median": 50, "max": 99.9}).verdict == "NOT MET"


def test_what_never_came_is_not_met_however_fast_the_rest_was() -> None:
    row = times("reflex", SPREAD, {"max": 1000}, missing=2, note="quiet")
    assert (row.met, row.note) == (False, "2 never came; quiet")


def test_a_figure_has_a_bound_on_either_side() -> None:
    assert figure("flash", 61.7, "%", at_most=75).met
    assert not figure("stack", 85, "bytes", at_least=128).met
    assert figure("stack", 85, "bytes", at_least=128).must == ">= 128 bytes"


def test_what_was_not_measured_is_neither_met_nor_not() -> None:
    row = unmeasured("hang", "this board has no program")
    assert (row.met, row.verdict, row.got) == (None, "", "not measured: this board has no program")


def test_a_row_is_plain_data_with_its_histogram() -> None:
    said = json.loads(json.dumps(times("reflex", SPREAD, {"max": 10}).to_dict()))
    assert (said["what"], said["met"], said["max_us"]) == ("reflex", False, 100.0)
    assert sum(count for _, _, count in said["histogram"]) == 100
    assert "histogram" not in figure("flash", 1, "%").to_dict()
