"""What the charts of views hold."""

from __future__ import annotations

import numpy as np
import pytest

from rig.views.chart import Bars, Chart, Curve, Moments, Points, Rings, Tiles
from tests.views.view_lines import COLUMNS, at, folded, header, mark, of_type, only_chart, trial

NUMBER = {"kind": "number", "unit": "", "text": ""}
CM = {"kind": "number", "unit": "cm", "text": ""}


def test_rewarded_choices_stand_above_the_middle_of_their_line_and_others_below() -> None:
    lines = [trial(1), trial(2, choice="right", rewarded=0), trial(3, choice="", rewarded=0)]
    chart = only_chart({"view": "choices", "column": "choice", "rewarded": "rewarded"}, lines)
    assert chart.y.ticks == {0.0: "left", -1.0: "right", -2.0: "none"}
    above, below = mark(chart, "rewarded, above"), mark(chart, "not rewarded, below")
    assert (above.x.tolist(), below.x.tolist()) == ([1.0], [2.0])
    assert above.y[0] > 0.0
    assert below.y[0] < -1.0
    assert [each.x.tolist() for each in of_type(chart, Points) if each.symbol == "cross"] == [[3.0]]


def test_odds_are_drawn_within_the_line_of_their_word() -> None:
    view = {"view": "choices", "column": "choice", "odds": {"left": "p_left"}}
    chart = only_chart(view, [trial(1, p_left=0.0), trial(2, p_left=1.0)])
    (odds,) = of_type(chart, Curve)
    assert odds.y == pytest.approx([-0.4, 0.4])


def test_outcomes_are_counted_at_their_lines() -> None:
    chart = only_chart({"view": "outcomes"}, [trial(1), trial(2), trial(3, outcome="interrupted")])
    assert chart.y.ticks == {0.0: "rewarded (2)", -1.0: "interrupted (1)"}


def test_a_running_share_is_of_the_last_completed_trials_only() -> None:
    lines = [
        *(trial(number, choice="right") for number in (1, 2)),
        trial(3, outcome="interrupted", choice=""),
        *(trial(number) for number in (4, 5)),
    ]
    chart = only_chart({"view": "running_share", "shares": ["left_fraction"], "over": 2, "beside": ["p_left"]}, lines)
    share = mark(chart, "left")
    assert share.x.tolist() == [1.0, 2.0, 4.0, 5.0]
    assert share.y.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert mark(chart, "p left").y.tolist() == [0.8] * 5


def test_numbers_have_a_running_median_and_leave_out_empty_cells() -> None:
    lines = [trial(number, latency_s=value) for number, value in enumerate((1.0, None, 9.0, 2.0, "x", True), start=1)]
    chart = only_chart({"view": "numbers", "columns": ["latency_s"], "over": 3}, lines)
    assert mark(chart, "latency").y.tolist() == [1.0, 9.0, 2.0, 1.0]
    assert mark(chart, "median of 3").y.tolist() == [1.0, 5.0, 2.0, 2.0]
    assert (chart.x.title, chart.y.title) == ("trial", "latency (s)")


def test_numbers_of_one_column_are_told_apart_by_the_words_of_another() -> None:
    view = {"view": "numbers", "columns": ["latency_s"], "by": "choice"}
    left, right = (mark(only_chart(view, [trial(1), trial(2, choice="right")]), side) for side in ("left", "right"))
    assert (left.x.tolist(), right.x.tolist()) == ([1.0], [2.0])
    assert left.symbol != right.symbol


def test_a_histogram_counts_every_number_once() -> None:
    lines = [trial(number, latency_s=number / 10) for number in range(1, 101)]
    chart = only_chart({"view": "histogram", "columns": ["latency_s"]}, lines)
    curve = mark(chart, "latency (n = 100)")
    assert curve.y.sum() == 100
    assert len(curve.x) == len(curve.y)


