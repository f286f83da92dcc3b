"""What may be written in the files of the eight disks."""

from typing import Any

import pytest

from protocols.disk_bandit.params import Params
from protocols.disk_bandit.schedules import draws, fleshler_hoffman
from rig.core.task.random_streams import RandomStreams


def test_elimination_takes_the_richest_of_more_schedules() -> None:
    assert Params.model_validate({"disks": "eliminated", "n_disks": 5}).shown == 5


def drawn(count: int, **values: Any) -> list[float]:
    source = draws(Params.model_validate(values), 30.0, RandomStreams(1)("vi.0"))
    return [next(source) for _ in range(count)]


def test_intervals_are_drawn_evenly_around_their_mean() -> None:
    intervals = drawn(20_000)
    assert 15.0 <= min(intervals) < 15.1
    assert 44.9 < max(intervals) <= 45.0
    assert sum(intervals) / 20_000 == pytest.approx(30.0, abs=0.2)
    assert sum(interval < 22.5 for interval in intervals) == pytest.approx(5_000, abs=200)


def test_fixed_intervals_do_not_vary() -> None:
    assert set(drawn(10, vi_distribution="fixed")) == {30.0}


def test_exponential_intervals_have_their_mean_and_no_memory() -> None:
    intervals = drawn(20_000, vi_distribution="exponential")
    assert sum(intervals) / 20_000 == pytest.approx(30.0, abs=0.7)
    longer = [interval for interval in intervals if interval > 30]
    assert sum(longer) / len(longer) - 30 == pytest.approx(30.0, abs=1.2)


def test_fleshler_and_hoffmans_progression_is_the_published_one() -> None:
    published = [1.286, 4.017, 7.022, 10.363, 14.122, 18.423, 23.446, 29.487, 37.067, 47.261, 62.958, 104.547]
    assert [round(30 * step, 3) for step in fleshler_hoffman(12)] == published


def test_its_intervals_come_each_once_before_any_comes_again_in_another_order() -> None:
    intervals = drawn(24, vi_distribution="fleshler_hoffman")
    first, second = intervals[:12], intervals[12:]
    assert sorted(first) == sorted(second) == pytest.approx([30 * step for step in fleshler_hoffman(12)])
    assert first != second
