"""Cross-validated fits: what is left out, and that the search finds the maximum."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from protocols.searching.analysis import cross_validation
from protocols.searching.analysis.beliefs import NODES, BlockBeliefs
from protocols.searching.analysis.cross_validation import Problem, _Block, cross_validate, in_sample
from protocols.searching.analysis.fit_problems import GRID_RULES, problems
from protocols.searching.analysis.models import BOUND, MODELS
from protocols.searching.grids.gaussian_process import GaussianProcess
from protocols.searching.grids.kernels import Kernel
from tests.protocols.searching.analysis.made import SMALL, made_round, person, risky_round, simulated


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_validation, "LEARNER_AXIS", np.arange(-2, 2.01, 1))
    monkeypatch.setattr(cross_validation, "BETA_AXIS", np.arange(-3, 3.01, 1))
    monkeypatch.setattr(cross_validation, "POLISHING_STEPS", 40)


def problem_of(model: str, *rounds: Any) -> Problem:
    return next(iter(problems(person(*rounds), [model], risky=False)))


SHORT = made_round([0, 1, 2, 7, 7, 6], [50, 60, 75, 90, 91, 70])
OTHER = made_round([12, 13, 13, 8, 3, 4], [40, 66, 65, 70, 20, 30])


def test_every_round_is_left_out_once_within_its_horizon() -> None:
    longer = [made_round([*each.tile, 3], [*each.drawn, 44]) for each in (SHORT, OTHER)]
    folds = cross_validate(problem_of("local_search", SHORT, OTHER, *longer))
    assert [(fold.block, fold.round, fold.clicks) for fold in folds] == [
        ("5", 1, 5),
        ("5", 2, 5),
        ("6", 3, 6),
        ("6", 4, 6),
    ]


def test_a_block_with_one_round_has_no_fold() -> None:
    assert cross_validate(problem_of("local_search", SHORT)) == ()


def test_risky_and_safe_rounds_are_cross_validated_apart() -> None:
    risky = risky_round([10, 11, 12], [7, 8, 6], 5.0)
    rounds = [replace(risky, risky=number < 2) for number in range(4)]
    own = next(iter(problems(person(*rounds), ["option_mg"], risky=True)))
    assert [fold.block for fold in cross_validate(own)] == ["risky", "risky", "safe", "safe"]


def test_the_round_left_out_has_no_part_in_its_parameters() -> None:
    changed = made_round([12, 0, 24, 4, 20, 2], [1, 2, 3, 4, 5, 6])
    first, second = (cross_validate(problem_of("local_search", SHORT, OTHER, last))[2] for last in (SHORT, changed))
    assert first.parameters == second.parameters
    assert first.ll != second.ll


def test_beliefs_before_each_click_are_those_of_one_process_after_another_observation() -> None:
    own = problem_of("gp_ucb", SHORT).rounds
    beliefs = BlockBeliefs(SMALL, GRID_RULES, MODELS["gp_ucb"], own)
    process = GaussianProcess(Kernel.of("length", 1.5).matrix(SMALL))
    (found,) = beliefs.at(math.log(1.5))
    for click, (tile, value) in enumerate(zip(own[0].seen, own[0].values, strict=True)):
        process.observe(int(tile), float(value))
        assert found.mean[click] == pytest.approx(process.mean, abs=1e-9)
        assert found.sd[click] == pytest.approx(process.sd, abs=1e-9)


def test_the_nearest_of_the_kernels_is_computed_once_and_exact() -> None:
    beliefs = BlockBeliefs(SMALL, GRID_RULES, MODELS["gp_ucb"], problem_of("gp_ucb", SHORT).rounds)
    step = 2 * BOUND / NODES
    assert beliefs.nearest(0.4 * step) is beliefs.nearest(-0.4 * step)
    assert beliefs.nearest(0.4 * step)[0].mean == pytest.approx(beliefs.at(0.0)[0].mean)
    assert beliefs.nearest(-BOUND)[0].sd == pytest.approx(beliefs.at(-BOUND)[0].sd)


def test_one_parameter_is_at_the_maximum_of_its_likelihood() -> None:
    own = problem_of("local_search", SHORT, OTHER)
    fit = _Block(own, own.rounds)
    grid = np.linspace(-BOUND, BOUND, 2001)
    best = max(fit.exact(np.array([at]), (0, 1)) for at in grid)
    assert in_sample(own).ll == pytest.approx(best, abs=1e-4)


def test_the_search_is_as_good_as_a_scan_of_many_parameters() -> None:
    own = problem_of("gp_ucb", SHORT, OTHER)
    fit = _Block(own, own.rounds)
    axis = np.linspace(-4, 4, 5)
    best = max(fit.exact(np.array([a, b, c]), (0, 1)) for a in axis for b in axis for c in axis)
    found = in_sample(own)
    assert found.ll >= best - 1e-6
    assert in_sample(own) == found


@pytest.mark.campaign
def test_the_parameters_of_a_simulated_person_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    own = next(iter(problems(simulated("local_gp_ucb"), ["local_gp_ucb"], risky=False)))
    found = in_sample(own).parameters
    assert found["lambda"] == pytest.approx(0.78, rel=0.5)
    assert found["beta"] == pytest.approx(0.48, rel=0.3)
    assert found["tau"] == pytest.approx(0.135, rel=0.4)