def test_shares_are_of_all_rows_and_of_the_rewarded_ones() -> None:
    lines = [trial(1), trial(2, choice="right", rewarded=0), trial(3, choice="right"), trial(4, choice="right")]
    chart = only_chart({"view": "shares_by", "column": "choice", "rewarded": "rewarded"}, lines)
    assert mark(chart, "trials (n = 4)").height.tolist() == [0.75, 0.25]
    assert mark(chart, "rewards (n = 3)").height == pytest.approx([2 / 3, 1 / 3])
    assert chart.x.ticks == {0.0: "right", 1.0: "left"}


def test_shares_of_numbers_rise_along_the_axis() -> None:
    lines = [trial(number, latency_s=value) for number, value in enumerate((27.0, 3.0, 9.0), start=1)]
    chart = only_chart({"view": "shares_by", "column": "latency_s"}, lines)
    assert list((chart.x.ticks or {}).values()) == ["3", "9", "27"]


def test_only_rows_with_the_wanted_values_count() -> None:
    lines = [trial(1), trial(2, choice="right"), trial(3, rewarded=0)]
    view = {"view": "shares_by", "column": "choice", "where": {"choice": "left", "rewarded": 1}}
    assert mark(only_chart(view, lines), "trials (n = 1)").height.tolist() == [0.0, 1.0]


def test_a_cumulative_record_is_drawn_over_minutes() -> None:
    lines = [trial(1, t_in=60.0, rewarded=0), trial(2, t_in=120.0)]
    chart = only_chart({"view": "cumulative", "at": "t_in", "rewarded": "rewarded", "rows": "pecks"}, lines)
    (curve,) = of_type(chart, Curve)
    assert (curve.x.tolist(), curve.y.tolist()) == ([1.0, 2.0], [1.0, 2.0])
    assert (mark(chart, "rewarded").x.tolist(), chart.y.title) == ([2.0], "pecks so far")


def test_a_disk_of_the_screen_has_the_last_value_of_the_rows_on_it() -> None:
    columns = {"x_cm": CM, "y_cm": CM, "vi_s": {**NUMBER, "unit": "s"}}
    disk = {"kind": "disk", "x_cm": 5.0, "y_cm": 5.0, "diameter_cm": 2.0}
    lines = [
        at(
            0,
            "scene",
            id="a",
            items=[disk, {"kind": "tile"}, {"kind": "disk"}],
            background="",
            hit_margin_cm=0,
            hover=False,
        ),
        at(1, "trial", x_cm=5.5, y_cm=5.0, vi_s=3.0),
        at(2, "trial", x_cm=9.0, y_cm=5.0, vi_s=81.0),
    ]
    chart = only_chart({"view": "places", "x": "x_cm", "y": "y_cm", "label": "vi_s"}, lines, columns=columns)
    (rings,) = of_type(chart, Rings)
    assert (rings.radius.tolist(), rings.texts) == ([1.0], ("3 s",))
    assert chart.is_map


def test_rows_of_a_grid_that_are_counted_from_the_top_are_drawn_so() -> None:
    columns = dict.fromkeys(("x", "y", "points"), NUMBER)
    lines = [at(1, "trial", x=x, y=y, points=1.0) for x, y in ((0, 0), (2, 10), (1, 3))]
    chart = only_chart({"view": "places", "x": "x", "y": "y", "shade": "points", "down": True}, lines, columns=columns)
    (tiles,) = of_type(chart, Tiles)
    assert tiles.y.tolist() == [0, -10, -3]
    assert chart.y.ticks == {-row: str(row) for row in range(11)}  # rows without a tile, too


def test_tiles_are_shaded_by_the_last_value_at_their_place() -> None:
    columns = {"x": {**NUMBER, "kind": "integer"}, "y": NUMBER, "points": NUMBER}
    lines = [at(number, "trial", x=3, y=4, points=float(number)) for number in (1, 2)]
    chart = only_chart({"view": "places", "x": "x", "y": "y", "shade": "points"}, lines, columns=columns)
    (tiles,) = of_type(chart, Tiles)
    assert (tiles.x.tolist(), tiles.value.tolist(), tiles.name) == ([3.0], [2.0], "last points")


