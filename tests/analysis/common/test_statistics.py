import math

import numpy as np
import pytest

from rig.analysis.common.statistics import kolmogorov_smirnov, kruskal_wallis, line, spearman, two_way

NAN = math.nan


def test_kruskal_wallis_of_a_small_table_is_what_a_hand_finds() -> None:
    # ranks 1 2 | 3 4 | 5 6: H = 12/42 (9/2 + 49/2 + 121/2) - 21
    found = kruskal_wallis(np.array([1.0, 2, 3, 4, 5, 6, NAN]), np.array([1.0, 1, 2, 2, 3, 3, 4]))
    assert found is not None
    assert (found.n, found.df) == (6, 2)
    assert found.h == pytest.approx(12 / 42 * 89.5 - 21)
    assert found.p == pytest.approx(math.exp(-found.h / 2))
    assert found.eta2 == pytest.approx(found.h / 5)


def test_degrees_of_freedom_are_those_of_the_test_and_give_the_printed_probability() -> None:
    from scipy.stats import chi2

    assert chi2.sf(58.45, 59) == pytest.approx(0.495, abs=0.001)
    values, groups = np.arange(115.0), np.repeat(np.arange(5.0), 23)
    found = kruskal_wallis(values, groups)
    assert found is not None
    assert (found.df, found.n - 1) == (4, 114)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 1.0], [NAN, 2.0], [1.0, 2.0, 3.0]])
def test_what_cannot_be_compared_has_no_test(values: list[float]) -> None:
    assert kruskal_wallis(np.array(values), np.arange(float(len(values)))) is None


def test_kolmogorov_and_smirnov_find_the_largest_distance() -> None:
    found = kolmogorov_smirnov(np.array([1.0, 2, 3, 4]), np.array([3.0, 4, 5, 6, NAN]))
    assert found is not None
    assert (found.n, found.d) == ((4, 4), 0.5)
    assert kolmogorov_smirnov(np.array([NAN, 1.0]), np.array([1.0, 2.0])) is None


def test_a_line_is_recovered() -> None:
    found = line(np.array([1.0, 2, 3, 4]), np.array([2.1, 3.9, 6.1, 7.9]))
    assert found is not None
    assert (found.slope, found.intercept) == pytest.approx((1.96, 0.1))
    assert found.r2 == pytest.approx(1 - 0.032 / 19.24)
    assert found.t == pytest.approx(1.96 / math.sqrt(0.032 / 2 / 5))


def test_an_exact_line_has_no_error() -> None:
    found = line(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]))
    assert found is not None
    assert (found.slope, found.r2) == pytest.approx((1, 1))
    assert found.t > 1e6


def test_points_above_one_another_have_no_line() -> None:
    assert line(np.ones(5), np.arange(5.0)) is None
    assert line(np.array([1.0, 2]), np.array([1.0, 2])) is None


def test_ranks_are_correlated_with_ties() -> None:
    found = spearman(np.array([0.0, 0, 1, 2]), np.array([1.0, 2, 3, 9]))
    assert found is not None
    assert found.rho == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert spearman(np.zeros(4), np.arange(4.0)) is None


def test_two_factors_of_a_balanced_table_are_what_a_hand_finds() -> None:
    values = np.array([1.0, 2, 3, 5, 4, 7])  # factor a: rows of three, factor b: columns
    found = two_way(values, np.repeat([0.0, 1], 3), np.tile([0.0, 1, 2], 2))
    assert found is not None
    total, rows, columns = 70 / 3, 50 / 3, 16 / 3
    rest = total - rows - columns
    assert (found.n, found.residual_df, found.first.df, found.second.df) == (6, 2, 1, 2)
    assert found.first.f == pytest.approx(rows / (rest / 2), rel=1e-3)
    assert found.second.f == pytest.approx(columns / 2 / (rest / 2), rel=1e-3)
    assert (found.first.eta2, found.second.eta2) == pytest.approx((rows / total, columns / total), rel=1e-3)


def test_two_factors_of_an_uneven_table_are_each_tested_beside_the_other() -> None:
    draw = np.random.default_rng(3)
    a, b = draw.integers(0, 2, 400).astype(float), draw.integers(0, 6, 400).astype(float)
    a = np.where(b > 3, 1.0, a)
    values = 2 * a + draw.normal(size=400)
    found = two_way(values, a, b)
    assert found is not None
    columns = [np.ones(400), a, *((b == level).astype(float) for level in range(1, 6))]
    squares = []
    for kept in (columns, [columns[0], *columns[2:]], columns[:2]):
        design = np.column_stack(kept)
        squares.append(float(((values - design @ np.linalg.lstsq(design, values, rcond=None)[0]) ** 2).sum()))
    noise = squares[0] / (400 - 7)
    assert found.first.f == pytest.approx((squares[1] - squares[0]) / noise)
    assert found.second.f == pytest.approx((squares[2] - squares[0]) / 5 / noise)
    assert found.first.p < 1e-10 < found.second.p


def test_factors_that_cannot_be_distinguished_have_no_analysis() -> None:
    a = np.repeat([0.0, 1], 4)
    assert two_way(np.arange(8.0), a, a) is None
    assert two_way(np.arange(8.0), np.zeros(8), a) is None
    assert two_way(np.ones(8), np.tile([0.0, 1], 4), a) is None
    assert two_way(np.full(8, NAN), a, a) is None
