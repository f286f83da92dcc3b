import random

import numpy as np
import pytest

from protocols.searching.grids.places import Grid
from protocols.searching.grids.policies import RandomPolicy
from protocols.searching.grids.reward_scales import GRID, RewardScale
from protocols.searching.grids.simulation import simulate_round
from tests.protocols.searching.grids.published import CLICKS, RISKY_TILES, curves, risky


def test_a_round_begins_at_the_revealed_tile_and_gives_the_values_of_the_tiles() -> None:
    grid, values = Grid(3, 2), np.arange(6.0)
    played = simulate_round(RandomPolicy(), grid, values, GRID, first=4, clicks=20, random=random.Random(1).random)
    assert played.tiles[0] == 4
    assert len(played.tiles) == 21
    assert played.rewards == [values[tile] for tile in played.tiles]
    assert not played.lost


def test_a_reward_below_the_line_ends_a_round_and_one_on_it_does_not() -> None:
    scale = RewardScale(0, 1, 0.01)
    on = simulate_round(
        RandomPolicy(), Grid(2), np.ones(2), scale, first=0, clicks=9, random=random.Random(1).random, threshold=1.0
    )
    below = simulate_round(
        RandomPolicy(), Grid(2), np.ones(2), scale, first=0, clicks=9, random=random.Random(1).random, threshold=1.1
    )
    assert (len(on.tiles), on.lost) == (10, False)
    assert (len(below.tiles), below.lost) == (2, True)


def test_a_safe_round_goes_on_below_the_line() -> None:
    played = simulate_round(
        RandomPolicy(),
        Grid(2),
        np.ones(2),
        RewardScale(0, 1, 0.01),
        first=0,
        clicks=9,
        random=random.Random(1).random,
        threshold=1.1,
        safe=True,
    )
    assert (len(played.tiles), played.lost) == (10, False)


def test_noise_is_drawn_anew_for_each_click() -> None:
    values = np.zeros(2)
    stream = random.Random(1).random
    played = simulate_round(RandomPolicy(), Grid(2), values, GRID, first=0, clicks=400, random=stream, noise_sd=2.0)
    assert np.std(played.rewards) == pytest.approx(2, abs=0.25)


# Reference simulations with the same rows of parameters, at new environments.
# Local search: with both axes in its distances, which the released simulation lacks.
SIMULATED = {
    "random": ((50, 50, 50), (83.1, 89.1, 93.7)),
    "local search": ((50, 49.7, 49.4), (None, None, 90.3)),
    "GP-UCB": ((66.2, 68.5, 65.3), (87.8, 95.2, 99.3)),
    "Local GP-UCB": ((56.2, 58.0, 62.0), (81.4, 89.7, 95.9)),
}


@pytest.mark.campaign
@pytest.mark.parametrize("name", SIMULATED)
def test_mean_and_largest_reward_at_trials_10_20_and_41_are_those_of_reference_simulations(name: str) -> None:
    found = curves(name, rounds=3000)
    for published, measured in zip(SIMULATED[name], (found.mean, found.largest), strict=True):
        for trial, value in zip((10, 20, CLICKS + 1), published, strict=True):
            assert value is None or measured[trial - 1] == pytest.approx(value, abs=2)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("tau", "score", "trials", "full"), [(0.02, 7.16, 9.5, 0.93), (0.05, 6.79, 9.1, 0.84), (0.1, 4.96, 6.9, 0.50)]
)
def test_a_careful_participant_survives_as_in_reference_simulations(
    tau: float, score: float, trials: float, full: float
) -> None:
    found = risky("pos", rounds=3000, tau=tau)
    assert found.score == pytest.approx(score, abs=0.3)
    assert found.clicks == pytest.approx(trials, abs=0.5)
    assert found.full == pytest.approx(full, abs=0.08)


def test_a_random_participant_soon_loses_a_risky_round() -> None:
    found = risky(None, rounds=300)
    assert found.clicks <= 2
    assert found.full == 0


@pytest.mark.campaign
def test_a_careful_participant_survives_on_the_risky_grid_as_in_a_reference_simulation() -> None:
    careful, careless = (risky(strategy, 2000, RISKY_TILES, tau=0.05) for strategy in ("pos", None))
    assert careful.clicks == pytest.approx(9.0, abs=0.5)
    assert careful.kept == pytest.approx(67.7, abs=2)
    assert careless.clicks == pytest.approx(2.26, abs=0.3)
