from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from sim_hardware.world.video import FLOOR, VideoOptions, film, write_video
from tests.camera.films import filmed, standing, tracking_of

STILL = VideoOptions(noise=0, p_dropped=0, p_hidden=0)


def test_a_picture_shows_the_light_where_it_is_and_its_reflection_beside_it() -> None:
    (shot, *_) = film(standing((10, 30)), tracking_of(), 0, 0.1, STILL)
    assert shot.image.shape == (480, 640)
    assert (shot.x_px, shot.y_px) == (340, 340)
    assert shot.image[340, 340] == 255
    assert shot.image[340 - 25, 340 + 60] > 200
    assert shot.image[10, 10] == FLOOR


def test_the_noise_of_the_sensor_is_as_large_as_asked_for() -> None:
    shots = list(film(standing((10, 30)), tracking_of(), 0, 0.5, VideoOptions(noise=8, p_dropped=0, p_hidden=0)))
    corner = np.stack([shot.image[:100, :100] for shot in shots]).astype(float)
    assert corner.std() == pytest.approx(8, rel=0.05)


def test_frames_are_dropped_and_the_light_is_hidden_as_often_as_asked_for() -> None:
    shots = list(filmed(20))
    assert sum(shot.dropped for shot in shots) / len(shots) == pytest.approx(0.01, abs=0.006)
    assert sum(shot.hidden for shot in shots) / len(shots) == pytest.approx(0.02, abs=0.015)


def test_a_camera_that_drops_a_frame_shows_the_one_before() -> None:
    shots = pairwise(filmed(10, VideoOptions(p_dropped=0.1)))
    before, dropped = next(pair for pair in shots if pair[1].dropped)
    assert dropped.image is before.image


def test_a_video_has_every_shot(tmp_path: Path) -> None:
    shots = write_video(tmp_path / "a.avi", filmed(0.5), 60)
    capture = cv2.VideoCapture(str(tmp_path / "a.avi"))
    assert (int(capture.get(cv2.CAP_PROP_FRAME_COUNT)), capture.get(cv2.CAP_PROP_FPS)) == (len(shots), 60) == (30, 60)
    capture.release()
