"""A touch screen: shows scenes and reports pecks. It is connected to the computer, not to a board."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from rig.core.model.actions import Show
from rig.core.model.events import FrameShown, Hover, Key, Touch
from rig.core.model.patterns import ScreenPattern
from rig.core.model.scene import DARK, Scene
from rig.core.model.screen import ScreenSpec
from rig.devices.base import Device, StrictModel

NAME = "screen"
"""The name of the screen in the rig file and in a protocol's box: a rig has at most one."""

USUAL_PX = (800, 600)


class ScreenConfig(StrictModel):
    """The section ``screen:`` of a rig file."""

    px_per_cm: float = Field(
        gt=1, le=1000, description="its calibration: pixels of a line on the glass, over its length with a ruler"
    )
    size_px: tuple[int, int] | None = Field(
        default=None, description="width and height of the picture in pixels; 800 and 600 when no size is given"
    )
    size_cm: tuple[float, float] | None = Field(
        default=None, description="or its width and height in centimeters, from which px_per_cm makes pixels"
    )
    monitor: str | None = Field(
        default=None, description="the monitor, as the system calls it, such as HDMI-1; the first when not given"
    )
    full_screen: bool = Field(
        default=True, description="cover the whole monitor, the picture in its middle; false: a window of its size"
    )
    pointer: Literal["touch", "mouse", "any"] = Field(
        default="touch", description="what the subject touches with; touch: no session without a touch screen"
    )
    beak_debounce_ms: float = Field(
        default=50, ge=0, le=1000, description="a contact so soon after the last near it is a bounce, and no peck"
    )
    bounce_cm: float = Field(default=1, ge=0, le=100, description="how near that is")
    response_ms: float = Field(
        default=20, ge=0, le=1000, description="so late it may report a contact (its data sheet): part of every stamp"
    )
    patch_cm: float = Field(
        default=0, ge=0, le=10, description="side of the square that goes from black to white and back with each change"
    )
    patch_corner: Literal["bottom_right", "bottom_left", "top_right", "top_left"] = Field(
        default="bottom_right", description="where that square is, under a photodiode"
    )
    photodiode: str | None = Field(
        default=None, description="the device of kind ttl_in that the photodiode drives; its edges are the light itself"
    )

    @model_validator(mode="after")
    def _one_size(self) -> ScreenConfig:
        if self.size_px is not None and self.size_cm is not None:
            raise ValueError("give its size once: size_px or size_cm, not both")
        if not all(100 <= side <= 20_000 for side in self._pixels()):
            width, height = self._pixels()
            raise ValueError(f"a picture of {width} by {height} pixels: each must be 100 to 20000; is px_per_cm right?")
        return self

    @model_validator(mode="after")
    def _something_to_look_at(self) -> ScreenConfig:
        if self.photodiode is not None and not self.patch_cm:
            raise ValueError("a photodiode needs a square to look at: give patch_cm, such as 1")
        return self

    def _pixels(self) -> tuple[int, int]:
        if self.size_cm is not None:
            width_cm, height_cm = self.size_cm
            return round(width_cm * self.px_per_cm), round(height_cm * self.px_per_cm)
        return self.size_px or USUAL_PX

    def spec(self) -> ScreenSpec:
        """Return of the screen what the hardware needs to know."""
        width_px, height_px = self._pixels()
        return ScreenSpec(
            width_px=width_px,
            height_px=height_px,
            px_per_cm=self.px_per_cm,
            monitor=self.monitor,
            full_screen=self.full_screen,
            pointer=self.pointer,
            debounce_us=round(self.beak_debounce_ms * 1000),
            bounce_cm=self.bounce_cm,
            response_us=round(self.response_ms * 1000),
            patch_cm=self.patch_cm,
            patch_corner=self.patch_corner,
            photodiode=self.photodiode,
        )


class Touchscreen(Device):
    """A touch screen: show a scene, wait until the scene has ``appeared``, or until the screen is ``pecked``.

    A peck is a touch that is no bounce. Every contact is in the journal, whether or not a protocol asks for it.
    """

    section = NAME
    # On the class: a rig has at most one screen, so these patterns are the same for all.
    touched: ScreenPattern[Touch] = ScreenPattern("screen.down")
    moved: ScreenPattern[Touch] = ScreenPattern("screen.move")
    lifted: ScreenPattern[Touch] = ScreenPattern("screen.up")
    pecked: ScreenPattern[Touch] = ScreenPattern("screen.peck")
    typed: ScreenPattern[Key] = ScreenPattern("screen.key")
    hovered: ScreenPattern[Hover] = ScreenPattern("screen.hover")
    appeared: ScreenPattern[FrameShown] = ScreenPattern("screen.shown")

    def __init__(self, config: ScreenConfig) -> None:
        super().__init__(NAME)
        spec = config.spec()
        self.width_cm, self.height_cm = spec.width_cm, spec.height_cm
        self.scene = DARK
        """The scene that was ordered last; a touch says itself what it is on."""

    @property
    def input_names(self) -> tuple[str, ...]:
        """Return its own name, under which the journal has the touches."""
        return (self.name,)

    def show(self, scene: Scene) -> None:
        """Show a scene in place of the last one."""
        self.scene = scene
        self.order(Show(scene))

    def clear(self) -> None:
        """Show a black screen."""
        self.show(DARK)
