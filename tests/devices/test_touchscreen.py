"""The screen as a protocol sees it, and its section of a rig file."""

from typing import Any

import pytest
from pydantic import ValidationError

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import InputLog
from rig.core.errors import TaskError
from rig.core.model.actions import Order, Show
from rig.core.model.scene import DARK, Disk, Scene
from rig.devices import ScreenConfig, Touchscreen
from tests.tables import rows

SCENE = Scene(items=(Disk(x_cm=1, y_cm=1, diameter_cm=2, color="#ff0000", name="disk"),))


def config(**fields: Any) -> ScreenConfig:
    return ScreenConfig.model_validate({"px_per_cm": 26.2, **fields})


def test_a_scene_is_ordered_and_cleared_in_the_batch_of_the_task() -> None:
    orders = list[Order]()
    screen = Touchscreen(config()).linked(DeviceLink(orders.append, InputLog()))
    screen.show(SCENE)
    assert screen.scene == SCENE
    screen.clear()
    assert orders == [Show(SCENE), Show(DARK)]
    assert str(orders[0]) == f"show {SCENE.id}"


def test_it_occupies_no_channel_of_a_board_and_knows_its_size() -> None:
    screen = Touchscreen(config())
    assert list(screen.channels) == []
    assert (screen.width_cm, screen.height_cm) == pytest.approx((30.53, 22.90), abs=0.01)


def test_a_screen_is_not_used_before_the_session() -> None:
    with pytest.raises(TaskError, match="screen was used before the session began"):
        Touchscreen(config()).show(SCENE)


def test_its_size_is_given_in_pixels_or_in_centimeters() -> None:
    assert (config().spec().width_px, config().spec().height_px) == (800, 600)
    assert config(size_px=[1024, 768]).spec().height_px == 768
    spec = config(px_per_cm=40, size_cm=[30.5, 23.2]).spec()
    assert (spec.width_px, spec.height_px) == (1220, 928)
    assert (spec.width_cm, spec.height_cm) == (30.5, 23.2)


@rows("fields", "said")
def test_what_cannot_be_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        config(**fields)


def test_times_and_lengths_reach_the_hardware_in_its_own_units() -> None:
    spec = config(beak_debounce_ms=80, bounce_cm=0.5, response_ms=8, patch_cm=1.5, patch_corner="top_left").spec()
    assert (spec.debounce_us, spec.bounce_cm, spec.response_us) == (80_000, 0.5, 8_000)
    assert (spec.patch_cm, spec.patch_corner) == (1.5, "top_left")
