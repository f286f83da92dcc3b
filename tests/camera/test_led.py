"""The finder of the light, on pictures as a camera makes them: noise, a reflection, frames that are dropped or dark."""

import math
from collections.abc import Iterable
from statistics import median

import cv2
import numpy as np
import pytest

from rig.camera.led import Blob, Image, LedFinder
from sim_hardware.world.video import VideoFrame, VideoOptions, film
from tests.camera.films import filmed, standing, tracking_of


def errors(shots: Iterable[VideoFrame]) -> tuple[list[float], int, int]:
    """How far off the light was found where it was seen; how often it was missed; how often found while hidden."""
    finder, far, missed, invented = LedFinder(tracking_of()), [], 0, 0
    for number, shot in enumerate(shots):
        found = finder.find(number, shot.image)
        if shot.dropped:  # the picture shows where it was before
            continue
        if shot.hidden:
            invented += found is not None
        elif found is None:
            missed += 1
        else:
            far.append(math.dist(found, (shot.x_px, shot.y_px)))
    return far, missed, invented


def dark() -> Image:
    return np.full((480, 640), 30, np.uint8)


def lit(*spots: tuple[int, int, int, int]) -> Image:
    """A dark picture with squares: left, top, size, brightness."""
    picture = dark()
    for left, top, size, bright in spots:
        picture[top : top + size, left : left + size] = bright
    return picture


def test_the_light_is_found_to_a_tenth_of_a_pixel_through_noise_beside_its_reflection() -> None:
    far, missed, invented = errors(filmed(how=VideoOptions(noise=8)))
    assert len(far) > 1_100
    assert median(far) <= 0.1
    assert max(far) <= 2
    assert missed <= 3
    assert invented == 0


def test_more_noise_than_any_sensor_makes_costs_little() -> None:
    far, missed, _ = errors(filmed(10, VideoOptions(noise=20)))
    assert median(far) <= 0.2
    assert missed <= 5


def test_a_reflection_close_by_is_hardly_ever_taken_for_the_light() -> None:
    far, _, _ = errors(filmed(how=VideoOptions(reflected_px=(14, -8))))
    assert sum(each > 5 for each in far) <= 0.01 * len(far)


def test_where_there_is_no_light_nothing_is_found() -> None:
    finder = LedFinder(tracking_of())
    assert finder.find(0, dark()) is None
    assert finder.find(1, lit((10, 10, 1, 255))) is None  # a pixel that is broken
    assert finder.find(2, lit((10, 10, 40, 255))) is None  # a hand, a lamp


def test_the_middle_is_that_of_the_pixels_in_color_as_in_gray() -> None:
    picture = lit((100, 200, 5, 250))
    assert LedFinder(tracking_of()).find(0, picture) == pytest.approx((102, 202))
    assert LedFinder(tracking_of()).find(0, cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)) == pytest.approx((102, 202))


def test_a_light_at_the_edge_of_the_picture_is_found() -> None:
    assert LedFinder(tracking_of()).find(0, lit((0, 0, 4, 250))) == pytest.approx((1.5, 1.5))


def test_blobs_know_how_bright_they_are() -> None:
    blobs = LedFinder(tracking_of()).blobs(lit((10, 10, 3, 220), (50, 60, 4, 255)))
    assert blobs == [Blob(11, 11, 9 * 120), Blob(51.5, 61.5, 16 * 155)]


def test_what_no_animal_can_have_reached_is_not_the_light() -> None:
    finder = LedFinder(tracking_of())
    assert finder.find(0, lit((100, 100, 5, 250))) is not None
    assert finder.find(1, lit((300, 100, 5, 250))) is None
    assert finder.find(30, lit((300, 100, 5, 250))) is not None  # half a second later it may be there


def test_what_is_much_dimmer_than_the_light_has_been_is_its_reflection() -> None:
    finder = LedFinder(tracking_of())
    assert finder.find(0, lit((100, 100, 5, 250))) is not None
    assert finder.find(1, lit((100, 100, 3, 220))) is None


def test_a_light_that_has_become_dimmer_for_good_is_found_again() -> None:
    finder = LedFinder(tracking_of())
    finder.find(0, lit((100, 100, 5, 250)))
    found = [finder.find(frame, lit((100, 100, 3, 220))) is not None for frame in range(1, 121)]
    assert not any(found[:30])
    assert all(found[-30:])


def test_who_follows_a_reflection_sees_the_light_that_is_brighter_after_some_frames() -> None:
    finder = LedFinder(tracking_of())
    dim, bright = (100, 100, 4, 250), (300, 100, 5, 250)
    finder.find(0, lit(dim))
    found = [finder.find(frame, lit(dim, bright)) for frame in range(1, 10)]
    assert [round(place[0]) for place in found if place is not None] == [102] * 4 + [302] * 5


def test_a_jump_of_the_head_is_followed() -> None:
    far, missed, _ = errors(
        film(standing((0, 0), (2.5, 0)), tracking_of(), 0, 2, VideoOptions(p_dropped=0, p_hidden=0))
    )
    assert max(far) < 0.5
    assert missed == 0
