"""A recording with a row for each frame: only the changes of its level are edges."""

import numpy as np
import pytest

from rig.align.alignment import align
from rig.align.level_changes import only_changes
from rig.align.recording import Recording
from rig.align.refusal import NotAlignedError
from tests.align import recordings
from tests.align.recordings import OtherClock

CLOCK = OtherClock(zero_s=100.0, drift_ppm=40.0)


def sampled(rate_hz: float, hours: float = 0.2) -> Recording:
    """The level of a session's signal at each frame of a camera."""
    signal = recordings.codes(1, hours)
    frames_us = np.arange(0, hours * 3600e6, 1e6 / rate_hz)
    before = np.searchsorted(signal.t_us, frames_us, side="right") - 1
    levels = np.where(before >= 0, signal.levels[before.clip(0)], 0).astype(np.int8)
    return Recording(CLOCK(frames_us), levels)


@pytest.mark.parametrize("rate_hz", [120.0, 200.0, 1000.0])
def test_the_level_of_every_frame_is_aligned_to_a_frame(rate_hz: float) -> None:
    found = align(recordings.codes(1, 0.2), sampled(rate_hz), "frames")
    times = np.arange(1e6, 700e6, 1e6)
    assert np.abs(found.mapping.to_other(times) - CLOCK(times)).max() < 1 / rate_hz
    assert found.matched > 0.95 * len(recordings.codes(1, 0.2).t_us)
    assert found.mapping.uncertainty_us > 0.4e6 / rate_hz
    assert any("repeat the level" in warning for warning in found.warnings)


@pytest.mark.parametrize(
    "levels", [[1, 0, 1, 0, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1, 0, 1, 0, 1, 0, 1]], ids=["edges", "rising", "one lost"]
)
def test_edges_are_kept_as_they_are(levels: list[int]) -> None:
    recording = Recording(np.arange(len(levels), dtype=float), np.array(levels, np.int8))
    assert only_changes(recording, recordings.codes(1, 0.1)) is recording


def test_the_first_row_of_samples_is_no_edge() -> None:
    recording = Recording(np.arange(8.0), np.array([1, 1, 0, 0, 0, 1, 1, 1], np.int8), numbers=np.arange(8))
    found = only_changes(recording, recordings.codes(1, 0.1, bit_us=2_000_000, bits=0))
    assert (found.times_s.tolist(), found.resolution_s) == ([2.0, 5.0], 1.0)
    assert found.levels is not None
    assert found.numbers is not None
    assert (found.levels.tolist(), found.numbers.tolist()) == ([0, 1], [2, 5])


@pytest.mark.parametrize("rate_hz", [10.0, 30.0, 60.0])
def test_frames_that_are_too_slow_for_the_bits_are_named(rate_hz: float) -> None:
    with pytest.raises(NotAlignedError, match=r"rows are .* ms apart, .* last 20 ms"):
        align(recordings.codes(1, 0.2), sampled(rate_hz), "frames")


def test_edges_of_which_many_are_lost_are_no_rows_at_a_rate() -> None:
    signal = recordings.codes(1, 0.2)
    kept = np.random.default_rng(1).random(len(signal.t_us)) > 0.5
    recording = Recording(CLOCK(signal.t_us[kept]), signal.levels[kept])
    assert only_changes(recording, signal) is recording