INTERVAL = dict.fromkeys(("disk", "t_started", "t_armed", "t_collected"), NUMBER)
SPANS = {
    "view": "spans",
    "start": "t_armed",
    "end": "t_collected",
    "by": "disk",
    "since": "t_started",
    "table": "intervals",
    "planned": "running",
}


def test_spans_end_at_their_time_and_those_that_run_end_now() -> None:
    lines = [
        at(1, "row", table="intervals", disk=2, t_started=0.0, t_armed=60.0, t_collected=120.0),
        at(121, "note", what="running", by=[9, 2], since=[0.0, 120.0], start=[60.0, 900.0]),
        at(180, "state", name="respond"),
    ]
    chart = only_chart(SPANS, lines, tables={"intervals": INTERVAL})
    assert list((chart.y.ticks or {}).values()) == ["2", "9"]
    ended, running = mark(chart, "armed to collected"), mark(chart, "armed, not yet collected")
    assert ended.x[:2].tolist() == [1.0, 2.0]
    assert (running.x[:2].tolist(), running.y[:2].tolist()) == ([1.0, 3.0], [1.0, 1.0])


def test_a_row_without_an_end_lasts_until_it_was_written() -> None:
    lines = [
        at(60, "row", table="intervals", disk=1, t_started=0.0, t_armed=30.0, t_collected=None),
        at(120, "row", table="intervals", disk=2, t_started=0.0, t_armed=None, t_collected=None),
    ]
    chart = only_chart(SPANS, lines, tables={"intervals": INTERVAL})
    assert mark(chart, "armed to collected").x[:2].tolist() == [0.5, 1.0]
    assert [curve.x[3:5].tolist() for curve in of_type(chart, Curve) if len(curve.x) > 3] == [[0.0, 2.0]]


def test_a_note_about_running_spans_may_hold_anything() -> None:
    for by in (None, 3, "x", [None], [[1]], [1, 2, 3]):
        lines = [at(1, "note", what="running", by=by, since=["x"], start=[{}])]
        assert only_chart(SPANS, lines, tables={"intervals": INTERVAL}).title == "intervals"


def test_a_raster_shows_onsets_around_the_time_of_each_trial() -> None:
    lines = [
        *(at(t_s, "edge", channel="left.beam", level=1, fired=0, number=1) for t_s in (9.0, 9.5)),
        *(
            at(t_s, "edge", channel="left.beam", level=level, fired=0, number=1)
            for t_s, level in ((9.8, 0), (12.0, 1), (12.1, 0), (30.0, 1))
        ),
        trial(1, t_in=10.0),
    ]
    view = {"view": "raster", "channels": ["left.beam"], "at": "t_in", "before_s": 1, "after_s": 5}
    points = mark(only_chart(view, lines), "left.beam")
    assert (points.x.tolist(), points.y.tolist()) == ([-1.0, 2.0], [1.0, 1.0])


def test_a_raster_is_in_task_time_and_ends_at_the_wanted_column() -> None:
    lines = [
        at(5, "pause"),
        at(8, "resume", paused_us=3_000_000),
        *(
            at(t_s, "edge", channel="left.beam", level=level, fired=0, number=1)
            for t_s, level in ((13.5, 1), (13.6, 0), (15.0, 1))
        ),
        trial(1, t_in=10.0, latency_s=11.0),
    ]
    view = {"view": "raster", "channels": ["left.beam"], "at": "t_in", "until": "latency_s"}
    assert mark(only_chart(view, lines), "left.beam").x.tolist() == [0.5]


def test_pauses_breaks_and_changed_parameters_are_marked_between_the_trials() -> None:
    lines = [
        trial(1),
        at(2, "pause"),
        at(65, "resume", paused_us=63_000_000),
        at(66, "params", trial=2, changed={"reward_ul": 3.0}),
        trial(2),
        at(100, "continued", gap_us=9_000_000, why="link_lost", restarted=False),
        at(110, "pause"),
    ]
    chart = only_chart({"view": "outcomes"}, lines)
    (moments,) = of_type(chart, Moments)
    assert moments.x.tolist() == [1.5, 1.5, 2.5, 2.5]
    assert moments.texts == ("pause of 1:03", "reward_ul=3", "break of 0:09 (link lost)", "paused")


