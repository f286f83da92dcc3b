"""A camera overhead that follows one animal by a light that it wears."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, model_validator

from rig.core.model.rig_spec import TrackingSpec
from rig.core.model.zones import CircularZone
from rig.devices.base import Device, DeviceConfig


class TrackerConfig(DeviceConfig):
    """A tracker in the rig file."""

    camera: int | None = Field(default=None, ge=0, description="which camera, as the system counts them from 0")
    video: str | None = Field(
        default=None, min_length=1, description="a recorded video instead of a camera; counted from the rig file"
    )
    px_per_cm: float = Field(gt=0, le=1000, description="pixels of a centimeter, at the height of the light")
    x_px: float = Field(description="where 0 cm is seen, from the left edge of the picture")
    y_px: float = Field(description="where 0 cm is seen, from the top of the picture; centimeters grow upwards")
    hz: float = Field(default=60, ge=10, le=240, description="frames in a second")
    width_px: int = Field(default=640, ge=64, le=4096, description="width of the picture, asked of the camera")
    height_px: int = Field(default=480, ge=64, le=4096, description="height of the picture, asked of the camera")
    threshold: int = Field(default=200, ge=1, le=254, description="the light is brighter than this, of 255")
    min_area_px: int = Field(default=3, ge=1, description="what is smaller is noise")
    max_area_px: int = Field(default=400, ge=1, description="what is larger is no light: a hand, a lamp, the sun")
    fastest_cm_s: float = Field(
        default=300, gt=0, description="no animal is faster: what is farther off is a reflection, or another animal"
    )
    delay_ms: float = Field(
        default=0, ge=0, le=500, description="from a frame's exposure to its arrival at the computer, if measured"
    )

    @model_validator(mode="after")
    def _one_source(self) -> TrackerConfig:
        if (self.camera is None) == (self.video is None):
            raise ValueError("a tracker looks through a camera or at a video: give camera: 0, or video: FILE")
        if self.min_area_px > self.max_area_px:
            raise ValueError(f"min_area_px is {self.min_area_px}, more than max_area_px ({self.max_area_px})")
        return self


class Tracker(Device):
    """A camera that follows an animal; a protocol uses it through zones that are circles."""

    Config = TrackerConfig

    def __init__(self, name: str, config: TrackerConfig) -> None:
        super().__init__(name)
        self._config = config

    @property
    def input_names(self) -> tuple[str, ...]:
        """Return its own name, under which the journal has the positions."""
        return (self.name,)

    def tracking(self, circles: Iterable[CircularZone], folder: Path = Path()) -> TrackingSpec:
        """Return what the camera is to do; a video's path is counted from ``folder``."""
        fields = self._config.model_dump(exclude={"kind", "board", "camera", "video"})
        source = self._config.camera if self._config.video is None else str(folder / self._config.video)
        return TrackingSpec(name=self.name, source=source or 0, circles=tuple(circles), **fields)
