"""The values of a source as they are kept and drawn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.board import MAX_PERIOD_US
from rig.core.model.line import LONGEST_US
from rig.records.sampled import history as sampled_history
from rig.records.sampled.history import MAX_STEPS, Steps, ValueHistory, steps_from

parts_of_values = st.lists(st.lists(st.tuples(st.integers(1, 30), st.integers(-50, 50)), max_size=12), max_size=6)


def history_of(*parts: tuple[list[int], list[int]], period_us: int = 10) -> ValueHistory:
    history = ValueHistory(period_us)
    for times_us, values in parts:
        history.add(np.array(times_us, dtype=np.int64), np.array(values, dtype=np.int64))
    return history


def extremes(history: ValueHistory, *edges_us: float) -> list[tuple[float, float]]:
    steps = steps_from(history.lengths, edges_us[0])
    assert steps is not None
    low, high = steps.extremes(np.array(edges_us, dtype=float))
    return list(zip(low.tolist(), high.tolist(), strict=True))


@given(parts_of_values)
def test_each_step_has_the_extremes_of_its_values_however_they_came(parts: list[list[tuple[int, int]]]) -> None:
    history, all_values, t_us = ValueHistory(10), [], 0
    for part in parts:
        columns: tuple[list[int], list[int]] = ([], [])
        for after_us, value in part:
            t_us += after_us
            all_values.append((t_us, value))
            columns[0].append(t_us)
            columns[1].append(value)
        history.add(*(np.array(column, dtype=np.int64) for column in columns))
    for steps in history.lengths:
        expected: dict[int, list[int]] = {}
        for at_us, value in all_values:
            expected.setdefault(at_us // steps.length_us, []).append(value)
        assert steps.numbers.tolist() == list(expected)
        assert steps.least.tolist() == [min(values) for values in expected.values()]
        assert steps.greatest.tolist() == [max(values) for values in expected.values()]


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(-50, 50)), min_size=1, max_size=30),
    st.lists(st.integers(-20, 400), min_size=2, max_size=12, unique=True).map(sorted),
)
def test_a_column_has_the_values_of_its_time_and_touches_its_neighbors(
    values: list[tuple[int, int]], edges_us: list[int]
) -> None:
    times_us = np.cumsum([after_us for after_us, _ in values]).tolist()
    history = history_of((times_us, [value for _, value in values]))
    for steps in history.lengths:
        low, high = steps.extremes(np.array(edges_us, dtype=float))
        for at_us, (_, value) in zip(times_us, values, strict=True):
            column = int(np.searchsorted(edges_us, at_us, side="right")) - 1
            if 0 <= column < len(low):
                assert low[column] <= value <= high[column]
        assert np.isnan(low).tolist() == np.isnan(high).tolist()
        for before, after in pairwise(range(len(low))):
            if not np.isnan([low[before], low[after]]).any():
                assert low[before] <= high[after]
                assert low[after] <= high[before]


def test_a_value_lasts_until_the_next_and_neighbors_touch() -> None:
    history = history_of(([0, 10, 20, 30], [1, 1, 5, 5]))
    assert extremes(history, 0, 5, 10, 15, 20, 25) == [(1, 1), (1, 1), (1, 1), (1, 1), (1, 5)]


def test_what_is_missing_is_a_gap() -> None:
    history = history_of(([0, 10, 20, 80, 90], [1, 2, 3, 4, 5]))
    first, *gap, last = extremes(history, 0, 40, 50, 60, 70, 95)
    assert (first, last) == ((1, 3), (4, 5))
    assert np.isnan(gap).all()


def test_hours_of_values_are_kept_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled_history, "MAX_STEPS", 64)
    history = ValueHistory(1000)
    for first in range(0, 1_000_000, 50_000):
        numbers = np.arange(first, first + 50_000, dtype=np.int64)
        history.add(1000 * numbers, np.where(numbers == 1000, 7, numbers % 5))
    assert max(len(steps.numbers) for steps in history.lengths) <= 64
    low, high = np.array(extremes(history, *(1e9 * np.linspace(0, 1, 11)))).T
    assert low.tolist() == [0] * 10
    assert high.tolist() == [7, *[4] * 9], "the longest steps still have what happened once"
    now = steps_from(history.lengths, 999_950_000)
    assert now is not None
    assert now.length_us == 1000


def test_values_that_come_in_no_order_are_left_out_and_counted() -> None:
    history = history_of(([10, 5, 20], [1, 2, 3]), ([15, 30], [4, 5]), ([], []))
    assert history.lengths[0].greatest.tolist() == [1, 3, 5]
    assert history.left_out == 2


@pytest.mark.parametrize("time_us", [LONGEST_US + 1, -LONGEST_US - 1, 2**63 - 1, -(2**63)])
def test_a_value_with_a_time_that_no_session_has_is_left_out_and_counted(time_us: int) -> None:
    for times_us in ([time_us, 10, 20], [10, time_us, 20]):
        history = history_of((times_us, [1, 2, 3]))
        assert history.left_out == 1
        assert history.lengths[0].numbers.tolist() == [1, 2]


def test_the_farthest_times_of_a_session_are_kept() -> None:
    history = history_of(([-LONGEST_US, LONGEST_US], [1, 2]), period_us=MAX_PERIOD_US)
    assert history.left_out == 0
    for steps in history.lengths:
        assert steps.numbers.tolist() == [-LONGEST_US // steps.length_us, LONGEST_US // steps.length_us]
        assert (steps.least.tolist(), steps.greatest.tolist()) == ([1, 2], [1, 2])


def test_a_pause_between_the_first_values_makes_no_longer_steps() -> None:
    history = history_of(([0, 600_000_000], [1, 2]), ([600_000_010], [3]))
    assert history.lengths[0].length_us == 10
    assert extremes(history, 600_000_000, 600_000_009, 600_000_019) == [(2, 2), (2, 3)]


def test_nothing_is_drawn_of_nothing() -> None:
    assert steps_from(ValueHistory(10).lengths, 0) is None
    none = np.empty(0, dtype=np.int64)
    low, _ = Steps(10, none, none, none).extremes(np.array([0.0, 1.0]))
    assert np.isnan(low).all()
    assert MAX_STEPS > 4000, "a wide screen has 4,000 pixels"
