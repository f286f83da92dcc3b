"""A zone of a maze: a beam that an animal breaks while it is there, or a circle of a tracker."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from rig.core.model.board import Input
from rig.core.model.channels import Role
from rig.core.model.microseconds import to_s
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.core.model.zones import CircularZone
from rig.devices.base import DeviceConfig, Pin
from rig.devices.detector import Detector


class ZoneConfig(DeviceConfig):
    """A zone of a maze in the rig file."""

    min_on_key: ClassVar = "confirm_on_us"

    beam: Pin | None = Field(default=None, description="the input that is high while an animal breaks the beam")
    x_cm: float | None = Field(default=None, description="without a beam: where the middle of a circle is")
    y_cm: float | None = Field(default=None, description="without a beam: where the middle of a circle is")
    radius_cm: float | None = Field(
        default=None, gt=0, description="without a beam: the animal is in the zone when the tracker sees it so near"
    )
    margin_cm: float = Field(
        default=5, ge=0, description="of a circle: the animal has left when it is so much farther than radius_cm"
    )
    inverted: bool = Field(default=False, description="the input is low, not high, while an animal breaks the beam")
    debounce_us: int = Field(
        default=5_000, ge=0, le=1_000_000, description="after a change the beam is not looked at for so long"
    )
    confirm_on_us: int = Field(
        default=1_000,
        ge=0,
        le=1_000_000,
        description="an entry counts when it has lasted so long, with its first instant",
    )
    confirm_off_us: int = Field(
        default=300_000,
        ge=0,
        le=1_000_000,
        description="an exit counts when the beam has been clear for so long: an animal bobs while it waits and eats",
    )

    @model_validator(mode="after")
    def _beam_or_circle(self) -> ZoneConfig:
        circle = (self.x_cm, self.y_cm, self.radius_cm)
        if self.beam is not None and circle != (None, None, None):
            raise ValueError("a zone is told by a beam or by the tracker: give beam, or x_cm, y_cm and radius_cm")
        if self.beam is None and None in circle:
            raise ValueError(
                "nothing tells who is in this zone: give it a beam (`beam: PIN`), or for the tracker a circle "
                "(`x_cm`, `y_cm` and `radius_cm`)"
            )
        return self


class Zone(Detector):
    """A place in a maze: wait until it is ``entered`` or ``left``; ``detector`` is a beam or the tracker."""

    Config = ZoneConfig
    entered: EdgePattern
    left: EdgePattern
    occupied: LevelPattern
    empty: LevelPattern

    def __init__(self, name: str, config: ZoneConfig) -> None:
        super().__init__(name, Role.ZONE if config.beam is None else Role.BEAM)
        confirm_us = (config.confirm_on_us, config.confirm_off_us)
        self.confirm_on_s, self.confirm_off_s = map(to_s, confirm_us)
        """How long an entry, or an exit, has lasted when it is reported, in seconds; its stamp is its first instant."""
        self._beam: Input | None = None
        self._circle: CircularZone | None = None
        if config.beam is not None:
            self._beam = Input(name, Role.BEAM, config.beam, config.debounce_us, *confirm_us, config.inverted)
        elif config.x_cm is not None and config.y_cm is not None and config.radius_cm is not None:
            middle = (config.x_cm, config.y_cm)
            self._circle = CircularZone(name, *middle, config.radius_cm, config.margin_cm, *confirm_us)
        self.detector = "beam" if self._beam is not None else "tracker"
        self.entered, self.left = self.on_entry, self.on_exit
        self.empty = self.clear

    @property
    def circle(self) -> CircularZone | None:
        """Return the circle in which a tracker has to detect the subject; None for a beam."""
        return self._circle

    @property
    def input_names(self) -> tuple[str, ...]:
        """Return the name of the beam or the circle in the journal."""
        return super().input_names if self._circle is None else (self._circle.channel,)
