"""Spans in bounded memory, and the share of the time that they cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.window.span_history import SpanHistory, Spans, coverage, spans_of

STEPS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=80)


def spans_from(steps: list[tuple[int, int]]) -> Spans:
    starts, ends, t_us = [], [], 0
    for gap_us, on_us in steps:
        starts.append(t_us + gap_us)
        t_us = starts[-1] + max(1, on_us)
        ends.append(t_us)
    return spans_of(starts, ends)


@given(steps=STEPS, most=st.integers(4, 20), parts=st.integers(1, 9))
def test_the_memory_is_bounded_and_the_time_on_is_kept(steps: list[tuple[int, int]], most: int, parts: int) -> None:
    spans, history = spans_from(steps), SpanHistory(most)
    for part in np.array_split(spans, parts, axis=1):
        history.add(part)
    kept = history.spans
    assert kept.shape[1] <= most
    assert kept[2].sum() == spans[2].sum()
    assert (kept[0, 1:] >= kept[1, :-1]).all(), "they are in order and do not overlap"
    assert (kept[2] <= kept[1] - kept[0]).all()
    if spans.shape[1]:
        assert kept[0, 0] == spans[0, 0]
        assert (kept[:, -1] == spans[:, -1]).all(), "the newest is as it was"


def test_spans_that_are_close_are_merged_before_those_that_are_apart() -> None:
    history = SpanHistory(8)
    starts = [0, 10, 1000, 1010, 5000, 6000, 7000, 8000]
    history.add(spans_of(starts, [start + 5 for start in starts]))
    history.add(spans_of([9000], [9005]))
    assert history.spans[0].tolist() == [0, 1000, 5000, 6000, 7000, 8000, 9000]
    assert history.spans[1].tolist()[:2] == [15, 1015]
    assert history.spans[2].tolist()[:2] == [10, 10]


@given(steps=STEPS, first=st.integers(-50, 800), step=st.integers(1, 60), count=st.integers(1, 30))
def test_the_share_of_each_step_is_that_of_every_microsecond(
    steps: list[tuple[int, int]], first: int, step: int, count: int
) -> None:
    spans = spans_from(steps)
    edges = first + step * np.arange(count + 1, dtype=float)
    is_on = np.zeros(10_000, dtype=bool)
    for start, end in spans[:2].T:
        is_on[start + 1000 : end + 1000] = True
    wanted = [is_on[int(edge) + 1000 : int(edge) + 1000 + step].mean() for edge in edges[:-1]]
    assert coverage(spans, edges) == pytest.approx(wanted, abs=1e-9)


def test_a_span_without_length_can_be_seen() -> None:
    assert coverage(spans_of([500], [500]), np.array([0.0, 1000.0, 2000.0]))[0] > 0


def test_no_spans_cover_nothing() -> None:
    assert coverage(spans_of([], []), np.array([0.0, 1.0, 2.0])).tolist() == [0, 0]
