"""The camera's process, started as it is in a session, in real time."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rig.camera import process as module
from rig.camera.interface import FramePosition
from rig.camera.process import CameraProcess
from rig.core.errors import NotReadyError
from tests.camera.films import recorded, tracking_of

pytestmark = pytest.mark.real_time


class Watched:
    """A camera that is watched until it goes."""

    def __init__(self, camera: CameraProcess) -> None:
        self.camera = camera
        self.frame_positions: list[FramePosition] = []
        self.why = ""

    def watch(self, until: Callable[["Watched"], bool] = lambda watched: False) -> "Watched":
        async def main() -> None:
            gone = asyncio.Event()

            def see(frame_positions: Sequence[FramePosition]) -> None:
                self.frame_positions += frame_positions
                if until(self):
                    gone.set()

            def go(why: str) -> None:
                self.why = why
                gone.set()

            await self.camera.open()
            try:
                self.camera.watch(see, go)
                await asyncio.wait_for(gone.wait(), 20)
            finally:
                self.camera.close()

        asyncio.run(main())
        return self


def played(code: str) -> CameraProcess:
    """A process that says something else."""
    said = (
        "import json, sys, time\nfrom rig.platform.shared_sockets import open_shared\n"
        "sock = open_shared(json.loads(sys.stdin.readline())['socket'])\n"
    )
    return CameraProcess(tracking_of(), (sys.executable, "-c", said + textwrap.dedent(code)))


def test_a_video_is_watched_to_its_end(tmp_path: Path) -> None:
    video = recorded(tmp_path, 1.0)
    watched = Watched(CameraProcess(tracking_of(source=str(video)))).watch()
    assert watched.why == f"tracker: the video {video} has ended"
    numbers = [sighting.frame for sighting in watched.frame_positions]
    assert numbers == list(range(numbers[0], 60))
    assert sum(sighting.found for sighting in watched.frame_positions) >= 0.9 * len(numbers)
    steps = [
        then.raw_us - now.raw_us
        for now, then in zip(watched.frame_positions, watched.frame_positions[1:], strict=False)
    ]
    assert set(steps) <= {16_666, 16_667}


def test_a_camera_that_is_not_there_is_said_before_the_session() -> None:
    with pytest.raises(NotReadyError, match="tracker: there is no camera 97"):
        Watched(CameraProcess(tracking_of(source=97))).watch()


def test_a_process_that_is_killed_is_said_at_once(tmp_path: Path) -> None:
    camera = CameraProcess(tracking_of(source=str(recorded(tmp_path, 3.0))))

    def kill(watched: Watched) -> bool:
        if len(watched.frame_positions) == 10 and camera.pid is not None:
            os.kill(camera.pid, signal.SIGKILL)
        return False

    watched = Watched(camera).watch(kill)
    assert watched.why == "tracker: the camera's process has ended (status -9)"
    assert 10 <= len(watched.frame_positions) < 60


def test_a_camera_that_hangs_is_gone_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENT_S", 0.2)
    watched = Watched(played("sock.sendall(b'{\"ready\":[640,480]}\\n'); time.sleep(30)")).watch()
    assert watched.why == "tracker: the camera has given no picture for 0.2 s"


def test_without_opencv_the_extra_is_named() -> None:
    code = """
        import runpy, sys
        sys.modules["cv2"] = None
        runpy.run_module("rig.camera", run_name="__main__")
    """
    with pytest.raises(NotReadyError, match=r"needs OpenCV: pip install 'behavior-rig\[camera\]'"):
        Watched(CameraProcess(tracking_of(), (sys.executable, "-c", textwrap.dedent(code)))).watch()


def test_errors_before_the_display_started_are_shown_then() -> None:
    camera = played('sock.sendall(b\'{"ready":[1,1]}\\n{"error":"it fell"}\\n\'); time.sleep(30)')

    async def main() -> list[str]:
        told: list[str] = []
        await camera.open()
        await asyncio.sleep(0.1)
        camera.watch(lambda frame_positions: None, told.append)
        camera.close()
        camera.close()
        return told

    assert asyncio.run(main()) == ["it fell"]


def test_a_camera_ends_when_its_session_is_killed(tmp_path: Path) -> None:
    code = f"""
        import asyncio
        from dataclasses import replace
        from rig.camera.process import CameraProcess
        from tests.camera.films import tracking_of

        async def main():
            camera = CameraProcess(tracking_of(source={str(recorded(tmp_path, 20, hz=20))!r}))
            await camera.open()
            print(camera.pid, flush=True)
            await asyncio.sleep(60)

        asyncio.run(main())
    """
    session = subprocess.Popen((sys.executable, "-c", textwrap.dedent(code)), stdout=subprocess.PIPE, text=True)
    assert session.stdout is not None
    pid = int(session.stdout.readline())
    session.kill()
    session.wait()
    session.stdout.close()
    for _ in range(100):
        if not _lives(pid):
            return
        time.sleep(0.05)
    pytest.fail("the camera's process outlives its session")


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
