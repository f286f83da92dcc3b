import numpy as np
import pytest

from protocols.disk_bandit.analysis.return_splines import FEWEST_STEPS, POINTS, return_splines
from protocols.disk_bandit.analysis.returns import STEPS, Return
from rig.analysis.common.arrays import Floats, Ints


def made(share: Floats, n: Ints) -> Return:
    since_s = (np.arange(STEPS) + 0.5) * 0.4
    return Return(3.0, since_s, n, share, np.full(STEPS, 0.1), (), np.array([share, share]), np.array([n, 0 * n]))


def test_a_dip_and_a_peak_are_kept_and_noise_is_not() -> None:
    since_s = (np.arange(STEPS) + 0.5) * 0.4
    true = 0.3 - 0.25 * np.exp(-(((since_s - 1.5) / 0.8) ** 2)) + 0.3 * np.exp(-(((since_s - 4) / 1) ** 2))
    noisy = true + np.random.default_rng(1).normal(0, 0.03, STEPS)
    (found,) = return_splines([made(noisy, np.full(STEPS, 200))])
    wanted = np.interp(found.since_s, since_s, true)
    assert len(found.share) == POINTS
    assert np.sqrt(np.mean((found.share - wanted) ** 2)) < 0.03
    assert found.since_s[found.share.argmin()] == pytest.approx(1.5, abs=0.5)
    assert found.since_s[found.share.argmax()] == pytest.approx(4, abs=0.5)


def test_steps_of_many_pecks_count_more() -> None:
    share, n = np.full(STEPS, 0.3), np.full(STEPS, 1000)
    share[10], n[10] = 1.0, 1
    (found,) = return_splines([made(share, n)])
    assert np.all(np.abs(found.share - 0.3) < 0.02)


def test_it_stays_a_share_and_ends_where_the_pecks_end() -> None:
    share, n = np.zeros(STEPS), np.full(STEPS, 100)
    share[10:], n[:3] = 1.0, 0
    (found,) = return_splines([made(share, n)])
    inside = found.since_s >= 3.5 * 0.4
    assert np.isnan(found.share[~inside]).all()
    assert found.share[inside].min() >= 0
    assert found.share[inside].max() <= 1


def test_a_subject_with_few_steps_has_none() -> None:
    n = np.zeros(STEPS, int)
    n[: FEWEST_STEPS - 1] = 50
    (found,) = return_splines([made(np.full(STEPS, 0.3), n)])
    assert np.isnan(found.share).all()
    assert np.isnan(found.own).all()
