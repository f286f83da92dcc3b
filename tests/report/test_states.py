"""The time in each state is task time, and adds up to that of the session."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.line import Line
from rig.records.session.state_spans import StateSpans
from rig.records.session.task_clock import RecordedClock
from rig.report.states import StateTimes, state_times
from tests.records.folded import folded
from tests.records.journals import Book


def times_of(lines: Sequence[Line], end_us: int) -> list[StateTimes]:
    clock = RecordedClock()
    for line in lines:
        clock.take(line)
    return state_times(folded(StateSpans(), lines), clock, end_us)


steps = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "pause", "gap"]), st.integers(1, 5_000_000)), min_size=1, max_size=40
)


def book_of(walk: list[tuple[str, int]]) -> tuple[Book, int, int]:
    """A walk through states; each step has its length. Also its end, and how long task time stood still."""
    book, t_us, stood_us = Book(), 0, 0
    for what, length_us in walk:
        if what == "pause":
            book.line("pause", t_us=t_us)
            t_us += length_us
            book.line("resume", t_us=t_us, paused_us=length_us)
            stood_us += length_us
        elif what == "gap":
            t_us += length_us
            book.line(
                "continued", t_us=t_us, gap_us=length_us, why="crash", restarted=True, ul=1, pellets=1, access_s=1
            )
            stood_us += length_us
        else:
            book.line("state", t_us=t_us, name=what)
            t_us += length_us
    return book, t_us, stood_us


@given(steps)
def test_the_states_fill_the_task_time_of_the_session(walk: list[tuple[str, int]]) -> None:
    book, end_us, stood_us = book_of([("a", 1), *walk])
    found = times_of(book.lines, end_us)
    assert sum(state.total_us for state in found) == end_us - stood_us
    assert sum(len(state.lengths_us) for state in found) == 1 + sum(what in "abc" for what, _ in walk)
    assert sum(state.following.total() for state in found) == sum(what in "abc" for what, _ in walk)


def test_a_visit_ends_where_the_next_begins_and_says_where_it_went() -> None:
    book, end_us, _ = book_of([("ready", 5), ("choose", 7), ("ready", 2), ("choose", 1), ("iti", 3)])
    ready, choose, iti = times_of(book.lines, end_us)
    assert (ready.name, ready.lengths_us, dict(ready.following)) == ("ready", [5, 2], {"choose": 2})
    assert (choose.lengths_us, dict(choose.following)) == ([7, 1], {"ready": 1, "iti": 1})
    assert (iti.lengths_us, iti.median_us) == ([3], 3)


def test_a_gap_within_a_pause_is_not_counted_twice() -> None:
    book = Book()
    book.line("state", t_us=0, name="a")
    book.line("pause", t_us=10)
    book.line("continued", t_us=40, gap_us=20, why="crash", restarted=False, ul=None, pellets=None, access_s=None)
    book.line("resume", t_us=50, paused_us=40)
    assert [state.total_us for state in times_of(book.lines, 60)] == [20]


def test_a_session_without_states_has_none() -> None:
    assert times_of([], 10) == []
