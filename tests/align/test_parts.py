"""The parts of an alignment, by what must hold of any input."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.align.anchors import anchors_of, noise_us, resolution_s
from rig.align.chains import Chain, log_chance
from rig.align.codes import same_by_chance
from rig.align.consistent import consistent
from rig.align.fingerprints import fingerprints, first_edges
from rig.align.match import in_order, match_edges
from rig.align.refusal import NotAlignedError
from rig.align.shift import shift_of
from rig.align.spline import fit_broken_line
from rig.align.steps import StepRules, steady_stretches
from rig.align.trains import train_of
from rig.core.model.sync_code import START_BITS, code_edges
from tests.align.recordings import codes

BIT_US = 20_000.0


def times_of(word: int, bits: int, level: int | None = None) -> np.ndarray:
    edges = code_edges(word, bits, int(BIT_US))
    return np.array([after_us for after_us, each in edges if level in (None, each)], dtype=np.float64)


@settings(max_examples=50)
@given(
    st.integers(8, 32).flatmap(lambda bits: st.tuples(st.just(bits), *[st.integers(0, 2**bits - 1)] * 2)),
    st.floats(0.99, 1.01),
    st.floats(-0.05, 0.05),
)
def test_two_codes_have_the_same_fingerprint_only_if_they_have_the_same_word(
    words: tuple[int, int, int], rate: float, jitter: float
) -> None:
    bits, one, other = words
    marks = []
    for word in (one, other):
        times = times_of(word, bits) * rate
        times[1::2] += jitter * BIT_US
        found, good = fingerprints(times, BIT_US * rate, START_BITS + bits)
        assert good[0]
        marks.append(found[0])
    assert (marks[0] == marks[1]) == (one == other)


@pytest.mark.parametrize(("edges", "level"), [("rising", 1), ("falling", 0), ("both", None)])
def test_the_chance_that_two_words_look_the_same_is_that_of_all_words(edges: str, level: int | None) -> None:
    bits = 8
    counts = Counter(tuple(times_of(word, bits, level)) for word in range(2**bits))
    assert same_by_chance(bits, edges) == pytest.approx(sum((count / 2**bits) ** 2 for count in counts.values()))


def test_the_words_of_a_session_look_the_same_as_often_as_chance_says() -> None:
    signal = codes(hours=3.0)
    marks, _ = fingerprints(signal.t_us.astype(float), BIT_US, signal.code_bits)
    counts = Counter(marks[first_edges(signal.groups)].tolist())
    pairs = sum(math.comb(count, 2) for count in counts.values())
    expected = math.comb(len(first_edges(signal.groups)), 2) * same_by_chance(16, "both")
    assert pairs == pytest.approx(expected, rel=0.5)


@settings(max_examples=50)
@given(st.integers(2, 3000), st.integers(2, 40), st.floats(1e-6, 0.01))
def test_more_agreement_is_less_likely_by_chance(codes_sent: int, agreeing: int, chance: float) -> None:
    agreeing = min(agreeing, codes_sent - 1)
    assert log_chance(codes_sent, agreeing + 1, chance, 1e6) <= max(
        log_chance(codes_sent, agreeing, chance, 1e6), -1e-9
    ) + math.log(codes_sent)
    assert log_chance(codes_sent, agreeing, chance, 1e6) <= 0


@settings(max_examples=50)
@given(
    st.lists(st.floats(0, 1e6), max_size=40).map(sorted),
    st.lists(st.floats(0, 1e6), max_size=40).map(sorted),
    st.floats(1, 1e5),
)
def test_matched_edges_are_near_each_other_and_each_is_matched_once(
    predicted: list[float], recorded: list[float], tolerance: float
) -> None:
    found = match_edges(np.array(predicted), None, np.array(recorded), None, tolerance)
    assert len(set(found.recorded.tolist())) == len(found.recorded)
    assert (np.diff(found.expected) > 0).all()
    for ours, theirs in zip(found.expected, found.recorded, strict=True):
        assert abs(predicted[ours] - recorded[theirs]) <= tolerance
    assert (np.diff(in_order(found).recorded) > 0).all()


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1e6), st.integers(0, 1)), max_size=30).map(sorted))
def test_edges_of_different_levels_are_never_matched(edges: list[tuple[float, int]]) -> None:
    times, levels = np.array([t for t, _ in edges]), np.array([level for _, level in edges], np.int8)
    found = match_edges(times, levels, times, (1 - levels).astype(np.int8), 1e6)
    assert (levels[found.expected] != levels[found.recorded]).all()


def anchors_at(offsets: np.ndarray, rate: float = 1.0) -> object:
    t_us = np.arange(len(offsets)) * 5e6
    return anchors_of(np.arange(len(offsets)), t_us, rate * t_us + offsets, rate)


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.integers(20, 180), st.sampled_from([-500.0, 400.0, 1e6]))
def test_a_step_is_found_between_the_anchors_around_it(seed: int, at: int, size_us: float) -> None:
    offsets = np.random.default_rng(seed).normal(0, 5, 200) + np.arange(200) * 100.0
    offsets[at:] += size_us
    anchors = anchors_at(offsets)
    parts = steady_stretches(anchors, StepRules(noise_us(anchors), 0.0, 15e6, 50.0))  # type: ignore[arg-type]
    assert [(part.start, part.stop) for part in parts] == [(0, at), (at, 200)]


@pytest.mark.parametrize(("at", "kept"), [(1, (1, 40)), (2, (2, 40)), (38, (0, 38)), (39, (0, 39))])
def test_a_step_near_an_end_is_found_though_too_few_anchors_are_behind_it(at: int, kept: tuple[int, int]) -> None:
    offsets = np.random.default_rng(1).normal(0, 5, 40)
    offsets[at:] += 300
    parts = steady_stretches(anchors_at(offsets), StepRules(5.0, 0.0, 15e6, 50.0))  # type: ignore[arg-type]
    assert [(part.start, part.stop) for part in parts] == [kept]


@settings(max_examples=50)
@given(st.integers(0, 10_000))
def test_noise_alone_is_no_step_and_its_size_is_found(seed: int) -> None:
    anchors = anchors_at(np.random.default_rng(seed).normal(0, 5, 400))
    assert noise_us(anchors) == pytest.approx(5, rel=0.25)  # type: ignore[arg-type]
    assert len(steady_stretches(anchors, StepRules(5.0, 0.0, 15e6, 50.0))) == 1  # type: ignore[arg-type]


@settings(max_examples=50)
@given(st.floats(-5e-3, 5e-3), st.floats(-1e9, 1e9), st.integers(3, 300))
def test_a_straight_line_is_fitted_exactly_and_has_no_knots(slope: float, level: float, count: int) -> None:
    line = fit_broken_line(anchors_at(level + slope * np.arange(count) * 5e6), 1.0, 0.0)  # type: ignore[arg-type]
    times = np.array([0.0, count * 2.5e6, count * 5e6])
    assert len(line.knots_us) == 2
    assert line(times) == pytest.approx(level + (1 + slope) * times, abs=0.01)


@pytest.mark.parametrize("rate_hz", [1000, 25_000, 30_000])
@pytest.mark.parametrize("start_s", [0.0, 1.7e9])
def test_the_sampling_of_a_recording_is_found_in_its_times(rate_hz: float, start_s: float) -> None:
    times = start_s + np.cumsum(np.random.default_rng(1).uniform(0.02, 0.04, 3000))
    sampled = np.floor(times * rate_hz) / rate_hz
    assert resolution_s(sampled, 0.02) == pytest.approx(1 / rate_hz, rel=0.01)


@pytest.mark.parametrize("frames_hz", [60, 90, 120, 144])
def test_the_frames_of_a_film_are_found_in_its_rounded_times(frames_hz: float) -> None:
    times = np.cumsum(np.random.default_rng(1).integers(1, 9, 3000) * 0.02)
    filmed = np.round(np.ceil(times * frames_hz) / frames_hz, 6)
    assert resolution_s(filmed, 0.02) == pytest.approx(1 / frames_hz, rel=0.01)


@pytest.mark.parametrize("rate_hz", [1000, 30_000])
def test_the_bits_of_a_signal_are_no_samples(rate_hz: float) -> None:
    times = np.cumsum(np.random.default_rng(1).integers(1, 9, 3000) * 0.0200005)
    sampled = np.ceil(times * rate_hz) / rate_hz
    assert resolution_s(sampled, 0.02) == pytest.approx(1 / rate_hz, rel=0.01)


@settings(max_examples=50)
@given(st.sets(st.integers(2, 197), max_size=20), st.integers(0, 30))
def test_pulses_keep_their_count_when_some_are_lost_and_others_added(lost: set[int], extra: int) -> None:
    counts = np.array([count for count in range(200) if count not in lost])
    random = np.random.default_rng(extra)
    times = counts * 1.00005e6 + random.normal(0, 10, len(counts))
    times = np.sort(np.concatenate([times, random.uniform(1e6, 198e6, extra // 3)]))
    train = train_of(times, np.arange(len(times)))
    expected = np.rint(times[train.places] / 1.00005e6)
    assert (train.counts == expected - expected[0]).all()
    assert len(train.counts) >= 0.8 * len(counts)


@settings(max_examples=50)
@given(st.integers(0, 50), st.integers(60, 100))
def test_a_shift_is_the_only_possible_one_or_refused(first: int, count: int) -> None:
    expected = train_of(np.arange(100) * 1e6, np.arange(100))
    part = np.arange(first, min(100, first + count))
    recorded = train_of(part * 1e6, np.arange(len(part)))
    if len(part) == 100:
        assert shift_of(expected, recorded, part * 1e6, part * 1e6, None, "") == 0
    else:
        with pytest.raises(NotAlignedError, match="alignments fit"):
            shift_of(expected, recorded, part * 1e6, part * 1e6, None, "")


def chain_of(expected: range, recorded: range) -> Chain:
    return Chain(list(expected), list(recorded))


def test_chains_that_follow_each_other_are_true_together() -> None:
    chains = [chain_of(range(50), range(50)), chain_of(range(60, 90), range(55, 85))]
    assert consistent(chains) == chains


def test_a_chain_of_codes_that_were_sent_again_is_left_out_if_both_sides_are_explained() -> None:
    first, second = chain_of(range(50), range(50)), chain_of(range(50, 100), range(50, 100))
    assert consistent([first, chain_of(range(50), range(50, 100)), second]) == [first, second]


@pytest.mark.parametrize(
    "other",
    [
        chain_of(range(50), range(50, 100)),  # a part of the recording is there twice
        chain_of(range(50, 100), range(50)),  # the session sent the same codes twice
        chain_of(range(60, 90), range(30)),  # the clock was started again, and the edges were sorted
        chain_of(range(20, 30), range(60, 70)),
    ],
)
def test_chains_that_exclude_each_other_are_refused(other: Chain) -> None:
    with pytest.raises(NotAlignedError, match="two alignments fit"):
        consistent([chain_of(range(50), range(50)), other])
