import math

import numpy as np
import pytest

from protocols.delay_discounting.analysis.delays import dd_getdelays, delay_counts, discount_rate, indifference, thirds
from tests.protocols.delay_discounting.analysis.made import laps, rat_laps


def test_the_laboratory_counts_up_from_delayed_laps_and_down_from_others() -> None:
    found = laps("RLLRL", first_delay=10)
    assert found.in_force_s.tolist() == [10, 9, 10, 11, 10]
    assert dd_getdelays(found).tolist() == [9, 9, 10, 9, 10]


def test_no_delay_is_counted_below_one_second() -> None:
    found = laps("LRRR", first_delay=1)
    assert found.in_force_s.tolist() == [1, 2, 1, 1]
    assert dd_getdelays(found).tolist() == [1, 1, 1, 1]


def test_a_session_that_never_went_to_the_delayed_side_has_no_such_count() -> None:
    assert np.isnan(dd_getdelays(laps("RRR"))).all()
    found = indifference(laps("RRR", first_delay=9))
    assert found.in_force_s == 8
    assert math.isnan(found.dd_getdelays_s)
    assert math.isnan(found.delayed_laps_s)


def test_only_the_final_twenty_laps_count() -> None:
    found = indifference(laps("LLLLLLLLLL" + "LR" * 10, first_delay=5))
    assert (found.in_force_s, found.delayed_laps_s, found.dd_getdelays_s) == (15.5, 15, 14.5)


def test_a_skipped_lap_counts_with_its_delay_in_force() -> None:
    assert indifference(laps("lr" * 10, first_delay=5)).in_force_s == 5.5


def test_the_discount_rate_is_that_of_a_hyperbola_through_the_indifference() -> None:
    k = discount_rate(3, 7.4)
    assert 3 / (1 + k * 7.4) == pytest.approx(1 / (1 + k))
    assert math.isnan(discount_rate(1, 7.4))
    assert math.isnan(discount_rate(3, 2.5))


def test_delays_beyond_30_s_are_counted_together() -> None:
    found = delay_counts(np.array([1.0, 1.0, 30.0, 31.0, 45.0]))
    assert (found[0], found[29], found[30], found.sum()) == (2, 1, 2, 5)


def test_sessions_are_divided_into_thirds_of_their_own_laps() -> None:
    first, second, last = thirds([laps("LLL", first_delay=2), laps("R" * 6, first_delay=12)])
    assert [each.laps for each in (first, second, last)] == [3, 3, 3]
    assert [each.settled for each in (first, second, last)] == pytest.approx([0, 2 / 3, 1])
    assert np.flatnonzero(first.share).tolist() == [1, 10, 11]
    assert first.share.sum() == pytest.approx(1)


def test_calibrated_rats_settle_where_another_program_found_them_to() -> None:
    sessions = [rat_laps(seed) for seed in range(600)]
    found = [indifference(each) for each in sessions]
    assert np.mean([each.in_force_s for each in found]) == pytest.approx(7.43, abs=0.4)
    assert np.std([each.in_force_s for each in found], ddof=1) == pytest.approx(3.39, abs=0.4)
    by_lab = np.mean([each.in_force_s - each.dd_getdelays_s for each in found])
    by_delayed = np.mean([each.in_force_s - each.delayed_laps_s for each in found])
    assert (by_lab, by_delayed) == pytest.approx((7.05 - 6.03, 7.05 - 6.54), abs=0.05)
    assert [each.settled for each in thirds(sessions)] == pytest.approx([0.34, 0.65, 0.78], abs=0.06)
