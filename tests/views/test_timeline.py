"""Task time as charts need it: pauses and breaks take none of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.kinds import Paused, Resumed
from rig.core.model.line import Line
from rig.views.timeline import MAX_MOMENTS, Timeline
from tests.views.view_lines import at


def timeline(*lines: Line) -> Timeline:
    found = Timeline()
    for line in lines:
        found.take(line)
    return found


def task_s(found: Timeline, *t_s: float) -> list[float]:
    return list(found.task_s(np.array([round(each * 1e6) for each in t_s])))


def test_task_time_stands_still_in_a_pause_and_in_a_break() -> None:
    found = timeline(
        at(10, "pause"),
        at(14, "resume", paused_us=4_000_000),
        at(30, "continued", gap_us=5_000_000, why="crash", restarted=True),
    )
    assert task_s(found, 5, 10, 12, 14, 20, 25, 27, 30, 31) == [5, 10, 10, 10, 16, 21, 21, 21, 22]


def test_a_pause_that_is_open_stops_the_time_and_includes_a_break() -> None:
    found = timeline(at(10, "pause"), at(30, "continued", gap_us=5_000_000, why="crash", restarted=True))
    assert task_s(found, 9, 40) == [9, 10]
    found.take(at(40, "resume", paused_us=30_000_000))
    assert task_s(found, 39, 41) == [10, 11]


def test_only_so_many_moments_are_kept() -> None:
    found = timeline(*(at(number, "params", trial=1, changed={"a": 1}) for number in range(MAX_MOMENTS + 5)))
    assert len(found.at_minutes().x) == MAX_MOMENTS


pauses = st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)), max_size=6)


@given(pauses=pauses, asked=st.lists(st.integers(0, 10**9), min_size=2, max_size=10))
def test_task_time_never_runs_backward_and_never_faster_than_the_board(
    pauses: list[tuple[int, int]], asked: list[int]
) -> None:
    t_us, found = 0, Timeline()
    for before_us, length_us in pauses:
        found.take(Paused(t_us + before_us))
        t_us += before_us + length_us
        found.take(Resumed(t_us, length_us))
    ordered = np.sort(np.array(asked))
    task = found.task_s(ordered)
    steps = np.diff(task)
    assert np.all(steps >= -1e-9)
    assert np.all(steps <= np.diff(ordered) / 1e6 + 1e-9)
    assert found.task_s(np.array([10**9]))[0] * 1e6 == 10**9 - sum(min(each, 10**9) for _, each in pauses)
