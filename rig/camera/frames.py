"""Frames of a camera, or of a video at its own frame rate."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import NamedTuple

import cv2

from rig.camera.led import Image
from rig.core.errors import NotReadyError
from rig.core.model.rig_spec import TrackingSpec


class Frame(NamedTuple):
    """A picture, its number, and when it was taken by the system's monotonic clock."""

    number: int
    raw_us: int
    image: Image


def open_frames(tracking: TrackingSpec) -> cv2.VideoCapture:
    """Open a camera or a video. Raises ``NotReadyError`` when there is none."""
    source = tracking.source
    # OpenCV takes a name also for a URL or a pattern of files, so its failure does not say that the file is missing.
    if isinstance(source, str) and not os.path.isfile(source):
        raise NotReadyError(f"{tracking.name}: there is no video {source}")
    capture = cv2.VideoCapture(source)
    if not capture.isOpened():
        raise NotReadyError(
            f"{tracking.name}: {source} is no video that OpenCV can read"
            if isinstance(source, str)
            else f"{tracking.name}: there is no camera {source}: is it plugged in, and is no other program using it?"
        )
    if not isinstance(source, str):
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, tracking.width_px)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, tracking.height_px)
        capture.set(cv2.CAP_PROP_FPS, tracking.hz)
        # With more buffers a process that is late would read a picture that is older than its stamp.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def frames(capture: cv2.VideoCapture, tracking: TrackingSpec) -> Iterator[Frame]:
    """Yield frames until the end; the number of a frame that a camera drops is skipped."""
    yield from _shown(capture, tracking) if isinstance(tracking.source, str) else _filmed(capture, tracking)


def _filmed(capture: cv2.VideoCapture, tracking: TrackingSpec) -> Iterator[Frame]:
    began_us, number = 0, -1
    # `grab` returns when a picture has arrived. `retrieve` decodes it, which must not count in its stamp.
    while capture.grab():
        raw_us = time.monotonic_ns() // 1000 - round(tracking.delay_ms * 1000)
        began_us = began_us or raw_us
        # From the time, so that dropped frames are missing among the numbers; never twice, although frames jitter.
        number = max(number + 1, round((raw_us - began_us) * tracking.hz / 1e6))
        there, image = capture.retrieve()
        if there:
            yield Frame(number, raw_us, image)


def _shown(capture: cv2.VideoCapture, tracking: TrackingSpec) -> Iterator[Frame]:
    # OpenCV returns 0 where it cannot read the rate.
    hz = capture.get(cv2.CAP_PROP_FPS) or tracking.hz
    began_us, number = time.monotonic_ns() // 1000, 0
    while capture.grab():
        # The nominal time of the frame: the lateness of `sleep` must not add up.
        raw_us = began_us + round(number * 1e6 / hz)
        time.sleep(max(0.0, (raw_us - time.monotonic_ns() // 1000) / 1e6))
        there, image = capture.retrieve()
        if there:
            yield Frame(number, raw_us, image)
        number += 1
