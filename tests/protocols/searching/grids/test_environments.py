import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.grids.environments import _factor, adjacent_correlation, draw_environment
from protocols.searching.grids.kernels import KERNELS, Kernel
from protocols.searching.grids.places import Grid
from rig.core.errors import ConfigError


@settings(max_examples=30)
@given(st.integers(2, 9), st.integers(1, 9), st.sampled_from([0.1, 2.0, 8.0, 200.0]), st.integers(0, 99))
def test_an_environment_of_any_size_and_kernel_goes_from_0_to_1(width: int, height: int, lam: float, seed: int) -> None:
    values = draw_environment(Kernel(lam), Grid(width, height), random.Random(seed).random)
    assert values.shape == (height, width)
    assert (values.min(), values.max()) == (0, 1)
    assert np.array_equal(values, np.round(values, 4))


def test_the_same_stream_draws_the_same_environment() -> None:
    first, second, other = (
        draw_environment(KERNELS["rough"], Grid(11, 11), random.Random(seed).random) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(("name", "published", "margin"), [("smooth", 0.851, 0.03), ("rough", 0.577, 0.05)])
def test_adjacent_tiles_of_20_environments_are_as_correlated_as_the_published_ones(
    name: str, published: float, margin: float
) -> None:
    stream = random.Random(f"correlation of {name}")
    drawn = [draw_environment(KERNELS[name], Grid(11, 11), stream.random) for _ in range(20)]
    assert np.mean([adjacent_correlation(values) for values in drawn]) == pytest.approx(published, abs=margin)


def test_the_product_of_two_sides_has_the_covariances_of_the_kernel() -> None:
    kernel, grid = Kernel.of("length", 2.0), Grid(5, 4, step=0.5)
    factor = np.kron(_factor(kernel, 4, 0.5), _factor(kernel, 5, 0.5))
    np.testing.assert_allclose(factor @ factor.T, kernel.matrix(grid), atol=1e-7)


def test_one_tile_cannot_be_scaled() -> None:
    with pytest.raises(ConfigError, match="two tiles"):
        draw_environment(Kernel(1.0), Grid(1, 1), random.Random(0).random)


def test_correlation_counts_rows_and_columns() -> None:
    assert adjacent_correlation(np.array([[0.0, 1.0], [1.0, 0.0]])) == pytest.approx(-1)
    assert adjacent_correlation(np.array([[0.0, 0.1, 0.9, 1.0]])) > 0
