"""The fast likelihood against the choice rules that virtual participants use."""

import numpy as np
import pytest

from protocols.searching.analysis.fit_problems import GRID_RULES, model_round, risky_rules
from protocols.searching.analysis.models import LEAST_P, MODELS, fixed_values, log_likelihood, strategy_of
from protocols.searching.grids.choice_rules import near, nonnegative, scaled, softmax, strategy_values
from protocols.searching.grids.gaussian_process import beliefs_over_time
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid
from tests.protocols.searching.analysis.made import SMALL, made_round, risky_round

ROUND = made_round([0, 1, 7, 7, 24, 3], [60, 30, 80, 79, 10, 50])
OWN = model_round(ROUND, GRID_RULES, risky=False)
BELIEFS = beliefs_over_time(Kernel.of("length", 1.3).matrix(SMALL), OWN.seen.tolist(), OWN.values.tolist())
MEAN, SD = BELIEFS.mean[1:], BELIEFS.sd[1:]


def by_rules(probabilities: np.ndarray) -> float:
    p = probabilities[np.arange(len(OWN.chosen)), OWN.chosen]
    return float(np.log(np.clip(p, LEAST_P, 1 - LEAST_P)).sum())


def test_a_click_is_predicted_from_what_came_before_it() -> None:
    assert OWN.seen.tolist() == [0, 1, 7, 7, 24]
    assert OWN.chosen.tolist() == [1, 7, 7, 24, 3]
    assert OWN.values.tolist() == pytest.approx([0.1, -0.2, 0.3, 0.29, -0.4])
    assert OWN.best.tolist() == pytest.approx([0.1, 0.1, 0.3, 0.3, 0.3])


@pytest.mark.parametrize("tau", [0.0067, 0.1, 140.0])
@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("strategy", ["vg", "mg", "ucb"])
def test_the_likelihood_is_that_of_the_choice_rules(strategy: str, local: bool, tau: float) -> None:
    model = MODELS[f"{'local_' if local else ''}gp_{strategy}"]
    found = log_likelihood(
        strategy_of(model, OWN, MEAN, SD, 0.5),
        OWN,
        tau,
        GRID_RULES,
        SMALL.inverse_manhattan[OWN.seen] if local else None,
    )
    values = nonnegative(strategy_values(model.strategy, MEAN, SD, beta=0.5))
    values = near(values, SMALL, OWN.seen) if local else values
    assert found == pytest.approx(by_rules(softmax(scaled(values, "round"), tau)), abs=1e-9)


@pytest.mark.parametrize("strategy", ["pos", "poi", "lcb"])
def test_the_values_of_risky_strategies_are_those_of_the_choice_rules(strategy: str) -> None:
    own = OWN._replace(threshold=0.05)
    found = strategy_of(MODELS[f"gp_{strategy}"], own, MEAN, SD, 0.5)
    thresholds = np.full(len(MEAN), own.threshold)
    expected = strategy_values(
        MODELS[f"gp_{strategy}"].strategy, MEAN, SD, beta=0.5, threshold=thresholds, best=own.best
    )
    assert found == pytest.approx(expected, abs=1e-9)


def test_models_without_a_belief_value_the_near_and_the_allowed_tiles() -> None:
    assert fixed_values(MODELS["local_search"], SMALL, OWN)[0].tolist() == SMALL.inverse_manhattan[0].tolist()
    assert fixed_values(MODELS["wsls"], SMALL, OWN)[0].tolist() == [1.0, 1.0, 0, 0, 0, 1.0, *[0] * 19]


def test_rewards_and_thresholds_of_the_risky_line_are_standardized_alike() -> None:
    own = model_round(risky_round([10, 11], [7.5, 2.5], 5.0), risky_rules(Grid(21)), risky=True)
    assert (own.values.tolist(), own.threshold, own.block) == ([1.0], 0.0, "risky")


def test_parameters_have_the_names_of_the_papers() -> None:
    names = {name: MODELS[name].parameters for name in ("gp_ucb", "local_gp_mg", "option_lcb", "wsls")}
    assert names == {
        "gp_ucb": ("lambda", "beta", "tau"),
        "local_gp_mg": ("lambda", "tau"),
        "option_lcb": ("error_sd", "beta", "tau"),
        "wsls": ("tau",),
    }
