from pathlib import Path

import pytest

from rig.camera import frames as module
from rig.camera.frames import frames, open_frames
from rig.core.errors import NotReadyError
from tests.camera.films import recorded, tracking_of


class Clock:
    """Time that passes with every sleep, and a little with every reading."""

    def __init__(self) -> None:
        self.now_us = 5_000_000

    def monotonic_ns(self) -> int:
        self.now_us += 10
        return self.now_us * 1000

    def sleep(self, seconds: float) -> None:
        self.now_us += round(seconds * 1e6)


class Webcam:
    """A camera that gives a picture whenever its clock says so, and then no more."""

    def __init__(self, clock: Clock, *gaps_ms: float) -> None:
        self._clock, self._gaps = clock, list(gaps_ms)

    def grab(self) -> bool:
        if not self._gaps:
            return False
        self._clock.sleep(self._gaps.pop(0) / 1000)
        return True

    def retrieve(self) -> tuple[bool, str]:
        return True, "picture"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_a_camera_that_is_not_there_is_named() -> None:
    with pytest.raises(NotReadyError, match="tracker: there is no camera 97: is it plugged in"):
        open_frames(tracking_of(source=97))


def test_a_video_that_is_not_there_or_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    with pytest.raises(NotReadyError, match=r"tracker: there is no video .*a\.avi"):
        open_frames(tracking_of(source=str(path)))
    path.write_bytes(b"no video")
    with pytest.raises(NotReadyError, match=r"tracker: .*a\.avi is no video that OpenCV can read"):
        open_frames(tracking_of(source=str(path)))


def test_a_video_is_shown_at_its_own_pace_and_ends(tmp_path: Path, clock: Clock) -> None:
    tracking = tracking_of(source=str(recorded(tmp_path, 0.5, hz=30)))
    shown = list(frames(open_frames(tracking), tracking))
    assert [frame.number for frame in shown] == list(range(15))
    began_us = shown[0].raw_us
    assert [frame.raw_us - began_us for frame in shown] == [round(n * 1e6 / 30) for n in range(15)]
    assert shown[-1].raw_us <= clock.now_us <= shown[-1].raw_us + 10_000
    assert shown[0].image.shape[:2] == (480, 640)


def test_frames_that_a_camera_drops_are_missing_among_the_numbers(clock: Clock) -> None:
    camera = Webcam(clock, 0, 16.7, 16.7, 50.1, 15, 18)
    found = list(frames(camera, tracking_of(source=0, delay_ms=20)))  # type: ignore[arg-type]
    assert [frame.number for frame in found] == [0, 1, 2, 5, 6, 7]
    assert found[0].raw_us == 5_000_010 - 20_000
