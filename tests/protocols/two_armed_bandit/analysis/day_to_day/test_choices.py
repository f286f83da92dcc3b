"""Weights and days of a learner that are known, found again from its choices."""

import random

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.day_to_day import choices
from protocols.two_armed_bandit.analysis.day_to_day.choices import best_fits, fit_mouse
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.subjects.learners.base import SLOW_TRIALS, Habit
from protocols.two_armed_bandit.subjects.learners.value_learning import RecursiveLogistic
from sim_hardware.models.base import lognormal, normal
from tests.sim_hardware.models.bandit import session

SIGN = {"left": 1.0, "right": -1.0}


def days_of_a_mouse(count: int, seed: int) -> Stack:
    """Return sessions of one mouse, whose days differ."""
    draw = random.Random(seed)
    choice, reward, high = [], [], []
    for _ in range(count):
        learner = RecursiveLogistic(0.8, 2.2, 1.4, bias=0.2)
        learner.habit = Habit(alpha2=-0.5, slow=0.6)
        learner.begin_day(0.4 * normal(draw), lognormal(draw, 1.0, 0.2))
        played = session(learner, draw)
        choice.append([SIGN[side] for side in played.sides])
        reward.append(played.rewarded)
        high.append([SIGN[side] for side in played.high])
    lengths = np.full(count, len(choice[0]))
    return Stack(np.array(choice), np.array(reward, float), np.array(high), lengths, np.zeros(count, np.int64))


def test_the_weights_and_the_spread_of_days_are_found_again() -> None:
    fit = fit_mouse(days_of_a_mouse(60, 3), SLOW_TRIALS)
    assert (fit.alpha, fit.beta, fit.tau) == pytest.approx((0.8, 2.2, 1.4), rel=0.15)
    assert (fit.alpha2, fit.slow, fit.delta) == pytest.approx((-0.5, 0.6, 0.2), abs=0.2)
    assert fit.bias_sd == pytest.approx(0.4, rel=0.3)
    assert fit.gain_sd == pytest.approx(0.2, rel=0.4)


def test_the_common_time_constant_is_the_likeliest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "ROUNDS", 3)
    monkeypatch.setattr(choices, "SLOW_TRIALS", (2.0, 20.0))
    stacks = {name: days_of_a_mouse(25, seed) for name, seed in (("a", 1), ("b", 2))}
    trials, fits = best_fits(stacks)
    assert trials == 20.0
    assert set(fits) == {"a", "b"}
