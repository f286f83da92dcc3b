"""Videos of a virtual animal in the maze, with the true position of the light in each frame, for tests of detectors.

A picture has a dark floor, a brighter maze, the light as a spot with soft edges, its dimmer reflection in the wall, and
the sensor's noise. Some frames are dropped: the frame before is then shown again. In some the light is hidden, by a
cable or a head. Needs the extra `camera`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from rig.core.model.rig_spec import TrackingSpec
from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint

Image: TypeAlias = npt.NDArray[np.uint8]

FLOOR, RAIL = 30, 60
NOISES = 16
"""Number of noise pictures, which are used in random order and position."""
FINE = 4
"""The light is drawn on a grid that is finer than the pixels by this factor."""


@dataclass(frozen=True)
class VideoOptions:
    """Quality of the camera and of the room; ``noise`` is the sensor's SD, of 255."""

    noise: float = 8.0
    led_px: float = 2.5
    led: float = 400.0
    reflection: float = 240.0
    reflected_px: tuple[float, float] = (60.0, -25.0)
    p_dropped: float = 0.01
    p_hidden: float = 0.02
    hidden_for: int = 4
    seed: int = 1


class VideoFrame(NamedTuple):
    """A picture as it arrives, the true position of the light, and whether light or frame was lost."""

    image: Image
    x_px: float
    y_px: float
    hidden: bool
    dropped: bool


def film(
    trajectory: Trajectory, tracking: TrackingSpec, from_s: float, until_s: float, how: VideoOptions
) -> Iterator[VideoFrame]:
    """Yield the frames of a stretch of a trajectory."""
    draw = random.Random(f"{how.seed}/film")
    noises = _noises(tracking, how)
    maze = _maze(trajectory.points, tracking)
    hidden, before = 0, maze.astype(np.uint8)
    for point in trajectory.samples(from_s, until_s, tracking.hz):
        x_px, y_px = tracking.to_px(point.x_cm, point.y_cm)
        # Each loss lasts `hidden_for` frames, so that the share of hidden frames is `p_hidden`.
        if draw.random() < how.p_hidden / how.hidden_for:
            hidden = how.hidden_for
        hidden, covered = max(0, hidden - 1), hidden > 0
        dropped = draw.random() < how.p_dropped
        if not dropped:
            bright = maze.copy()
            dx_px, dy_px = how.reflected_px
            _shine(bright, x_px + dx_px, y_px + dy_px, how.led_px, how.reflection)
            if not covered:
                _shine(bright, x_px, y_px, how.led_px, how.led)
            # Shifted at random: drawing new noise for every pixel takes six times as long.
            bright += np.roll(noises[int(draw.random() * NOISES)], int(draw.random() * maze.shape[1]), axis=1)
            before = np.clip(bright, 0, 255).astype(np.uint8)
        yield VideoFrame(before, x_px, y_px, covered, dropped)


def write_video(path: Path, shots: Iterator[VideoFrame], hz: float, codec: str = "MJPG") -> list[VideoFrame]:
    """Write a video to a file; return its frames without their pictures. Raises ``ValueError`` without a shot."""
    kept: list[VideoFrame] = []
    writer: cv2.VideoWriter | None = None
    for shot in shots:
        if writer is None:
            height, width = shot.image.shape
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), hz, (width, height), isColor=False)
        writer.write(shot.image)
        # Without the picture: those of a minute at 60 Hz and 640 by 480 pixels are 1.1 GB.
        kept.append(shot._replace(image=shot.image[:0]))
    if writer is None:
        raise ValueError(f"{path}: wanted a shot at least")
    writer.release()
    return kept


def _noises(tracking: TrackingSpec, how: VideoOptions) -> list[npt.NDArray[np.float32]]:
    draw = np.random.default_rng(how.seed)
    shape = (tracking.height_px, tracking.width_px)
    return [(how.noise * draw.standard_normal(shape)).astype(np.float32) for _ in range(NOISES)]


def _maze(points: Sequence[TrajectoryPoint], tracking: TrackingSpec) -> npt.NDArray[np.float32]:
    """Draw the maze along the animal's way."""
    picture = np.full((tracking.height_px, tracking.width_px), FLOOR, np.float32)
    ways = np.array([tracking.to_px(point.x_cm, point.y_cm) for point in points]).round().astype(np.int32)
    cv2.polylines(picture, [ways], isClosed=False, color=RAIL, thickness=round(10 * tracking.px_per_cm))
    return picture


def _shine(picture: npt.NDArray[np.float32], x_px: float, y_px: float, size_px: float, bright: float) -> None:
    """Add a spot of light whose brightness falls off as a bell; the sensor takes the mean over each pixel."""
    # Beyond four SDs a bell is below 0.04 % of its height.
    reach = int(4 * size_px) + 2
    left, top = int(x_px) - reach, int(y_px) - reach
    right, bottom = min(left + 2 * reach, picture.shape[1]), min(top + 2 * reach, picture.shape[0])
    left, top = max(0, left), max(0, top)
    if left < right and top < bottom:
        columns, rows = (
            np.exp(-0.5 * ((_grid(first, last) - middle) / size_px) ** 2).reshape(-1, FINE).mean(axis=1)
            for first, last, middle in ((left, right, x_px), (top, bottom, y_px))
        )
        picture[top:bottom, left:right] += (bright * np.outer(rows, columns)).astype(np.float32)


def _grid(first: int, last: int) -> npt.NDArray[np.float64]:
    """Return the centers of a fine grid; the center of a pixel is at its number."""
    return first - 0.5 + (np.arange((last - first) * FINE) + 0.5) / FINE
