from collections.abc import Iterator

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis import agents
from protocols.two_armed_bandit.analysis.generative import SUBJECTS, generative, played
from protocols.two_armed_bandit.analysis.likelihood import NGRAM, ScoredModel, fitted
from protocols.two_armed_bandit.analysis.rates import resamples
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats

WORLD = TaskCondition(0.8, 0.2)


@pytest.fixture(scope="module")
def train() -> Stack:
    each = (np.full(8, value) for value in (0.78, 2.05, 1.43))
    return simulate(*each, WORLD, 200, seed=1)


@pytest.fixture(scope="module")
def models(train: Stack) -> list[ScoredModel]:
    return list(fitted(train))


def agent_of(model: ScoredModel, train: Stack, sessions: int) -> agents.Agent:
    if model.name == NGRAM:
        return agents.ngram(sessions, agents.table_of(train))
    return agents.agent_of(model.name, model.parameters, sessions)


def walked(agent: agents.Agent, stack: Stack) -> Iterator[Floats]:
    yield next(agent)
    for trial in range(stack.longest - 1):
        yield agent.send((stack.choice[:, trial], stack.reward[:, trial]))


def test_every_agent_chooses_by_the_model_that_was_fitted(train: Stack, models: list[ScoredModel]) -> None:
    test = simulate(np.full(5, 1.1), np.full(5, 1.9), np.full(5, 1.5), WORLD, 60, seed=2)
    for model in models:
        own = np.stack(list(walked(agent_of(model, train, 5), test)), axis=1)
        np.testing.assert_allclose(own, model.walk(test), atol=1e-9, err_msg=model.name)


def test_fitted_policies_do_at_the_task_what_the_paper_says(train: Stack, models: list[ScoredModel]) -> None:
    found = {each.name: each for each in generative(models, train, WORLD, seed=1, count=10)}
    reward = {name: each.rates["reward_rate"] for name, each in found.items()}
    assert reward["hmm_greedy"] > reward["rflr"] > reward["random"] == pytest.approx(0.5, abs=0.005)
    assert found["fq"].rates == found["rflr"].rates
    assert found["wsls"].rates["rewards_per_switch"] == pytest.approx(2.06, abs=0.05)
    assert found["wsls"].rates["p_switch_after_none"] == pytest.approx(1, abs=1e-3)
    assert 0 < found["rflr"].reward_se < 0.002


def test_one_session_has_no_spread(train: Stack) -> None:
    found = played(SUBJECTS, train.rows(np.array([0])), resamples(1, seed=1))
    assert np.isnan(found.reward_se)
    assert np.isnan(found.p_high_sd)
