import math

import pytest

from protocols.searching.grids.kernels import KERNELS, Kernel, Reading, read_kernel
from protocols.searching.grids.places import Grid
from rig.core.errors import ConfigError


@pytest.mark.parametrize("length", [0.5, 1.0, 2.0])
def test_lambda_is_two_squared_lengths(length: float) -> None:
    kernel = Kernel.of("length", length)
    assert kernel == Kernel.of("lambda", 2 * length**2)
    assert kernel.length == pytest.approx(length)


def test_smooth_and_rough_are_those_of_the_paper() -> None:
    grid = Grid(11, 11)
    assert KERNELS["smooth"].matrix(grid)[0, 1] == pytest.approx(math.exp(-1 / 8))
    assert KERNELS["rough"].matrix(grid)[0, 1] == pytest.approx(math.exp(-1 / 2))


@pytest.mark.parametrize(("reading", "divisor"), [("footnote", 2), ("wu", 8), ("unit", 200)])
def test_lambda_2_on_the_risky_grid_has_three_readings(reading: Reading, divisor: float) -> None:
    grid = Grid(11, 11)
    assert read_kernel(reading, 2.0, grid).matrix(grid)[0, 1] == pytest.approx(math.exp(-1 / divisor))


@pytest.mark.parametrize(("reading", "divisor"), [("footnote", 1), ("wu", 2), ("unit", 100)])
def test_lambda_1_on_the_risky_line_is_in_units_of_its_axis(reading: Reading, divisor: float) -> None:
    line = Grid(21, step=0.5)
    assert read_kernel(reading, 1.0, line).matrix(line)[0, 2] == pytest.approx(math.exp(-1 / divisor))


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_an_impossible_kernel_is_refused(value: float) -> None:
    with pytest.raises(ConfigError, match="wanted a number above 0"):
        Kernel.of("length", value)


@pytest.mark.parametrize("value", [1e-200, 1e200])
def test_a_kernel_beyond_the_range_of_numbers_is_refused(value: float) -> None:
    with pytest.raises(ConfigError, match=r"its lambda would be .* wanted 1e-12 to 1e\+12"):
        Kernel.of("length", value)
