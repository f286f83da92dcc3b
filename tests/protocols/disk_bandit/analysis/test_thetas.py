from dataclasses import replace

import numpy as np
import pytest

from protocols.disk_bandit.analysis import luce
from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.cells import cells
from protocols.disk_bandit.analysis.locations import NOT_PLACED, Locations
from protocols.disk_bandit.analysis.pecks import of_rows
from protocols.disk_bandit.analysis.thetas import NO_PREVIOUS, Thetas, thetas
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, life, peck

THETA = (0.10, 0.22, 0.32, 0.34)
BIAS = (-0.9, -0.9, -0.7, 0.0, 0.5, 0.9, 0.7, 0.4)


def fitted(bird: Bird, count: int = 12, subjects: str = "ABC") -> Thetas:
    return thetas(cells(complete([pecks for name in subjects for pecks in life(bird, count, subject=name)])))


def located(found: Thetas) -> Locations:
    assert found.locations is not None
    return found.locations


def test_theta_is_found_again_block_by_block() -> None:
    found = fitted(Bird(THETA, pecks=(80,) * 4))
    assert np.all(np.abs(found.by_block.value - THETA) < 3 * found.by_block.robust_se)
    assert found.by_block.n.tolist() == [36 * 80] * 4
    assert np.mean(THETA) == pytest.approx(found.overall.value[0], abs=0.03)
    assert found.refused == {}


def test_the_mean_of_the_subjects_is_beside_it() -> None:
    found = fitted(Bird(THETA, pecks=(80,) * 4))
    assert [each.n for each in found.by_block.by_subject] == [3] * 4
    for own, pooled in zip(found.by_block.by_subject, found.by_block.value, strict=True):
        assert own.mean == pytest.approx(pooled, abs=0.03)
    t = [own.mean / own.sem for own in found.by_block.by_subject]
    assert found.by_block.t == pytest.approx(np.array(t))
    assert found.by_block.d == pytest.approx(np.array(t) / np.sqrt(3))


def test_two_subjects_have_no_t() -> None:
    assert np.isnan(fitted(Bird(THETA, pecks=(80,) * 4), subjects="AB").by_block.t).all()


def test_what_locations_are_worth_is_found_again_and_theta_beside_it() -> None:
    found = fitted(Bird(THETA, bias=BIAS, pecks=(80,) * 4))
    beside = located(found)
    assert np.all(np.abs(beside.theta - THETA) < 3.5 * beside.robust_se)
    assert beside.bias == pytest.approx(np.array(BIAS), abs=0.12)
    assert beside.goodness is not None
    assert beside.without is not None
    assert beside.goodness.parameters == 4 + 3 * 7
    assert beside.goodness.bic < beside.without.bic
    assert beside.goodness.r2 > beside.without.r2


def test_where_locations_are_worth_the_same_the_criterion_prefers_to_do_without() -> None:
    beside = located(fitted(Bird(THETA, pecks=(80,) * 4)))
    assert beside.goodness is not None
    assert beside.without is not None
    assert beside.goodness.bic > beside.without.bic
    assert beside.goodness.ll >= beside.without.ll


def test_a_location_that_a_bird_never_chose_counts_as_a_parameter_and_leaves_the_others_their_worth() -> None:
    beside = located(fitted(Bird(THETA, bias=(-50, *BIAS[1:]), pecks=(80,) * 4), 14))
    assert beside.never_chosen == 3
    assert beside.goodness is not None
    assert beside.goodness.parameters == 4 + 3 * 7
    assert np.isnan(beside.bias[0])
    assert beside.bias[1:] == pytest.approx(np.array(BIAS[1:]) - np.mean(BIAS[1:]), abs=0.15)
    assert np.all(np.abs(beside.theta - THETA) < 3.5 * beside.robust_se)


def test_today_and_yesterday_are_found_again() -> None:
    found = fitted(Bird(THETA, previous=(0.10, 0.05, 0.0, 0.0), pecks=(80,) * 4), 16)
    assert found.carry_over is not None
    current, previous = found.carry_over.current, found.carry_over.previous
    assert np.all(np.abs(current.value - THETA) < 3.5 * current.robust_se)
    assert np.all(np.abs(previous.value - [0.10, 0.05, 0, 0]) < 3.5 * previous.robust_se)
    assert found.carry_over.sessions == 3 * 15  # the first day has no yesterday


def test_one_session_has_no_yesterday_and_says_so() -> None:
    found = fitted(Bird(THETA, pecks=(80,) * 4), 1, "A")
    assert found.carry_over is None
    assert found.refused == {"carry-over": NO_PREVIOUS, "theta beside locations": luce.UNTOLD}


def test_a_block_in_which_theta_has_no_end_is_named_and_has_no_number() -> None:
    rows = [peck(disk, 10.0 + n, VI_S[disk]) for n, disk in enumerate((0, 0, 1, 2, 3, 4, 5, 6, 7))]
    rows += [peck(0, 400.0 + n, VI_S[0]) for n in range(5)]
    found = thetas(cells(complete(of_rows("A/01", "A", rows).named())))
    assert np.isnan(found.by_block.value[1])
    assert np.isfinite(found.by_block.value[0])
    assert found.refused["theta, block 2"] == luce.ENDLESS
    assert found.by_block.fitted.tolist() == [1]


def test_without_enough_data_one_reason_is_given() -> None:
    rows = [peck(disk, 10.0, 30.0) for disk in range(8)]
    found = thetas(cells(complete(of_rows("A/01", "A", rows).named())))
    assert found.refused == {"theta": luce.UNTOLD}
    assert (found.by_block.block.size, found.locations, found.carry_over) == (0, None, None)


def test_of_disks_whose_vi_is_not_known_the_rule_is_fitted_and_locations_are_not() -> None:
    rows = [peck(disk, 10.0 + n, VI_S[disk]) for n, disk in enumerate((0, 0, 1, 0, 2, 3, 1, 4, 0))]
    other = [peck(7 - disk, 10.0 + n, VI_S[disk]) for n, disk in enumerate((0, 1, 2, 3, 4, 5, 6, 7))]
    sessions = complete([*of_rows("A/01", "A", rows).named(), *of_rows("A/02", "A", other).named()])
    assert [pecks.placed for pecks in sessions] == [False, True]
    found = thetas(cells(sessions[:1]))
    assert found.overall.value[0] > 0
    assert found.refused["theta beside locations"] == NOT_PLACED


def test_a_persons_sessions_are_fitted_apart() -> None:
    sessions = [
        replace(pecks, number=number)
        for number, theta in ((1, 0.1), (2, 0.6))
        for pecks in life(Bird((theta,) * 2, pecks=(150,) * 2), 8)
    ]
    found = thetas(cells(complete(sessions)))
    assert list(found.by_number) == ["1", "2"]
    assert found.by_number["1"].value == pytest.approx([0.1, 0.1], abs=0.05)
    assert found.by_number["2"].value == pytest.approx([0.6, 0.6], abs=0.08)
