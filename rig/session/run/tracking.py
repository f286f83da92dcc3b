"""Record a camera's positions, and pass zone changes to the task.

A frame's time is mapped to the session's axis once, when it arrives, by the host's estimate of the board's clock. The
journal states the uncertainty: that of the estimate plus one frame, since the moment of exposure within the frame is
unknown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rig.camera.interface import Camera, FramePosition
from rig.core.errors import RecordError, RigError
from rig.core.journal.journal import Journal
from rig.core.model.board import Board
from rig.core.model.events import Event, ZoneEvent
from rig.core.model.microseconds import to_us
from rig.core.model.rig_spec import RigSpec, TrackingSpec
from rig.core.model.zones import ZoneDetector
from rig.records.track.positions import POSITIONS, PositionsFile, Sample

APPEND_EVERY_US = 500_000
"""Positions are appended this often, so a crash loses at most so much of the track."""


def build_track_recorder(
    plan: RigSpec, camera: Camera | None, folder: Path | None, indexed: Mapping[str, int] | None = None
) -> TrackRecorder | None:
    """Build the recorder of a rig with a tracker; without a folder no positions are kept. Raises ``RecordError``.

    ``indexed`` is of a session that goes on: how many records of each file in the folder its journal names.
    """
    if plan.tracking is None or camera is None:
        return None
    if folder is None:
        return TrackRecorder(plan.tracking, camera, None)
    end = None if indexed is None else indexed.get(POSITIONS, 0)
    return TrackRecorder(plan.tracking, camera, PositionsFile(folder, indexed=end))


class TrackRecorder:
    """Recorder of one animal's track; ``file`` gets its positions, None keeps none."""

    def __init__(self, tracking: TrackingSpec, camera: Camera, file: PositionsFile | None) -> None:
        self.tracking = tracking
        self._camera = camera
        self._file = file
        self._presence = ZoneDetector(tracking.circles)
        self._frame_us = to_us(1 / tracking.hz)
        self._uncertainty_us = 0
        self._samples: list[Sample] = []

    async def open(self) -> None:
        """Start the camera. Raises ``NotReadyError``."""
        await self._camera.open()

    def start(
        self,
        board: Board,
        journal: Journal,
        put: Callable[[Event], None],
        fail: Callable[[RigError], None],
        gone: Callable[[str], None],
    ) -> None:
        """Start tracking; ``fail`` is called if positions cannot be written, ``gone`` if the camera stops."""
        self._board, self._journal, self._put, self._fail = board, journal, put, fail
        self._camera.watch(self._on_frames, gone)

    def follow(self, board: Board) -> None:
        """Set the board by whose time the frames are stamped: it was opened again."""
        self._board = board

    def _on_frames(self, frame_positions: Sequence[FramePosition]) -> None:
        now_us, uncertainty_us = self._board.estimate_us()
        ahead_us = now_us - round(asyncio.get_running_loop().time() * 1e6)
        self._uncertainty_us = max(self._uncertainty_us, uncertainty_us + self._frame_us)
        for position in frame_positions:
            frame, raw_us, x_cm, y_cm = position
            t_us = raw_us + ahead_us
            if t_us < 0:  # exposed before the session's time began
                continue
            self._samples.append(Sample(t_us, raw_us, x_cm, y_cm, frame))
            # A frame without the animal says nothing of its place: it stays in its zone.
            if position.found:
                for channel, level, since_us in self._presence.update(t_us, x_cm, y_cm):
                    self._put(ZoneEvent(since_us, channel, level, since_us - ahead_us, uncertainty_us + self._frame_us))
        if self._samples and self._samples[-1].t_us - self._samples[0].t_us >= APPEND_EVERY_US:
            self._append()

    def _append(self) -> None:
        samples, self._samples = self._samples, []
        if self._file is None or not samples:
            return
        try:
            # The records before their line: after a crash in between no line names records that do not exist.
            self._journal.write(self._file.append(samples, self._uncertainty_us))
        except RecordError as error:
            self._file = None
            self._fail(error)
        self._uncertainty_us = 0

    def close(self) -> RigError | None:
        """Stop the camera and write the remaining positions; return the error, if any. Idempotent."""
        failures: list[RigError] = []
        # The session is ending: a failure is returned, and must not end it a second time.
        self._fail = failures.append
        self._camera.close()
        self._append()
        return failures[0] if failures else None
