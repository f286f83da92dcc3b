"""The frames of a camera are read as `rig align` wrote them, or refused with the line that is wrong."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.align.document import frames_table
from rig.core.errors import RecordError
from rig.records.alignments.camera_frames import CameraFrame, frame_files, read_frames
from tests.records.alignment_files import put_beside, put_frames

FRAMES = st.builds(CameraFrame, st.integers(0, 2**48), st.integers(0, 2**48) | st.none(), st.booleans()).filter(
    lambda frame: frame.t_us is not None or not frame.edge
)


@settings(max_examples=30, deadline=None)
@given(st.lists(FRAMES, max_size=6))
def test_frames_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, frames: list[CameraFrame]
) -> None:
    times = np.array([np.nan if frame.t_us is None else frame.t_us for frame in frames], dtype=float)
    text = frames_table([frame.number for frame in frames], times, [frame.edge for frame in frames])
    path = put_beside(tmp_path_factory.mktemp("session"), "frames_camera.ttl.csv", text)
    assert read_frames(path) == frames


def test_the_files_are_found_by_their_input(tmp_path: Path) -> None:
    assert frame_files(tmp_path) == {}
    paths = {channel: put_frames(tmp_path, channel) for channel in ("camera.ttl", "s" * 64, "side")}
    put_beside(tmp_path, "frames_.csv", "")
    put_beside(tmp_path, "probe.json", "{}")
    assert frame_files(tmp_path) == paths


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", 1),
        ("frame,t_us\n1,2\n", 1),
        ("frame,t_us,edge\n0,1000,1\n1,x,1\n", 3),
        ("frame,t_us,edge\n0,,1\n", 2),
        ("frame,t_us,edge\n0,1000,2\n", 2),
        ("frame,t_us,edge\n0,1000\n", 2),
        (f"frame,t_us,edge\n{'9' * 5000},1000,1\n", 2),
        ("frame,t_us,edge\n=1+1,1000,1\n", 2),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(tmp_path: Path, content: str, line: int) -> None:
    path = put_beside(tmp_path, "frames_a.csv", content)
    with pytest.raises(RecordError, match=rf"frames_a\.csv: line {line}: wanted"):
        read_frames(path)


def test_what_is_no_text_or_no_file_is_refused(tmp_path: Path) -> None:
    path = put_frames(tmp_path, "a")
    path.write_bytes(b"frame,t_us,edge\n\xff\n")
    with pytest.raises(RecordError, match="frames_a"):
        read_frames(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(RecordError, match="is no file"):
        read_frames(path)
