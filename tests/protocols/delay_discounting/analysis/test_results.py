import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.delay_discounting.analysis.results import POOLED, MazeSettings, days, exclusions, report
from rig.analysis.common.arrays import plain
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps

ALL = MazeSettings(min_laps=0)
QUICK = replace(ALL, fits=False)


def test_a_session_is_excluded_for_its_reasons() -> None:
    assert list(exclusions(laps("LR" * 25), 50)) == []
    assert list(exclusions(laps("LR" * 24), 50)) == ["48 laps, fewer than 50"]
    assert list(exclusions(laps("R" * 10), 50)) == ["10 laps, fewer than 50", "the delayed side was never sampled"]


def test_excluded_sessions_are_reported_and_are_in_no_group() -> None:
    found = report([rat_laps(1), laps("LR" * 5), laps("R" * 60)], MazeSettings())
    assert [bool(each.excluded) for each in found.sessions] == [False, True, True]
    assert found.groups["3:1"].sessions == 1
    assert found.ratios.ratio.tolist() == [3]


def test_ratios_are_reported_apart_and_pooled() -> None:
    found = report([laps("LRLR", "R1_01"), laps("LRLR", "R2_01"), laps("LRLRRR", "R1_02", large=5)], ALL)
    assert list(found.groups) == ["3:1", "5:1", POOLED]
    assert (found.groups[POOLED].sessions, found.groups[POOLED].subjects) == (3, 2)
    assert math.isnan(found.groups[POOLED].discount_rate)
    alone = report([laps("LRLR")], ALL).groups
    assert list(alone) == ["3:1"]
    assert alone["3:1"].discount_rate == pytest.approx(2 / (10.5 - 3))


def test_a_session_is_summed_up() -> None:
    (found,) = report([laps("LLrR", first_delay=4)], ALL).sessions
    assert (found.laps, found.rewarded, found.skipped, found.delayed_laps) == (4, 3, 1, 2)
    assert (found.initial_delay_s, found.indifference.in_force_s, found.indifference.dd_getdelays_s) == (4, 5, 4)
    assert found.adjustment == pytest.approx(2 / 3)
    assert found.discount_rate == pytest.approx(2 / (5 - 3))
    assert (found.lap_s, found.choice_s, found.passes) == (40, 2, 0)
    assert math.isnan(found.zidphi_adjustment)


def test_sessions_of_a_subject_are_numbered_by_their_names() -> None:
    names = ["R1/2026-11-22/001", "R2/2026-11-21/001", "R1/2026-11-21/001"]
    sessions = [replace(laps("LR"), name=name, subject=name[:2]) for name in names]
    assert days(sessions) == [2, 1, 1]


def test_the_second_session_comes_before_the_tenth() -> None:
    assert days([replace(laps("LR"), name=f"R1/{number}", subject="R1") for number in (10, 2, 1)]) == [3, 2, 1]


def test_numbers_over_sessions_have_the_spread_of_sessions_and_of_subjects() -> None:
    sessions = [laps("LR", "R1_01", first_delay=4), laps("LR", "R1_02", first_delay=6), laps("LR", "R2_01")]
    found = report(sessions, ALL).groups["3:1"].indifference["in_force_s"]
    assert (found.n, found.mean) == (3, pytest.approx((4.5 + 6.5 + 10.5) / 3))
    assert found.sd == pytest.approx(np.std([4.5, 6.5, 10.5], ddof=1))
    assert (found.by_subject.n, found.by_subject.mean) == (2, 8)


def test_final_delays_are_compared_by_the_side_that_was_delayed() -> None:
    left, right = (
        [laps("L" * up + "R" * (60 - up), f"R1_{side}{up}", delayed="L") for up in (20, 25)] for side in "ab"
    )
    mirrored = [replace(each, left=~each.left) for each in right]
    found = report([*left, *mirrored], MazeSettings()).groups["3:1"]
    assert found.delayed_left == (True, True, False, False)
    assert (found.by_side["left"].n, found.by_side["right"].n) == (2, 2)
    assert found.by_side["left"].mean == found.by_side["right"].mean == pytest.approx(found.final_s.mean())
    assert found.sides is not None
    assert found.sides.p == 1


def test_it_is_said_how_many_sessions_came_to_a_lap() -> None:
    found = report([laps("LR" * 30), laps("LR" * 40, "R1_02")], MazeSettings()).groups["3:1"]
    assert found.milestones.sessions == {10: 2, 30: 2, 50: 2, 75: 1, 100: 0}


def test_a_light_on_the_back_says_nothing_of_deliberation() -> None:
    tracked = replace(laps("LRRL"), idphi=np.array([1.0, 2, 3, 4]))
    assert report([tracked], ALL).groups["3:1"].vte is not None
    found = report([tracked.unturned()], ALL)
    assert found.groups["3:1"].vte is None
    assert found.sessions[0].passes == 0


def test_without_fits_there_are_none() -> None:
    found = report([rat_laps(1), rat_laps(2, 4), rat_laps(3, 5)], QUICK)
    assert found.ratios.line is None
    assert found.groups[POOLED].settling is None
    assert found.groups[POOLED].over_days is None


histories = st.lists(st.text("LRlr", max_size=30), min_size=1, max_size=4)


@settings(max_examples=50)
@given(histories, st.booleans())
def test_any_session_can_be_reported_as_strict_json(table: list[str], fits: bool) -> None:
    sessions = []
    for place, history in enumerate(table):
        made = laps(history, f"R{place % 2}_{place}", first_delay=1 + 9 * place, large=1 + place)
        turned = np.random.default_rng(len(history)).normal(5, 2, made.trials)
        sessions.append(replace(made, idphi=turned, pause_s=np.round(turned)))
    json.dumps(plain(report(sessions, replace(ALL, fits=fits))), allow_nan=False)


def test_experiment_1_of_calibrated_rats_has_the_published_slope() -> None:
    """Ten replications of 4 rats x 5 ratios x 6 delays: slope of indifference on R 2.0 ± .5, R2 .42 ± .16."""
    found = []
    for replication in range(10):
        sessions = [
            rat_laps(1000 * replication + 100 * large + 10 * rat + place, large, delay)
            for large in range(1, 6)
            for place, delay in enumerate((1, 2, 5, 10, 20, 30))
            for rat in range(4)
        ]
        ratios = report(sessions, MazeSettings()).ratios
        assert ratios.line is not None
        assert ratios.differ is not None
        assert (ratios.line.n, ratios.differ.df) == (120, 4)
        assert ratios.line.p < 1e-6
        found.append((ratios.line.slope, ratios.line.r2))
    assert np.mean(found, axis=0) == pytest.approx((2.3, 0.45), abs=0.12)


def test_experiment_2_of_calibrated_rats_settles_from_anywhere_and_does_not_change_over_days() -> None:
    sessions = [
        replace(rat_laps(30 * rat + day, 3, day + 1), name=f"{rat}/{day:02}", subject=str(rat))
        for rat in range(10)
        for day in range(30)
    ]
    found = report(sessions, MazeSettings()).groups["3:1"]
    assert found.indifference["in_force_s"].mean == pytest.approx(7.4, abs=1)
    assert 2.4 <= found.indifference["in_force_s"].sd <= 3.9
    assert found.settling is not None
    assert found.settling.p < 1e-10
    assert found.over_days is not None
    assert found.over_days.df == 29
    assert found.over_days.p > 0.01
