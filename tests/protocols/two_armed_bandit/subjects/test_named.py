"""Mice by name: sets, single mice, and what is said of wrong or double names."""

import math
import random
import statistics
from typing import Any

import pytest
from pydantic import ValidationError

from protocols.two_armed_bandit.subjects.fq import FqMouse, FqParams
from protocols.two_armed_bandit.subjects.logistic import LogisticMouse, LogisticParams
from protocols.two_armed_bandit.subjects.named import MICE, SETS, NamedMouse, NamedParams
from protocols.two_armed_bandit.subjects.q import QMouse, QParams
from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from sim_hardware.models.base import lognormal, normal
from tests.sim_hardware.models.bandit import session
from tests.tables import rows

KINDS: dict[type[NamedParams], type[NamedMouse]] = {
    RflrParams: RflrMouse,
    FqParams: FqMouse,
    LogisticParams: LogisticMouse,
    QParams: QMouse,
}
PAST = [("left", True), ("left", False), ("right", True), ("right", True), ("left", True)]


def psis(params: NamedParams) -> list[float]:
    learner = KINDS[type(params)](params).learner  # type: ignore[call-arg]
    found = []
    for side, rewarded in PAST:
        learner.observe(side, rewarded)
        found.append(learner.psi())
    return found


def test_the_default_mouse_is_that_of_the_published_80_20_set() -> None:
    params = RflrParams()
    assert (params.alpha, params.beta, params.tau, params.delta) == (0.78, 2.05, 1.43, 0.0)
    assert RflrParams(set="80-20").alpha == params.alpha


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_its_weights_and_what_is_given_overrides_them(name: Any) -> None:
    alpha, beta, tau, delta = SETS[name][:4]
    params = RflrParams(set=name)
    assert (params.alpha, params.beta, params.tau, params.delta) == (alpha, beta, tau, delta)
    assert RflrParams(set=name, tau=9.0) == RflrParams(set=name, alpha=alpha, beta=beta, tau=9.0)


@pytest.mark.parametrize("name", MICE)
def test_a_mouse_has_its_weights_habits_and_bias_in_every_model(name: Any) -> None:
    params = RflrParams(mouse=name)
    weights = (params.alpha, params.beta, params.tau, params.delta, params.alpha2, params.slow)
    assert (*weights, params.bias_sd, params.gain_sd) == MICE[name]
    for other in (FqParams(mouse=name), LogisticParams(mouse=name)):
        assert psis(other) == pytest.approx(psis(params), abs=1e-9)
    assert psis(QParams(mouse=name)) == pytest.approx(psis(params), abs=0.1)


@pytest.mark.parametrize(
    ("name", "k", "temperature"), [("90-10", 0.551, 0.299), ("80-20", 0.503, 0.245), ("70-30", 0.478, 0.249)]
)
def test_the_forgetting_learners_of_the_sets_are_the_exact_map(name: Any, k: float, temperature: float) -> None:
    params = FqParams(set=name)
    assert params.k == pytest.approx(k, abs=0.001)
    assert pytest.approx(temperature, abs=0.001) == params.T
    assert psis(params) == pytest.approx(psis(RflrParams(set=name)), abs=1e-9)


def test_without_a_name_the_forgetting_learner_is_the_default_mouse() -> None:
    assert psis(FqParams()) == pytest.approx(psis(RflrParams()), abs=1e-9)


def test_the_regression_has_the_published_bias_and_five_rewards_by_default() -> None:
    params = LogisticParams()
    assert params.delta == 0.04
    assert params.alpha == (0.78,)
    assert params.beta == pytest.approx([2.05 * math.exp(-age / 1.43) for age in range(5)])
    assert psis(params) == pytest.approx([psi + 0.04 for psi in psis(RflrParams())], abs=1e-9)


def test_lists_are_given_with_commas() -> None:
    params = LogisticParams.model_validate({"alpha": "1,.5", "beta": "2, 1,", "gamma": "", "delta": "0"})
    assert (params.alpha, params.beta, params.gamma, params.delta) == ((1.0, 0.5), (2.0, 1.0), (), 0.0)


@rows("given", "places")
def test_wrong_names_and_values_are_mistakes_at_their_place(given: dict[str, str], places: list[str]) -> None:
    with pytest.raises(ValidationError) as caught:
        RflrParams.model_validate(given)
    assert [str(mistake["loc"][0]) for mistake in caught.value.errors()] == places


@pytest.mark.parametrize("text", ["1,two", "1e9", "nan", "1;2"])
def test_a_list_of_something_else_is_a_mistake(text: str) -> None:
    with pytest.raises(ValidationError, match="beta"):
        LogisticParams.model_validate({"beta": text})


def test_a_greedy_mouse_goes_where_the_evidence_is() -> None:
    learner = RflrMouse(RflrParams(policy="greedy")).learner
    learner.observe("right", True)
    assert learner.p_left() == 0.0


def test_six_mice_with_their_individuality_differ_as_real_ones_do() -> None:
    draw = random.Random(3)
    sessions = []
    for number in range(240):
        name: Any = list(MICE)[number % 6]
        params = RflrParams(mouse=name)
        learner = RflrMouse(params).learner
        learner.begin_day(params.bias_sd * normal(draw), lognormal(draw, 1.0, params.gain_sd))
        sessions.append(session(learner, draw))
    assert statistics.stdev(played.p_high for played in sessions) == pytest.approx(0.068, abs=0.015)
    early = [switched for played in sessions for switched in played.switches[:9]]
    settled = [switched for played in sessions for switched in played.switches[19:39]]
    assert statistics.fmean(early) == pytest.approx(0.25, abs=0.06)
    assert statistics.fmean(settled) == pytest.approx(0.08, abs=0.03)
