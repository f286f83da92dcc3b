import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from protocols.searching.grids.gaussian_process import GaussianProcess, beliefs_over_time
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid

GRID = Grid(11, 11)


def test_an_observed_tile_is_believed_to_give_what_it_gave() -> None:
    process = GaussianProcess(Kernel.of("length", 1.0).matrix(GRID))
    process.observe(0, 0.4)
    assert process.mean[0] == pytest.approx(0.4, abs=1e-3)
    assert process.sd[0] ** 2 == pytest.approx(0, abs=1e-3)


def test_far_from_all_observations_the_prior_holds() -> None:
    process = GaussianProcess(Kernel.of("length", 1.0).matrix(GRID))
    process.observe(GRID.tile(0, 0), 0.4)
    far = GRID.tile(10, 10)
    assert process.mean[far] == pytest.approx(0, abs=1e-9)
    assert process.sd[far] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("sets", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_beliefs_are_those_of_scikit_learn_in_random_sets(sets: int) -> None:
    stream = random.Random(7)
    places = np.column_stack([GRID.x, GRID.y]).astype(float)
    for _ in range(sets):
        length, noise = 0.3 + 3 * stream.random(), 10 ** (-4 + 3 * stream.random())
        # With replacement: people click tiles again.
        tiles = [int(GRID.count * stream.random()) for _ in range(1 + int(40 * stream.random()))]
        values = [stream.random() - 0.5 for _ in tiles]
        theirs = GaussianProcessRegressor(RBF(length), alpha=noise, optimizer=None)
        mean, sd = theirs.fit(places[tiles], np.array(values)).predict(places, return_std=True)
        ours = GaussianProcess(Kernel.of("length", length).matrix(GRID), noise)
        for tile, value in zip(tiles, values, strict=True):
            ours.observe(tile, value)
        assert np.max(np.abs(ours.mean - mean)) < 1e-6
        assert np.max(np.abs(ours.sd - sd)) < 1e-6


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 19), st.floats(-1, 1)), max_size=12), st.floats(0.3, 3.0))
def test_one_factorization_gives_the_beliefs_after_every_observation(
    seen: list[tuple[int, float]], length: float
) -> None:
    prior = Kernel.of("length", length).matrix(Grid(5, 4))
    process = GaussianProcess(prior)
    mean, sd = beliefs_over_time(prior, [tile for tile, _ in seen], [value for _, value in seen])
    assert mean.shape == sd.shape == (len(seen) + 1, 20)
    for number, (tile, value) in enumerate([(-1, 0.0), *seen]):
        if tile >= 0:
            process.observe(tile, value)
        np.testing.assert_allclose(mean[number], process.mean, atol=1e-7)
        np.testing.assert_allclose(sd[number], process.sd, atol=1e-5)
