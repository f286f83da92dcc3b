"""What a session does with a camera: where positions go, what becomes of a camera that is not there or goes."""

import asyncio
import datetime
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from rig.boards.driver_lookup import Connection
from rig.camera.interface import Camera, FramePosition, OnGone, OnSeen
from rig.camera.process import CameraProcess
from rig.core.errors import NotReadyError, RecordError
from rig.core.journal.kinds import FAULTS, PositionsLine
from rig.core.model.events import ZoneEvent
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.records.journal.read import read_journal
from rig.records.track import positions as records
from rig.records.track.read import read_positions
from rig.session.run import run_session as module
from rig.session.run.run_session import SessionResult
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import SimDriver
from tests.camera.films import recorded, tracking_of, walk
from tests.harness import FaultHarness, run_as, run_harness
from tests.session_ends import footer_of
from tests.session_specs import protocol_spec

ON_BEAMS, ON_CIRCLES = "sim_t_maze_tracked", "sim_t_maze_circles"
NOWHERE = float("nan")


class Scripted(Camera):
    """A camera that sees what it is told, at 60 Hz, and goes when it is told."""

    def __init__(self, *places: tuple[float, float], goes_s: float | None = None, missing: str = "") -> None:
        self._places, self._goes_s, self._missing = places, goes_s, missing
        self.closed = 0

    async def open(self) -> None:
        if self._missing:
            raise NotReadyError(self._missing)

    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        loop = asyncio.get_running_loop()
        now_us = round(loop.time() * 1e6)
        for frame, (x_cm, y_cm) in enumerate(self._places):
            position = FramePosition(frame, now_us + round(frame * 1e6 / 60), x_cm, y_cm)
            loop.call_later(frame / 60 + 0.02, on_seen, [position])
        if self._goes_s is not None:
            loop.call_later(self._goes_s, on_gone, "tracker: it fell from its stand")

    def close(self) -> None:
        self.closed += 1


def session(camera: Camera, folder: Path | None = None, rig: str = ON_CIRCLES, **values: Any) -> FaultHarness:
    """A session of 10 s with no animal in the maze except for the camera."""
    return run_harness(
        protocol_spec("delay_discounting", rig, **{"stop_session_s": 10, **values}), camera=camera, folder=folder
    )


def crossings(harness: FaultHarness) -> list[tuple[str, int, int]]:
    return [(line.channel, line.level, line.t_us) for line in harness.of_kind(ZoneEvent)]


# --- positions ------------------------------------------------------------------------------------------------


def test_positions_are_appended_every_half_second_and_the_journal_says_where_they_are(tmp_path: Path) -> None:
    places = [(float(frame), 100.0) for frame in range(100)]
    harness = session(Scripted(*places), tmp_path)
    found = read_positions(tmp_path / "positions.bin", harness.journal)
    assert [(sample.frame, sample.x_cm, sample.y_cm) for sample in found.samples] == [
        (frame, x_cm, y_cm) for frame, (x_cm, y_cm) in enumerate(places)
    ]
    assert (found.missing, found.unindexed) == (0, 0)
    blocks = harness.of_kind(PositionsLine)
    assert [(line.first, line.samples) for line in blocks] == [(0, 31), (31, 31), (62, 31), (93, 7)]
    assert harness.journal[-3] is blocks[-1], "what was left is written before the end"


def test_camera_time_is_mapped_on_the_sessions_axis_and_how_far_it_may_be_off_is_said(tmp_path: Path) -> None:
    harness = session(Scripted(*[(0.0, 100.0)] * 60), tmp_path)
    samples = read_positions(tmp_path / "positions.bin", harness.journal).samples
    opened_us = samples[0].raw_us - samples[0].t_us
    assert all(abs(sample.raw_us - sample.t_us - opened_us) < 1_000 for sample in samples)
    frame_us = 16_667
    assert all(frame_us <= line.uncertainty_us < frame_us + 2_000 for line in harness.of_kind(PositionsLine))


def test_frames_from_before_the_session_are_not_its_own(tmp_path: Path) -> None:
    class Early(Scripted):
        def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
            on_seen([FramePosition(0, -5_000_000, 0.0, 0.0), FramePosition(1, 5_000, 0.0, 0.0)])

    harness = session(Early(), tmp_path)
    assert [sample.frame for sample in read_positions(tmp_path / "positions.bin", harness.journal).samples] == [1]


def test_positions_that_cannot_be_written_end_the_session_with_everything_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*of: object) -> None:
        raise RecordError("positions.bin: the disk is full")

    monkeypatch.setattr(records.PositionsFile, "append", full)
    (tmp_path / "short").mkdir()
    harness = session(Scripted(*[(0.0, 100.0)] * 600), tmp_path)
    assert (harness.footer.reason, harness.footer.detail) == ("fault", "positions.bin: the disk is full")
    assert harness.footer.t_us < 600_000
    assert harness.on_at_the_end() == []
    short = session(Scripted(*[(0.0, 100.0)] * 20), tmp_path / "short")
    assert (short.footer.reason, short.footer.detail) == ("fault", "positions.bin: the disk is full")
    assert short.footer.t_us == 10_000_000
    assert short.of_kind(*FAULTS) == []


