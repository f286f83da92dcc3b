import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from protocols.disk_bandit.analysis import luce
from protocols.disk_bandit.analysis.luce import LuceFit, Refusal, fit, goodness
from rig.analysis.common.arrays import Floats, Ints
from tests.protocols.disk_bandit.analysis.made import VI_S

VALUE = -np.log(VI_S)


def drawn(
    theta: float, cells: int, pecks: int, seed: int = 1, stays: float = 0.0, features: Floats | None = None
) -> tuple[Ints, Floats]:
    """Choices of so many cells, the VIs in another order in each; a peck may repeat the one before."""
    draw = np.random.default_rng(seed)
    values = np.stack([draw.permutation(VALUE) for _ in range(cells)])
    weight = theta * values if features is None else features
    count = np.zeros((cells, len(VALUE)), np.int64)
    for cell, p in enumerate(np.exp(weight) / np.exp(weight).sum(axis=1, keepdims=True)):
        fresh = draw.random(pecks) >= stays
        fresh[:1] = True
        runs = np.diff(np.append(np.flatnonzero(fresh), pecks))
        np.add.at(count[cell], draw.choice(len(p), len(runs), p=p), runs)
    return count, values


def fitted(count: Ints, values: Floats, sessions: Ints | None = None) -> LuceFit:
    shown = np.ones(count.shape, bool)
    own = np.arange(len(count)) if sessions is None else sessions
    found = fit(count, values[..., None] if values.ndim == 2 else values, shown, own)
    assert isinstance(found, LuceFit)
    return found


@pytest.mark.parametrize("theta", [-0.2, 0.0, 0.1, 0.34, 1.5])
def test_theta_is_found_again_within_its_standard_error(theta: float) -> None:
    found = fitted(*drawn(theta, 40, 50))
    assert abs(found.at[0] - theta) < 3 * found.se[0]
    assert found.se[0] == pytest.approx(found.robust_se[0], rel=0.5)


def test_another_program_finds_the_same_maximum_and_the_same_curvature() -> None:
    count, values = drawn(0.3, 12, 30)
    features = np.stack([values, np.random.default_rng(2).normal(size=values.shape)], axis=-1)

    def minus_ll(at: Floats) -> float:
        weight = features @ at
        return -float(np.sum(count * (weight - np.log(np.exp(weight).sum(axis=1, keepdims=True)))))

    other = minimize(minus_ll, [2.0, -3.0], method="BFGS", options={"gtol": 1e-8})
    found = fitted(count, features)
    assert found.at == pytest.approx(other.x, abs=1e-5)
    assert found.ll == pytest.approx(-other.fun)
    # What BFGS knows of the curvature depends on its way to the maximum; differences of the function itself do not.
    step = 1e-3
    by, sides = step * np.eye(2), [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    curvature = [[sum(i * j * minus_ll(other.x + i * a + j * b) for i, j in sides) for a in by] for b in by]
    assert found.se == pytest.approx(np.sqrt(np.diag(np.linalg.inv(np.array(curvature) / (4 * step**2)))), rel=1e-3)


def test_of_two_disks_theta_is_the_logarithm_of_their_odds() -> None:
    count, values = np.array([[90, 30]]), np.log([[3.0, 1.0]])
    found = fitted(count, values)
    assert found.at[0] == pytest.approx(math.log(3) / math.log(3))
    assert found.se[0] == pytest.approx(1 / (math.log(3) * math.sqrt(120 * 0.75 * 0.25)))
    assert np.isnan(found.robust_se[0])


@pytest.mark.parametrize(("sessions", "known"), [(1, False), (2, False), (3, True)])
def test_an_error_over_sessions_is_reported_of_three_or_more(sessions: int, known: bool) -> None:
    found = fitted(*drawn(0.3, 12, 30), np.arange(12) % sessions)
    assert np.isfinite(found.robust_se[0]) == known


def test_the_share_of_the_best_disk_is_the_published_one() -> None:
    weight = np.exp(0.34 * VALUE)
    assert weight / weight.sum() == pytest.approx([0.328, 0.226, 0.156, 0.107, 0.074, 0.051, 0.035, 0.024], abs=5e-4)


def test_standard_errors_cover_the_truth_and_only_the_robust_ones_when_birds_peck_in_bouts() -> None:
    covered = {(name, stays): 0 for name in ("se", "robust_se") for stays in (0.0, 0.75)}
    times = 200
    for stays in (0.0, 0.75):
        for seed in range(times):
            found = fitted(*drawn(0.3, 30, 60, seed, stays))
            for name in ("se", "robust_se"):
                covered[name, stays] += bool(abs(found.at[0] - 0.3) < 1.96 * getattr(found, name)[0])
    assert covered["se", 0.0] / times == pytest.approx(0.95, abs=0.04)
    assert covered["robust_se", 0.0] / times == pytest.approx(0.94, abs=0.04)
    assert covered["robust_se", 0.75] / times == pytest.approx(0.94, abs=0.05)
    assert covered["se", 0.75] / times < 0.7


def test_disks_that_were_dark_are_no_alternatives() -> None:
    count, values = drawn(0.3, 30, 40)
    dark = np.full((30, 2), 7.0)
    shown = np.append(np.ones(count.shape, bool), np.zeros((30, 2), bool), axis=1)
    wide = fit(
        np.append(count, np.zeros((30, 2), int), axis=1),
        np.append(values, dark, axis=1)[..., None],
        shown,
        np.arange(30),
    )
    assert isinstance(wide, LuceFit)
    assert wide.at == pytest.approx(fitted(count, values).at)


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4), st.floats(-5, 5), st.floats(0.2, 5))
def test_a_shift_of_all_values_changes_nothing_and_another_unit_only_the_unit(
    counts: list[int], shift: float, unit: float
) -> None:
    count, values = np.array([counts, [1, 1, 1, 1]]), np.array([[0.0, 1.0, 2.0, 3.0]] * 2)
    before, after = fitted(count, values), fitted(count, (values + shift) / unit)
    assert after.at == pytest.approx(before.at * unit, abs=1e-6)
    assert after.se == pytest.approx(before.se * unit, rel=1e-4)
    assert after.ll == pytest.approx(before.ll)


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8), st.integers(1, 4))
def test_cells_of_the_same_values_can_be_added_up(counts: list[int], pieces: int) -> None:
    count = np.array([counts, [1] * 8])
    whole = fitted(count, np.stack([VALUE, VALUE]))
    apart = fitted(np.repeat(count, pieces, axis=0), np.stack([VALUE] * 2 * pieces))
    assert apart.at == pytest.approx(whole.at, abs=1e-6)
    assert apart.ll == pytest.approx(pieces * whole.ll)
    assert apart.se * math.sqrt(pieces) == pytest.approx(whole.se, rel=1e-5)


