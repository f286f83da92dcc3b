"""People simulated with a model, and that their own model predicts them best."""

import numpy as np
import pytest

from rig.analysis.grids.fits import FitSettings
from rig.analysis.grids.recovery import GRID_SIZE, RECOVERED, choices, recovery, simulated_person
from rig.grids.gaussian_process import GaussianProcess
from rig.grids.kernels import Kernel


@pytest.mark.parametrize("name", RECOVERED)
def test_each_model_gives_a_probability_to_every_tile(name: str) -> None:
    p = choices(name, GRID_SIZE)([3, 40, 3], [0.1, -0.2, 0.15])
    assert p.shape == (121,)
    if name != "wsls":
        assert p.sum() == pytest.approx(1)


def test_a_belief_is_that_after_the_last_observation() -> None:
    process = GaussianProcess(Kernel.of("length", RECOVERED["gp_ucb"]["lambda"]).matrix(GRID_SIZE))
    for tile, value in ((3, 0.1), (40, 0.4)):
        process.observe(tile, value)
    value = process.mean + RECOVERED["gp_ucb"]["beta"] * process.sd
    likely = int(np.argmax(choices("gp_ucb", GRID_SIZE)([3, 40], [0.1, 0.4])))
    assert value[likely] == pytest.approx(value.max())


def test_the_same_seed_simulates_the_same_person() -> None:
    first, second = (simulated_person("local_search", 0, "rough", np.random.default_rng(4)) for _ in range(2))
    assert [each.horizon for each in first.rounds] == [20, 40] * 4
    assert all((a.tile == b.tile).all() for a, b in zip(first.rounds, second.rounds, strict=True))


@pytest.mark.campaign
def test_the_right_model_predicts_four_of_five_people_best() -> None:
    found = recovery(10, "smooth", 1, FitSettings((), 2))
    assert found.counts.sum(axis=1).tolist() == [10] * 5
    assert found.right >= 0.8
