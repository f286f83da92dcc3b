from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rig.core.model.zones import CircularZone
from rig.devices import Tracker, TrackerConfig

CIRCLE = CircularZone("left", 1, 2, 30, 5, 1_000, 300_000)


def config(**fields: Any) -> TrackerConfig:
    return TrackerConfig.model_validate({"kind": "tracker", "px_per_cm": 2, "x_px": 320, "y_px": 400, **fields})


def test_a_tracker_is_on_no_board_and_says_what_its_camera_is_to_do() -> None:
    tracker = Tracker("tracker", config(camera=1, hz=50))
    assert tracker.channels == ()
    tracking = tracker.tracking([CIRCLE])
    assert (tracking.name, tracking.source, tracking.hz, tracking.circles) == ("tracker", 1, 50, (CIRCLE,))
    assert tracking.channels == ("left.zone",)


def test_a_video_is_looked_for_beside_the_rig_file() -> None:
    assert Tracker("t", config(video="a.avi")).tracking([], Path("rigs")).source == str(Path("rigs/a.avi"))
    assert Tracker("t", config(video="/a.avi")).tracking([], Path("rigs")).source == "/a.avi"


def test_pixels_are_centimeters_that_grow_upwards_from_where_the_rig_file_says() -> None:
    tracking = Tracker("t", config(camera=0)).tracking([])
    assert tracking.to_cm(320, 400) == (0, 0)
    assert tracking.to_cm(330, 380) == (5, 10)
    assert tracking.to_px(5, 10) == (330, 380)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "give camera: 0, or video: FILE"),
        ({"camera": 0, "video": "a.avi"}, "give camera: 0, or video: FILE"),
        ({"camera": 0, "min_area_px": 9, "max_area_px": 8}, r"min_area_px is 9, more than max_area_px \(8\)"),
    ],
)
def test_a_tracker_that_cannot_be_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        config(**fields)
