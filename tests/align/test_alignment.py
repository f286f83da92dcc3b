"""A recording is aligned with certainty, or refused with the reason."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from rig.align.alignment import Alignment, align
from rig.align.gaps import BRIDGED, END, SILENCE, START, STEP
from rig.align.recording import Recording
from rig.align.refusal import NotAlignedError
from rig.align.signal import Signal
from rig.core.errors import RecordError
from tests.align import recordings
from tests.align.recordings import Faults, Made, OtherClock, largest_error_us, record
from tests.align.scenarios import KINDS, RIGHT, WRONG, run

HALF_SAMPLE_US = 1e6 / 30_000 / 2
WITHIN_US = 50.0 + HALF_SAMPLE_US
"""The error that is allowed, and the bias of sampling: a recorded edge is at the sample before it."""


@lru_cache
def codes(seed: int = 1, hours: float = 1.0) -> Signal:
    return recordings.codes(seed, hours)


@lru_cache
def square() -> Signal:
    return recordings.square(1.0)


def made(clock: OtherClock = OtherClock(), faults: Faults = Faults(), signal: Signal | None = None) -> Made:  # noqa: B008
    return record(codes() if signal is None else signal, clock, faults, np.random.default_rng(5))


def error_us(found: Alignment, of: Made, hours: float = 1.0) -> float:
    return largest_error_us(of, found.mapping.to_other, np.arange(0, hours * 3600e6, 250_000.0))


def whys(found: Alignment) -> list[str]:
    return [gap.why for gap in found.gaps]


def test_three_hours_with_drift_a_step_and_lost_and_extra_edges_are_aligned_to_50_us() -> None:
    recorded = made(OtherClock(drift_ppm=50, steps=((5000, 0.0085),)), signal=codes(hours=3.0))
    found = align(codes(hours=3.0), recorded.recording, "other")
    assert found.residuals.p99_us <= 50
    assert error_us(found, recorded, 3.0) <= WITHIN_US
    assert found.rate_ppm == pytest.approx(50, abs=0.1)
    assert 0.015 < len(found.lost_us) / found.matched < 0.025
    assert 0.005 < len(found.extra_s) / found.matched < 0.015
    (gap,) = found.gaps
    assert (gap.why, gap.step_us) == (STEP, pytest.approx(8500, abs=30))
    assert gap.from_us <= 5000e6 <= gap.to_us


@pytest.mark.parametrize("step_s", [0.0001, 0.02, 0.7, 3600.0, -0.0005, -0.3])
def test_a_step_of_any_size_is_found_and_not_mapped(step_s: float) -> None:
    recorded = made(OtherClock(steps=((1802, step_s),)))
    found = align(codes(), recorded.recording, "other")
    assert whys(found) == [STEP]
    assert found.gaps[0].step_us == pytest.approx(step_s * 1e6, abs=60)
    assert np.isnan(found.mapping.to_other(1802e6))
    assert error_us(found, recorded) <= WITHIN_US


def test_times_that_a_clock_that_jumped_back_shows_twice_are_not_mapped() -> None:
    clock = OtherClock(steps=((1802, -1.5),))
    found = align(codes(), made(clock).recording, "other")
    twice = clock(np.array([1801.5e6, 1802.5e6, 1803.5e6]))
    assert np.isnan(found.mapping.to_session(twice)).all()


@pytest.mark.parametrize("wander_ppm", [2, 10])
def test_a_clock_whose_rate_wanders_is_followed(wander_ppm: float) -> None:
    recorded = made(OtherClock(drift_ppm=-3000, wander_ppm=wander_ppm))
    found = align(codes(), recorded.recording, "other")
    assert error_us(found, recorded) <= WITHIN_US
    assert found.gaps == []


@pytest.mark.parametrize(
    "faults",
    [
        Faults(inverted=True),
        Faults(edges="rising"),
        Faults(edges="falling"),
        Faults(edges="rising", inverted=True),
        Faults(levels=False),
        Faults(levels=False, edges="falling"),
        Faults(lost=0.2, extra=0.1),
        Faults(rate_hz=0, jitter_us=20),
    ],
)
def test_other_ways_to_record_the_signal_are_aligned_too(faults: Faults) -> None:
    recorded = made(faults=faults)
    found = align(codes(), recorded.recording, "other")
    assert error_us(found, recorded) <= WITHIN_US
    assert found.edges == faults.edges or faults.inverted
    assert bool(found.warnings) == (faults.inverted or faults.edges != "both" or faults.lost > 0.1)


@pytest.mark.parametrize("tells_rate", [True, False])
@pytest.mark.parametrize("drift_ppm", [0.5, 50])
def test_the_stairs_of_coarse_sampling_are_no_steps(drift_ppm: float, tells_rate: bool) -> None:
    recorded = made(OtherClock(drift_ppm=drift_ppm), Faults(rate_hz=1000, tells_rate=tells_rate))
    found = align(codes(), recorded.recording, "other")
    assert found.gaps == []
    assert found.resolution_us == pytest.approx(1000, abs=0.1)
    assert error_us(found, recorded) <= 1000
    assert found.mapping.uncertainty_us >= 500


def test_a_part_of_the_session_is_aligned_and_the_rest_is_not_mapped() -> None:
    recorded = made(faults=Faults(from_s=1000, to_s=1300))
    found = align(codes(), recorded.recording, "other")
    assert whys(found) == [START, END]
    known = np.isfinite(found.mapping.to_other(np.array([900e6, 1010e6, 1290e6, 1400e6])))
    assert known.tolist() == [False, True, True, False]
    assert max(found.extrapolated_us) <= 5e6


def test_a_gap_is_bridged_where_both_sides_agree() -> None:
    recorded = made(faults=Faults(silent=((2000, 2400),)))
    found = align(codes(), recorded.recording, "other")
    assert whys(found) == [BRIDGED]
    assert error_us(found, recorded) <= WITHIN_US
    assert np.isfinite(found.mapping.to_other(2200e6))
    assert found.warnings == []


def test_a_gap_is_not_mapped_where_the_sides_disagree() -> None:
    recorded = made(OtherClock(wander_ppm=50), Faults(silent=((1500, 2400),)))
    found = align(codes(), recorded.recording, "other")
    assert whys(found) in ([SILENCE], [STEP])
    assert np.isnan(found.mapping.to_other(2000e6))
    assert error_us(found, recorded) <= 2 * WITHIN_US


def test_another_session_s_recording_is_refused() -> None:
    with pytest.raises(NotAlignedError, match="Possible causes: it is the recording of another session") as refused:
        align(codes(), made(signal=codes(2)).recording, "other")
    assert "codes of the same form" in refused.value.lines[0]


@pytest.mark.parametrize("frames_hz", [90, 120, 144, 240])
def test_a_film_of_the_signal_is_aligned_to_one_frame(frames_hz: float) -> None:
    filmed = made(faults=Faults(lost=0, extra=0, rate_hz=frames_hz, tells_rate=False))
    recording = replace(filmed.recording, times_s=np.round(filmed.recording.times_s, 6))
    found = align(codes(), recording, "led")
    assert found.matched == len(codes().t_us)
    assert found.resolution_us == pytest.approx(1e6 / frames_hz, rel=0.01)
    assert error_us(found, filmed) <= found.mapping.uncertainty_us


@pytest.mark.parametrize("frames_hz", [90.0, 120.0, 144.0])
def test_a_film_whose_frames_keep_step_with_the_bits_is_aligned(frames_hz: float) -> None:
    frame_us = 1e6 / frames_hz
    times = 100 + np.ceil(codes().t_us / frame_us) * frame_us * (1 + 40e-6) / 1e6
    found = align(codes(), recordings.Recording(times, codes().levels), "led")
    assert found.matched == len(codes().t_us)


def test_a_film_of_too_few_frames_is_refused_with_its_frames() -> None:
    filmed = made(faults=Faults(lost=0, extra=0, rate_hz=30, tells_rate=False))
    with pytest.raises(NotAlignedError, match=r"its times come in steps of 33\.3 ms, and a bit has 20 ms"):
        align(codes(), filmed.recording, "led")


def test_a_part_that_is_in_the_recording_twice_is_refused() -> None:
    twice = recordings.with_a_part_twice(made(), np.random.default_rng(1))
    with pytest.raises(NotAlignedError, match="two alignments fit"):
        align(codes(), twice.recording, "other")


def test_a_clock_that_was_started_again_is_refused_with_the_edges_of_both_parts() -> None:
    again = recordings.with_a_restart(made(), 0.5, in_order=False)
    with pytest.raises(RecordError, match="was started again") as refused:
        align(codes(), again.recording, "other")
    count = len(again.recording.times_s)
    first = count // 2
    assert refused.value.lines[1] == (
        f"Align each part by itself: --edges 1-{first}, and --edges {first + 1}-{count} with another --name"
    )
    for part in (again.recording.part(1, first), again.recording.part(first + 1, count)):
        assert align(codes(), part, "other").matched > 0.4 * count


def test_a_restarted_clock_whose_edges_were_sorted_is_refused() -> None:
    again = recordings.with_a_restart(made(), 0.5, in_order=True, start_s=2.0)
    with pytest.raises(NotAlignedError):
        align(codes(), again.recording, "other")


def test_times_in_another_unit_are_refused_with_the_unit() -> None:
    recording = made().recording
    with pytest.raises(NotAlignedError, match="1000 times shorter") as refused:
        align(codes(), replace(recording, times_s=recording.times_s * 1000), "other")
    assert "--unit" in refused.value.lines[1]


def test_rows_at_a_rate_are_no_sign_of_another_unit() -> None:
    with pytest.raises(NotAlignedError) as refused:
        align(recordings.codes(1, 0.2), Recording(np.arange(20_000) / 1000, None), "rows")
    assert "would fit" not in str(refused.value)


def test_noise_is_refused() -> None:
    times = np.sort(np.random.default_rng(1).uniform(0, 3600, 8000))
    with pytest.raises(NotAlignedError, match="no series of codes"):
        align(codes(), recordings.Recording(times, None), "other")


def test_a_few_codes_are_too_few() -> None:
    with pytest.raises(NotAlignedError):
        align(codes(), made(faults=Faults(from_s=1000, to_s=1011)).recording, "other")


@pytest.mark.parametrize("times", [[], [np.nan, 1.0], [np.inf]])
def test_a_recording_without_times_is_refused(times: list[float]) -> None:
    with pytest.raises(RecordError):
        align(codes(), recordings.Recording(np.array(times), None), "other")


def test_edges_that_are_in_the_file_twice_count_once() -> None:
    recording = made().recording
    twice = replace(recording, times_s=np.repeat(recording.times_s, 2), levels=np.repeat(recording.levels, 2))
    once, again = (align(codes(), each, "other") for each in (recording, twice))
    assert again.mapping.pieces == once.mapping.pieces
    assert "twice" in again.warnings[0]


@pytest.mark.parametrize("inverted", [False, True])
def test_a_whole_square_may_be_inverted_and_is_refused_without_a_time_nearby(inverted: bool) -> None:
    recorded = made(faults=Faults(around_s=600, inverted=inverted), signal=square())
    with pytest.raises(NotAlignedError, match="alignments fit"):
        align(square(), recorded.recording, "other")
    found = align(square(), recorded.recording, "other", near_s=100.1)
    assert found.inverted == inverted
    assert error_us(found, recorded) <= WITHIN_US
    assert any("assumed" in text for text in found.warnings)


def test_one_kind_of_edges_of_a_square_does_not_say_which_kind() -> None:
    recorded = made(faults=Faults(edges="rising", lost=0), signal=square())
    with pytest.raises(NotAlignedError, match="2 alignments fit"):
        align(square(), recorded.recording, "other")
    assert error_us(align(square(), recorded.recording, "other", near_s=99.9), recorded) <= WITHIN_US


def test_a_part_of_a_square_is_refused_without_a_time_nearby() -> None:
    recorded = made(faults=Faults(from_s=100, to_s=900), signal=square())
    with pytest.raises(NotAlignedError, match="alignments fit") as refused:
        align(square(), recorded.recording, "other")
    assert "--near" in refused.value.lines[1]
    found = align(square(), recorded.recording, "other", near_s=100.1)
    assert error_us(found, recorded) <= WITHIN_US
    with pytest.raises(NotAlignedError, match="leaves a choice"):
        align(square(), recorded.recording, "other", near_s=100.25)


def test_a_square_with_a_step_is_refused() -> None:
    recorded = made(OtherClock(steps=((1800, 0.3),)), signal=square())
    with pytest.raises(NotAlignedError):
        align(square(), recorded.recording, "other")


def test_a_square_of_a_longer_session_is_refused() -> None:
    recorded = made(signal=recordings.square(1.1))
    with pytest.raises(NotAlignedError, match="no counterpart"):
        align(square(), recorded.recording, "other")


def test_a_square_without_levels_is_refused_with_what_is_missing() -> None:
    with pytest.raises(NotAlignedError, match="rising") as refused:
        align(square(), made(faults=Faults(levels=False), signal=square()).recording, "other")
    assert "--level" in refused.value.lines[1]


@pytest.mark.parametrize("number", range(6))
def test_no_recording_is_aligned_wrongly(number: int) -> None:
    outcome = run(number)
    assert outcome.verdict != WRONG, outcome


@pytest.mark.campaign
def test_none_of_60_recordings_is_aligned_wrongly() -> None:
    outcomes = [run(number) for number in range(1000, 1060)]
    assert [outcome for outcome in outcomes if outcome.verdict == WRONG] == []


@pytest.mark.campaign
def test_none_of_10_000_recordings_is_aligned_wrongly_and_few_good_ones_are_refused() -> None:
    outcomes = [run(number) for number in range(30_000, 40_000)]
    assert [outcome for outcome in outcomes if outcome.verdict == WRONG] == []
    for kind in ("plain", "step", "wander", "one kind", "no levels", "coarse", "silent"):
        verdicts = [outcome.verdict for outcome in outcomes if outcome.kind == kind]
        assert verdicts.count(RIGHT) >= 0.98 * len(verdicts), kind
    assert {outcome.kind for outcome in outcomes} == set(KINDS)