def refused(count: list[list[int]], features: Floats) -> str:
    found = fit(np.array(count), features, np.ones(np.shape(count), bool), np.arange(len(count)))
    assert isinstance(found, Refusal)
    return found.why


def test_a_bird_that_only_pecks_the_best_has_no_theta() -> None:
    assert refused([[9, 0, 0], [5, 0, 0]], np.array([[[2.0], [1], [0]]] * 2)) == luce.ENDLESS
    assert refused([[0, 0, 9]], np.array([[[2.0], [1], [0]]])) == luce.ENDLESS


def test_one_peck_on_the_worst_is_enough_for_a_number() -> None:
    found = fitted(np.array([[400, 0, 1]]), np.array([[2.0, 1.0, 0.0]]))
    assert 5 < found.at[0] < 6


def test_a_feature_that_never_speaks_against_a_choice_has_no_end_beside_one_that_has() -> None:
    count, values = drawn(0.3, 20, 40)
    never = np.where(count == 0, 0.0, 1.0)  # as if it were known where the bird would peck
    assert np.any(count == 0)
    assert refused(count.tolist(), np.stack([values, never], axis=-1)) == luce.ENDLESS


def test_values_that_do_not_differ_or_are_one_another_tell_nothing() -> None:
    assert refused([[3, 4, 5]], np.zeros((1, 3, 1))) == luce.UNTOLD
    count, values = drawn(0.3, 5, 20)
    assert refused(count.tolist(), np.stack([values, 2 * values], axis=-1)) == luce.UNTOLD


def test_no_pecks_are_refused_and_a_worthless_disk_is() -> None:
    assert "no pecks" in refused([[0, 0, 0]], np.ones((1, 3, 1)))
    assert refused([[1, 0, 0]], np.array([[[-0.5], [-np.inf], [-np.inf]]])) == luce.WORTHLESS


def test_the_criterion_counts_parameters_also_those_that_are_infinite() -> None:
    found = fitted(*drawn(0.3, 10, 50))
    judged, further = goodness(found), goodness(found, 2)
    assert judged is not None
    assert further is not None
    assert judged.bic == pytest.approx(math.log(500) - 2 * found.ll)
    assert further.bic - judged.bic == pytest.approx(2 * math.log(500))
    assert goodness(Refusal("why")) is None


def test_the_explained_variance_is_one_of_exact_shares_and_none_of_equal_ones() -> None:
    weight = np.exp(0.5 * VALUE)
    exact = np.rint(1e6 * weight / weight.sum()).astype(int)[None]
    assert fitted(exact, VALUE[None]).r2 == pytest.approx(1, abs=1e-6)
    assert math.isnan(fitted(np.full((1, 8), 5), VALUE[None]).r2)