# --- zones ----------------------------------------------------------------------------------------------------


def test_a_crossing_is_dated_by_the_first_frame_that_shows_it() -> None:
    places = [(0.0, 50.0)] * 30 + [(0.0, 0.0)] * 30 + [(NOWHERE, NOWHERE)] * 10 + [(0.0, 50.0)] * 30
    (entered, left) = crossings(session(Scripted(*places)))
    assert entered[:2] == ("start.zone", 1)
    assert entered[2] == pytest.approx(500_000, abs=5_000)
    assert left[:2] == ("start.zone", 0)
    assert left[2] == pytest.approx(70e6 / 60, abs=5_000)


def test_zones_of_a_tracker_count_among_the_inputs_that_never_changed() -> None:
    assert "left.zone" in session(Scripted()).footer.inactive_inputs


# --- a camera that is not there, or goes ----------------------------------------------------------------------


def test_a_camera_that_is_not_there_is_said_before_anything_happens() -> None:
    camera = Scripted(missing="tracker: there is no camera 0")
    with pytest.raises(NotReadyError, match="there is no camera 0"):
        session(camera)
    assert camera.closed == 1


def test_a_camera_that_goes_ends_a_session_whose_zones_it_tells(tmp_path: Path) -> None:
    camera = Scripted(*[(0.0, 0.0)] * 100, goes_s=2.0)
    harness = session(camera, tmp_path)
    assert (harness.footer.reason, harness.footer.detail) == ("fault", "tracker: it fell from its stand")
    assert harness.footer.t_us == pytest.approx(2e6, abs=50_000)
    assert harness.faults == ["camera"]
    assert len(read_positions(tmp_path / "positions.bin", harness.journal).samples) == 100
    assert camera.closed == 1


def test_a_camera_that_goes_leaves_a_session_on_beams_to_go_on(tmp_path: Path) -> None:
    harness = session(Scripted(*[(0.0, 0.0)] * 100, goes_s=2.0), tmp_path, ON_BEAMS)
    assert harness.footer.reason == "time_limit"
    (lost,) = harness.notes("camera_lost")
    assert lost.fields["detail"] == "tracker: it fell from its stand"
    assert len(read_positions(tmp_path / "positions.bin", harness.journal).samples) == 100


# --- whole sessions -------------------------------------------------------------------------------------------


class Filmed(SimDriver):
    """A simulated board under a camera of the test's own."""

    def __init__(self, make: Callable[[], Camera]) -> None:
        self._make = make

    def camera(self, connection: Connection, plan: RigSpec) -> Camera | None:
        return self._make()


def performed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: Camera) -> SessionResult:
    monkeypatch.setattr(module, "find_driver", lambda name: Filmed(lambda: camera))
    start = datetime.datetime(2026, 11, 21, 9)
    prepared = protocol_spec("delay_discounting", ON_CIRCLES, stop_session_s=10)
    return run_as(
        prepared, SessionRequest(data=tmp_path, subject="R1", seed=1, start=start, simulation=SimulationOptions())
    )


def test_the_positions_lie_beside_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = performed(tmp_path, monkeypatch, Scripted(*[(0.0, 0.0)] * 100))
    lines = read_journal(done.folder)
    assert len(read_positions(done.folder / "positions.bin", lines).samples) == 100


@pytest.mark.real_time
def test_a_video_goes_through_a_process_into_positions_that_are_right_to_a_pixel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracking = tracking_of(source=str(recorded(tmp_path, 1.5)))
    monkeypatch.setattr(module, "find_driver", lambda name: Filmed(lambda: CameraProcess(tracking)))
    order = SessionRequest(
        data=tmp_path,
        subject="R1",
        seed=1,
        start=datetime.datetime(2026, 11, 21, 9),
        simulation=SimulationOptions(),
        speed=None,
    )
    folder = run_as(protocol_spec("delay_discounting", ON_CIRCLES), order).folder
    lines = read_journal(folder)
    assert footer_of(folder).detail.endswith("rat.avi has ended"), "the session goes on until the film is over"
    samples = read_positions(folder / "positions.bin", lines).samples
    # Those of before the session are missing at the front; on a slow machine the film is late, but it has every frame.
    assert [sample.frame for sample in samples] == list(range(90))[-len(samples) :]
    assert len(samples) > 10
    off_px = [
        2 * math.dist((sample.x_cm, sample.y_cm), walk().at(sample.frame / 60))
        for sample in samples
        if not math.isnan(sample.x_cm)
    ]
    assert median(off_px) <= 0.2
    steps_us = [then.t_us - now.t_us for now, then in pairwise(samples)]
    assert median(steps_us) == pytest.approx(1e6 / 60, abs=200)
    assert [line.channel for line in lines if isinstance(line, ZoneEvent)] == ["start.zone"] * 2


def test_a_session_without_its_camera_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotReadyError):
        performed(tmp_path, monkeypatch, Scripted(missing="tracker: there is no camera 0"))
    assert not list((tmp_path / "R1").glob("2026*"))
