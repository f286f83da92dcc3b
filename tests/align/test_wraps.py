"""Counters that begin again at 0 are counted on where that is certain, and refused where it is not."""

from dataclasses import replace

import numpy as np
import pytest

from rig.align.alignment import align
from rig.align.frames import number_frames
from rig.align.recording import Recording, checked
from rig.align.wraps import count_numbers_on, count_on
from rig.core.errors import ConfigError, RecordError
from tests.align import recordings
from tests.align.recordings import Faults, OtherClock, record

PERIOD_US = 10_000


@pytest.mark.parametrize(
    ("length_s", "second", "zero_s"),
    [(128.0, 1.0, 100.0), (2**32 / 1e6, 1e-6, 4200.0), (2**16 / 1e3, 1e-3, 60.0), (86_400.0, 1.0, 86_000.0)],
    ids=["Point Grey", "32 bits of us", "16 bits of ms", "midnight"],
)
def test_a_clock_that_begins_again_is_aligned(length_s: float, second: float, zero_s: float) -> None:
    signal, clock = recordings.codes(1, 0.3), OtherClock(zero_s=zero_s)
    made = record(signal, clock, Faults(), np.random.default_rng(3)).recording
    times_s, note = count_on(made.times_s % length_s, second)
    assert "began again at 0" in note
    found = align(signal, replace(made, times_s=times_s), "other")
    times = np.arange(5e6, 1000e6, 1e6)
    assert found.mapping.to_other(times) == pytest.approx(clock(times), abs=1e-4)


def test_a_clock_of_another_length_is_named_by_a_person() -> None:
    times_s = np.arange(0, 40, 0.25)
    wrapped = times_s % 17
    unchanged, note = count_on(wrapped, 1.0)
    assert (unchanged.tolist(), note) == (wrapped.tolist(), "")
    with pytest.raises(RecordError, match="is before that of edge") as refused:
        checked(Recording(unchanged, None))
    assert "--wrap S" in refused.value.lines[1]
    assert count_on(wrapped, 1.0, 17.0)[0] == pytest.approx(times_s)
    with pytest.raises(ConfigError, match=r"--wrap 12: the times reach from 0 to 16\.75 s"):
        count_on(wrapped, 1.0, 12.0)


@pytest.mark.parametrize("restart_s", [40.0, 90.0, 120.0])
def test_a_clock_that_was_started_again_is_not_counted_on(restart_s: float) -> None:
    times_s = np.arange(0, 130, 0.25)
    again = np.where(times_s < restart_s, times_s, times_s - restart_s)
    assert count_on(again, 1.0)[1] == ""


def frames_of(numbers: np.ndarray, edges_us: np.ndarray, *, with_times: bool = True) -> np.ndarray:
    times_s = edges_us * 1e-6 + 3 if with_times else np.full(len(numbers), np.nan)
    return number_frames(edges_us, Recording(times_s, None, numbers=numbers)).numbers


@pytest.mark.parametrize("with_times", [True, False])
@pytest.mark.parametrize(("bits", "first"), [(16, 64_000), (8, 3), (16, 0)])
def test_frame_numbers_of_few_bits_go_on(bits: int, first: int, with_times: bool) -> None:
    numbers = first + np.arange(3000)
    edges = 5_000_000 + PERIOD_US * np.arange(3000)
    assert frames_of(numbers % (1 << bits), edges, with_times=with_times).tolist() == numbers.tolist()


def test_frames_that_are_dropped_where_the_numbers_begin_again_are_counted() -> None:
    kept = np.delete(np.arange(3000), [1534, 1535, 1536, 1537, 1538])
    found = count_numbers_on((64_000 + kept) % 65_536, 3 + kept * 0.01)
    assert found.tolist() == (64_000 + kept).tolist()


def test_a_counter_that_leaves_out_0_is_found_by_the_times_or_by_its_turns() -> None:
    whole = 64_000 + np.arange(3000)
    numbers = (whole - 1) % 65_535 + 1
    assert numbers.min() == 1
    assert count_numbers_on(numbers, 3 + np.arange(3000) * 0.01).tolist() == whole.tolist()
    with pytest.raises(RecordError, match="may have left out 0: name the column of the times with --time"):
        count_numbers_on(numbers, None)
    short = np.arange(2000) % 255 + 1
    assert count_numbers_on(short, None).tolist() == (1 + np.arange(2000)).tolist()


def test_a_camera_that_was_started_again_is_refused() -> None:
    edges = 5_000_000 + PERIOD_US * np.arange(1000)
    numbers = np.concatenate([np.arange(600), np.arange(400)])
    with pytest.raises(RecordError, match="row 601: frame 0 comes after frame 599") as refused:
        frames_of(numbers, edges)
    assert "--edges 1-600" in refused.value.lines[1]
