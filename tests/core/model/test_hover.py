"""When an item under the pointer is reported."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.hover import INTERVAL_US, HoverThrottle

MS = 1000
moves = st.lists(st.tuples(st.integers(0, 80 * MS), st.sampled_from(("", "0,0", "1,0", "2,0"))), max_size=30)


def reports(steps: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the reports of a screen with a timer: each step is how long after the last one, and the item."""
    throttle, told, now_us = HoverThrottle(), [], 0
    for after_us, on in [*steps, (10 * INTERVAL_US, "")]:
        until_us = now_us + after_us
        due_us = throttle.due_us
        if due_us is not None and due_us < until_us:
            told.append((max(due_us, now_us), throttle.report(max(due_us, now_us))))
        now_us = until_us
        throttle.move(on)
        due_us = throttle.due_us
        if due_us is not None and due_us <= now_us:
            told.append((now_us, throttle.report(now_us)))
    return told


def test_the_first_item_is_reported_at_once_and_the_next_one_after_the_interval() -> None:
    assert reports([(7 * MS, "a"), (10 * MS, "b"), (90 * MS, "b")])[:2] == [(7 * MS, "a"), (57 * MS, "b")]


def test_what_is_crossed_in_between_is_not_reported_and_neither_is_a_return() -> None:
    assert reports([(0, "a"), (10 * MS, "b"), (10 * MS, "c"), (90 * MS, "c")])[:2] == [(0, "a"), (50 * MS, "c")]
    assert reports([(0, "a"), (10 * MS, "b"), (10 * MS, "a"), (90 * MS, "a")])[0] == (0, "a")
    assert len(reports([(0, "a"), (10 * MS, "b"), (10 * MS, "a"), (90 * MS, "a")])) == 2


@given(moves)
def test_reports_are_changes_apart_by_the_interval_true_at_their_time_and_the_last_is_always_told(
    steps: list[tuple[int, str]],
) -> None:
    told = reports(steps)
    assert all(later - sooner >= INTERVAL_US for (sooner, _), (later, _) in itertools.pairwise(told))
    assert all(one != other for (_, one), (_, other) in zip([(0, ""), *told], told, strict=False))
    now_us, spans = 0, [(0, "")]
    for after_us, on in steps:
        now_us += after_us
        spans.append((now_us, on))
    for t_us, on in told[:-1]:
        here = [name for start_us, name in spans if start_us <= t_us]
        at_once = [name for start_us, name in spans if start_us == t_us]
        assert on in (here[-1], *at_once, *here[-1 - len(at_once) :])
    assert (told[-1][1] if told else "") == ""


@given(moves, st.sampled_from(("x", "y")))
def test_the_item_on_which_the_pointer_comes_to_rest_is_the_last_report_and_late_by_the_interval_at_most(
    steps: list[tuple[int, str]], last: str
) -> None:
    throttle, now_us = HoverThrottle(), 0
    for after_us, on in [*steps, (0, last)]:
        now_us += after_us
        throttle.move(on)
        if throttle.due_us is not None and throttle.due_us <= now_us:
            throttle.report(now_us)
    due_us = throttle.due_us
    if due_us is not None:
        assert now_us < due_us <= now_us + INTERVAL_US
        assert throttle.report(due_us) == last
    assert throttle.due_us is None
