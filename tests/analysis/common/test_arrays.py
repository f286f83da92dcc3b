import json
import math
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Columns, Ints, mean, plain, ratio, sd


@dataclass
class Thing:
    a: float
    b: tuple[str, ...]


@dataclass
class Curve(Columns):
    letter: tuple[str, ...]
    n: Ints


def test_nothing_is_divided_by_nothing() -> None:
    np.testing.assert_array_equal(ratio([1, 2], [0, 4]), [np.nan, 0.5])
    assert math.isnan(float(ratio(1, 0)))


def test_spreads_have_n_minus_1_and_need_two_values() -> None:
    assert sd(np.array([1.0, 3.0, np.nan])) == math.sqrt(2)
    assert math.isnan(sd(np.array([1.0])))
    assert math.isnan(mean(np.array([])))


def test_results_become_plain_data_and_unknown_numbers_null() -> None:
    found = plain({"x": Thing(math.inf, ("a",)), "y": np.array([[1, 2]]), "z": np.float64("nan"), "n": None})
    assert found == {"x": {"a": None, "b": ["a"]}, "y": [[1, 2]], "z": None, "n": None}
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_columns_become_rows() -> None:
    assert plain(Curve(("a", "b"), np.array([3, 4]))) == [{"letter": "a", "n": 3}, {"letter": "b", "n": 4}]
    assert plain(Curve((), np.array([], np.int64))) == []
