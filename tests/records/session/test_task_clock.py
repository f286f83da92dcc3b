"""Times of a task and times of its session: pauses and gaps are left out of the first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.engine.pauses import Pauses
from rig.core.journal.kinds import Paused, Resumed, StateLine
from rig.core.model.events import Continued
from rig.core.model.line import Line
from rig.records.session.task_clock import RecordedClock


def clock_of(*lines: Line) -> RecordedClock:
    clock = RecordedClock()
    for line in lines:
        clock.take(line)
    return clock


def continued(t_us: int, gap_us: int) -> Continued:
    return Continued(t_us, gap_us, "crash", True)


def test_without_pauses_both_are_the_same() -> None:
    clock = clock_of(StateLine(5, "poke"))
    assert (clock.session_us(7), clock.has_paused) == (7, False)


@pytest.mark.parametrize(("task_us", "session_us"), [(99, 99), (100, 100), (101, 151), (200, 250), (201, 321)])
def test_a_pause_and_a_gap_move_what_is_later(task_us: int, session_us: int) -> None:
    clock = clock_of(Paused(100), Resumed(150, 50), continued(320, 70))
    assert clock.session_us(task_us) == session_us
    assert clock.task_us(session_us) == task_us


@pytest.mark.parametrize("session_us", [100, 120, 150])
def test_within_a_pause_task_time_stands_still(session_us: int) -> None:
    assert clock_of(Paused(100), Resumed(150, 50), continued(320, 70)).task_us(session_us) == 100


def test_in_a_pause_without_an_end_it_stands_still_to_the_end() -> None:
    clock = clock_of(Paused(100), Resumed(150, 50), Paused(300))
    assert (clock.task_us(299), clock.task_us(400)) == (249, 250)
    assert clock.all_task_us(np.array([299, 400])).tolist() == [249, 250]


def test_a_gap_in_a_pause_is_a_part_of_the_pause() -> None:
    clock = clock_of(Paused(100), continued(180, 30), Resumed(190, 90))
    assert clock.session_us(101) == 191


def test_a_pause_without_an_end_moves_nothing() -> None:
    assert clock_of(Paused(100)).session_us(100) == 100


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 50)), max_size=6), st.integers(-60, 60))
def test_pauses_of_a_forged_journal_may_come_in_any_order(spans: list[tuple[int, int]], task_us: int) -> None:
    clock, paused_us, expected = RecordedClock(), 0, task_us
    for began_us, length_us in spans:
        clock.take(Paused(began_us))
        clock.take(Resumed(began_us, length_us))
        clock.session_us(task_us)
        expected += length_us if began_us - paused_us < task_us else 0
        paused_us += length_us
    assert clock.session_us(task_us) == expected
    many_us = [*range(-70, 400), task_us]
    assert clock.all_task_us(np.array(many_us)).tolist() == [clock.task_us(t_us) for t_us in many_us]


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 1000)), max_size=6), st.integers(0, 8000))
def test_it_undoes_what_the_engine_does(spans: list[tuple[int, int]], board_us: int) -> None:
    clock, pauses, t_us = RecordedClock(), Pauses(), 0
    within = []
    for until_us, length_us in spans:
        t_us += until_us
        pauses.pause(t_us)
        clock.take(Paused(t_us))
        within.append((t_us, t_us + length_us))
        t_us += length_us
        clock.take(Resumed(t_us, pauses.end(t_us)))
    if not any(begin < board_us <= end for begin, end in within):
        assert clock.session_us(pauses.task_us(board_us)) == board_us
        assert clock.task_us(board_us) == pauses.task_us(board_us)


@pytest.mark.parametrize("line", [continued(10, 2**63 - 1), Resumed(10, 2**63 - 1)])
def test_no_gap_of_a_forged_journal_began_before_the_session(line: Line) -> None:
    clock = clock_of(line)
    assert [clock.task_us(t_us) for t_us in (5, 10, 25)] == [0, 0, 15]
