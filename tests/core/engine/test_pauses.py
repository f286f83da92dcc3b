"""Task time: the board's time without the pauses."""

from __future__ import annotations

import random
from itertools import pairwise

from rig.core.engine.pauses import Pauses
from rig.core.model.events import Edge


def test_without_a_pause_both_times_are_equal() -> None:
    pauses = Pauses()
    edge = Edge(5, "left.beam", 1, 0, 1)
    assert pauses.task_us(5) == pauses.board_us(5) == 5
    assert pauses.in_task_time(edge) is edge


def test_task_time_stands_still_in_a_pause_and_goes_on_after_it() -> None:
    pauses = Pauses(longest_us=60_000_000)
    pauses.pause(100)
    assert pauses.is_paused
    assert pauses.latest_end_us == 60_000_100
    assert [pauses.task_us(t_us) for t_us in (99, 100, 150, 10_000)] == [99, 100, 100, 100]
    assert pauses.end(160) == 60
    assert not pauses.is_paused
    assert [pauses.task_us(t_us) for t_us in (99, 100, 130, 160, 170)] == [99, 100, 100, 100, 110]
    assert pauses.board_us(110) == 170
    assert pauses.in_task_time(Edge(170, "left.beam", 1, 0, 1)).t_us == 110
    assert pauses.longest_min == 1


def test_a_resumption_that_was_stamped_before_the_begin_makes_no_negative_pause() -> None:
    pauses = Pauses()
    pauses.pause(100)
    assert pauses.end(90) == 0
    assert pauses.task_us(120) == 120


def test_task_time_never_goes_back_and_never_jumps() -> None:
    for seed in range(50):
        draw = random.Random(seed)
        pauses, t_us = Pauses(), 0
        for _ in range(5):
            t_us += draw.randrange(1, 50)
            pauses.pause(t_us)
            t_us += draw.randrange(50)
            pauses.end(t_us)
        times = [pauses.task_us(at_us) for at_us in range(t_us + 50)]
        assert all(after - before in (0, 1) for before, after in pairwise(times))
        assert times[-1] == t_us + 49 - pauses.stopped_us