def test_a_chart_is_the_same_object_until_something_changes() -> None:
    views = folded(header({"view": "outcomes"}), [trial(1)])
    before = views.charts()[0]
    views.take(at(2, "state", name="iti"))
    assert views.charts()[0] is before
    views.take(trial(2))
    assert views.charts()[0] is not before


def test_an_earlier_chart_keeps_what_it_had() -> None:
    views = folded(header({"view": "numbers", "columns": ["latency_s"]}), [trial(1)])
    before = mark(views.charts()[0], "latency").y
    for number in range(2, 1000):
        views.take(trial(number, latency_s=9.0))
    assert before.tolist() == [0.5]
    assert len(mark(views.charts()[0], "latency").y) == 999


def test_a_protocol_without_views_gets_a_page_of_all_its_tables() -> None:
    answers = {"question": {"kind": "text", "unit": "", "text": ""}, "t_answered": {**NUMBER, "unit": "s"}}
    answers["force"] = {**NUMBER, "unit": "N"}
    views = folded(header(tables={"answers": answers}), [trial(1)])
    titles = [chart.title for chart in views.charts()]
    assert titles == [
        "outcomes",
        "choice",
        "left, of the last 20 completed trials",
        "durations",
        "probabilities",
        "cumulative record",
        "answers: numbers in N",
        "answers: cumulative record",
    ]


def test_every_chart_names_both_of_its_axes() -> None:
    charts: list[Chart] = folded(header(columns=COLUMNS), [trial(1)]).charts()
    assert all(chart.x.title and chart.y.title for chart in charts)


def test_bars_and_points_are_floats() -> None:
    chart = only_chart({"view": "shares_by", "column": "choice"}, [trial(1)])
    (bars,) = of_type(chart, Bars)
    assert bars.x.dtype == bars.height.dtype == np.float64


def test_only_the_rows_of_the_last_round_are_drawn() -> None:
    columns = dict.fromkeys(("x", "y", "round", "points", "limit"), NUMBER)
    lines = [
        at(number, "trial", x=float(-number), y=1.0, round=1 + number // 3, points=1.0, limit=float(number))
        for number in range(6)
    ]
    tiles = only_chart(
        {"view": "places", "x": "x", "y": "y", "shade": "points", "within": "round"}, lines, columns=columns
    )
    assert of_type(tiles, Tiles)[0].x.tolist() == [-3.0, -4.0, -5.0]
    view = {"view": "numbers", "columns": "points", "at": "x", "within": "round", "beside": "limit", "over": 0}
    chart = only_chart(view, lines, columns=columns)
    assert mark(chart, "points").x.tolist() == [-3.0, -4.0, -5.0]
    assert mark(chart, "limit").x.tolist() == [-5.0, -4.0, -3.0]


def test_a_first_column_that_does_not_count_the_rows_does_not_name_their_axis() -> None:
    columns = {"lap": {**NUMBER, "kind": "integer"}, "delay_s": NUMBER}
    view = {"view": "numbers", "columns": "delay_s", "by": "lap"}
    lines = [at(number, "trial", lap=number, delay_s=1.0) for number in (1, 2)]
    assert only_chart(view, lines, columns=columns).x.title == "lap"
    again = only_chart(view, [*lines, at(3, "trial", lap=2, delay_s=1.0)], columns=columns)
    assert again.x.title == "trial"
    assert mark(again, "lap 2").x.tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    "view", [{"view": "places", "x": "x", "y": "y"}, {"view": "numbers", "columns": "y", "at": "x"}]
)
def test_a_round_that_begins_with_a_row_without_a_place_is_drawn_empty(view: dict[str, str]) -> None:
    columns = dict.fromkeys(("x", "y", "round"), NUMBER)
    views = folded(header({**view, "within": "round"}, columns=columns), [at(1, "trial", x=1.0, y=1.0, round=1)])
    views.charts()
    views.take(at(2, "trial", x=None, y=None, round=2))
    assert [points for points in of_type(views.charts()[0], Points) if len(points.x)] == []
