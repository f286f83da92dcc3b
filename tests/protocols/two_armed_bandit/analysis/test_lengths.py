import math

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis import regression
from protocols.two_armed_bandit.analysis.lengths import HistoryLengths, history_lengths
from protocols.two_armed_bandit.analysis.regression import USUAL
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.maximum import log_likelihood


def mice(sessions: int, seed: int) -> Stack:
    each = (np.full(sessions, value) for value in (0.78, 2.05, 1.43))
    return simulate(*each, TaskCondition(0.8, 0.2), 300, seed)


@pytest.fixture(scope="module")
def found() -> HistoryLengths:
    return history_lengths(mice(20, 1), mice(10, 2))


def test_without_history_the_table_is_the_share_of_left(found: HistoryLengths) -> None:
    train = mice(20, 1)
    left = float((train.choice > 0).mean())
    scored = train.choice[:, 6:] > 0
    wanted = math.log(left) * scored.mean() + math.log(1 - left) * (1 - scored.mean())
    assert (found.words[0].length, found.words[0].words) == (0, 1)
    assert found.words[0].ll_train == pytest.approx(wanted)


def test_longer_words_fit_the_training_sessions_better_and_in_the_end_others_worse(found: HistoryLengths) -> None:
    train = [each.ll_train for each in found.words]
    test = [each.ll_test for each in found.words]
    assert train == sorted(train)
    assert test[0] < test[1] < test[3]
    assert test[6] < max(test)


def test_the_usual_lags_are_those_of_the_regression(found: HistoryLengths) -> None:
    (usual,) = (each for each in found.rewarded_choices if each.lags == USUAL)
    train, test = mice(20, 1), mice(10, 2)
    psi = regression.log_odds(test, regression.fit(train))
    assert usual.ll_test == pytest.approx(log_likelihood((test.choice * psi)[test.from_trial(2)]).mean())
    assert [each.lags.choices for each in found.choices] == list(range(7))
    assert len(usual.weights) == 7


def test_rewarded_choices_matter_more_than_rewards(found: HistoryLengths) -> None:
    without, last = found.rewarded_choices[0].ll_test, found.rewarded_choices[5].ll_test
    assert last - without > 10 * abs(found.rewards[5].ll_test - found.rewards[0].ll_test)
