"""People simulated with a model, and that their own model predicts them best."""

import numpy as np
import pytest

from protocols.searching.analysis.fits import FitSettings
from protocols.searching.analysis.played import policy_of
from protocols.searching.analysis.recovery import GRID_SIZE, RECOVERED, recovery, simulated_person


@pytest.mark.parametrize("name", RECOVERED)
def test_each_model_gives_a_probability_to_every_tile(name: str) -> None:
    policy = policy_of(name, RECOVERED[name])
    policy.start_round(GRID_SIZE)
    for tile, reward in ((3, 0.1), (40, -0.2), (3, 0.15)):
        policy.observe(tile, reward)
    p = policy.probabilities(-np.inf)
    assert p.shape == (121,)
    assert p.sum() == pytest.approx(1)


def test_the_same_seed_simulates_the_same_person() -> None:
    first, second = (simulated_person("local_search", 0, "rough", np.random.default_rng(4)) for _ in range(2))
    assert [each.horizon for each in first.rounds] == [20, 40] * 4
    assert all((a.tile == b.tile).all() for a, b in zip(first.rounds, second.rounds, strict=True))


@pytest.mark.campaign
def test_the_right_model_predicts_four_of_five_people_best() -> None:
    found = recovery(10, "smooth", 1, FitSettings((), 2))
    assert found.counts.sum(axis=1).tolist() == [10] * 5
    assert found.right >= 0.8
