import math

import pytest

from protocols.two_armed_bandit.analysis import agents, hmm, learners
from protocols.two_armed_bandit.analysis.hmm import Hmm
from protocols.two_armed_bandit.analysis.simulate import TaskCondition
from protocols.two_armed_bandit.analysis.surface import P, Q, surface
from rig.analysis.common.maximum import log_likelihood

WORLD = TaskCondition(0.81, 0.19, 0.95)


@pytest.fixture(scope="module")
def thompson() -> agents.Stack:
    return agents.run(agents.believer(12, 0.81, 0.95, hmm.thompson), WORLD, 12, 300, seed=3)


def test_temperature_1_is_thompsons_policy(thompson: agents.Stack) -> None:
    found = surface(thompson, WORLD)
    row, column = 10, 9
    psi = hmm.log_odds(thompson, Hmm(float(P[row]), float(Q[column])), hmm.thompson)
    wanted = log_likelihood((thompson.choice * psi)[thompson.from_trial(2)]).mean()
    assert found.ll[3, row, column] == pytest.approx(wanted)


def test_the_best_place_is_where_the_choices_came_from(thompson: agents.Stack) -> None:
    best = surface(thompson, WORLD).best
    assert best.p == pytest.approx(0.81, abs=0.061)
    assert best.q == pytest.approx(0.95, abs=0.06)
    assert 0.75 <= best.temperature <= 1.5


def test_the_tasks_own_values_are_scored_at_every_temperature(thompson: agents.Stack) -> None:
    found = surface(thompson, WORLD)
    assert [each.temperature for each in found.at_truth] == found.temperature.tolist()
    assert all((each.p, each.q) == (0.81, 0.95) for each in found.at_truth)
    assert max(each.ll for each in found.at_truth) == found.at_truth[3].ll


def test_the_fit_of_a_temperature_is_as_likely_as_the_truth(thompson: agents.Stack) -> None:
    made = agents.run(agents.believer(30, 0.8, 0.95, hmm.softmax(0.6)), WORLD, 30, 400, seed=5)
    found = learners.fit_softmax_hmm(made)

    def likelihood(model: learners.SoftmaxHmm) -> float:
        psi = learners.softmax_hmm_log_odds(made, model)
        return float(log_likelihood((made.choice * psi)[made.from_trial(2)]).mean())

    truth = learners.SoftmaxHmm(0.8, 0.95, 0.6)
    assert likelihood(truth) <= likelihood(found) < likelihood(truth) + 0.001
    assert found.temperature < 0.8  # p and the temperature weigh evidence alike: only their ratio is certain
    weight = math.log(found.p / (1 - found.p)) / found.temperature
    assert weight == pytest.approx(math.log(4) / 0.6, rel=0.15)
