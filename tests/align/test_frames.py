"""The frames of a camera get the edges of their exposures, or are refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.align.frames import frame_edges, number_frames
from rig.align.recording import Recording
from rig.align.refusal import NotAlignedError
from rig.core.errors import ConfigError, RecordError
from tests.align.sessions import session_with

PERIOD_US = 10_000
EDGES = 5_000_000 + PERIOD_US * np.arange(2000)


def recorded(kept: np.ndarray, *, first: int = 17, numbers: bool = True, times: bool = True) -> Recording:
    """The camera's file of some of its frames; its clock runs 50 ppm too fast, and jitters by 0.2 ms."""
    stamps = 33 + kept * PERIOD_US * 1e-6 * 1.00005 + np.random.default_rng(1).normal(0, 2e-4, len(kept))
    times_s = stamps if times else np.full(len(kept), np.nan)
    return Recording(times_s, None, numbers=first + kept if numbers else None)


@settings(max_examples=40)
@given(st.sets(st.integers(1, 1998), max_size=30), st.sampled_from([(True, True), (True, False), (False, True)]))
def test_dropped_frames_are_found(dropped: set[int], known: tuple[bool, bool]) -> None:
    kept = np.array([at for at in range(2000) if at not in dropped])
    found = number_frames(EDGES, recorded(kept, numbers=known[0], times=known[1]))
    assert (found.t_us == EDGES[kept]).all()
    assert found.measured.all()
    assert found.dropped_us.tolist() == EDGES[sorted(dropped)].tolist()
    assert found.numbers.tolist() == (kept + 17 if known[0] else np.arange(len(kept))).tolist()


def test_a_frame_whose_edge_was_lost_has_the_time_between_its_neighbors() -> None:
    found = number_frames(np.delete(EDGES, [700, 701]), recorded(np.arange(2000)))
    assert (found.t_us == EDGES).all()
    assert np.flatnonzero(~found.measured).tolist() == [700, 701]


def test_a_pause_of_the_camera_is_no_loss() -> None:
    edges = np.where(np.arange(2000) < 1000, EDGES, EDGES + 3_333_000)
    times = (edges - edges[0]) * 1e-6
    found = number_frames(edges, Recording(times, None))
    assert (found.t_us == edges).all()
    assert len(found.dropped_us) == 0


def test_a_pause_that_the_times_do_not_count_is_refused() -> None:
    edges = np.where(np.arange(2000) < 1000, EDGES, EDGES + 3_334_900)
    times = (edges - edges[0]) * 1e-6
    times[1000:] += 0.0003
    with pytest.raises(NotAlignedError):
        number_frames(edges, Recording(times, None))


PAUSED = np.where(np.arange(2000) < 1000, EDGES, EDGES + 3_334_900)


@pytest.mark.parametrize("first_frame", [None, 17])
@pytest.mark.parametrize("times", [True, False])
def test_a_camera_that_does_not_count_in_a_pause_has_a_frame_for_each_edge(
    first_frame: int | None, *, times: bool
) -> None:
    stamps = (PAUSED - PAUSED[0]) * 1.00005e-6 if times else np.full(2000, np.nan)
    kept = np.delete(np.arange(2000), [400, 1500])
    found = number_frames(PAUSED, Recording(stamps[kept], None, numbers=17 + kept), first_frame)
    assert (found.t_us == PAUSED[kept]).all()
    assert found.dropped_us.tolist() == PAUSED[[400, 1500]].tolist()


def test_a_first_frame_that_the_times_contradict_is_refused() -> None:
    stamps = (PAUSED - PAUSED[0]) * 1.00005e-6
    with pytest.raises(NotAlignedError, match="the camera's times and the edges differ"):
        number_frames(PAUSED, Recording(stamps, None, numbers=np.arange(2000)), first_frame=3)


def test_a_camera_with_another_rate_is_refused() -> None:
    other = Recording(np.arange(1000) * 2e-6 * PERIOD_US, None, numbers=np.arange(1000))
    with pytest.raises(NotAlignedError, match="frames are 20 ms apart, and the edges 10 ms"):
        number_frames(EDGES, other, first_frame=0)


@pytest.mark.parametrize("kept", [np.arange(1, 2000), np.arange(1999), np.arange(500, 900)])
def test_a_file_that_may_begin_at_more_than_one_edge_is_refused(kept: np.ndarray) -> None:
    with pytest.raises(NotAlignedError, match="alignments fit") as refused:
        number_frames(EDGES, recorded(kept))
    assert "--first-frame" in refused.value.lines[1]
    found = number_frames(EDGES, recorded(kept), first_frame=17)
    assert (found.t_us == EDGES[kept]).all()
    near = number_frames(EDGES, recorded(kept, numbers=False), near_s=33 - 5.0 * 1.00005)
    assert (near.t_us == EDGES[kept]).all()


def test_more_frames_than_edges_are_refused() -> None:
    with pytest.raises(NotAlignedError, match="no counterpart"):
        number_frames(EDGES[:1500], recorded(np.arange(2000)))


def test_numbers_that_contradict_the_times_are_refused() -> None:
    wrong = Recording(recorded(np.arange(0, 2000, 2)).times_s, None, numbers=np.cumsum(np.tile([1, 3], 500)))
    with pytest.raises(NotAlignedError, match="disagree"):
        number_frames(EDGES, wrong)


@pytest.mark.parametrize(
    "recording",
    [
        Recording(np.empty(0), None, numbers=np.empty(0, np.int64)),
        Recording(np.full(20, np.nan), None),
        Recording(np.full(20, np.nan), None, numbers=np.array([1, 2, 2, *range(3, 20)])),
        Recording(np.array([*range(19), 5.0]), None),
        Recording(np.full(20, np.nan), None, numbers=np.array([*range(19), 1 << 61])),
    ],
)
def test_files_without_order_are_refused(recording: Recording) -> None:
    with pytest.raises(RecordError):
        number_frames(EDGES, recording)


def test_the_edges_are_those_of_the_journal(tmp_path: Path) -> None:
    session = session_with(tmp_path, frames=EDGES[:30].tolist(), seconds=30)
    assert frame_edges(session, "camera.ttl").tolist() == EDGES[:30].tolist()
    with pytest.raises(ConfigError, match=r"inputs with edges: camera\.ttl"):
        frame_edges(session, "camera.frames")
