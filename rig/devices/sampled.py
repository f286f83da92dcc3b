"""Inputs whose values the board samples: analog inputs and encoders, with thresholds that are edges like any other."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from rig.core.errors import TaskError
from rig.core.model.board import MAX_SCALE, AnalogSource, EncoderSource, Source, Threshold
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.devices.base import Device, DeviceConfig, Pin, StrictModel

_MAX_VALUE = 0x7FFF_FFFF
"""The largest value of a source: a count has 32 bits."""
_ThresholdName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


class ThresholdConfig(StrictModel):
    """A threshold on values; between ``below`` and ``above`` it stays as it is."""

    above: float = Field(description="it goes on at this value or more, in the unit of the device")
    below: float = Field(description="it goes off at this value or less, in the unit of the device")

    @model_validator(mode="after")
    def _has_hysteresis(self) -> ThresholdConfig:
        if self.below >= self.above:
            raise ValueError(f"below is {self.below:g}, which must be less than above ({self.above:g})")
        return self


class SampledConfig(DeviceConfig):
    """What an analog input and an encoder have in common; values are integers of the board times ``scale``."""

    period_ms: float = Field(default=10, ge=0.1, le=1000, description="the board takes a value this often")
    scale: float = Field(default=1.0, gt=0, le=MAX_SCALE, description="a value of the board times this is in `unit`")
    unit: str = Field(default="", description="the unit of the values, such as g or cm")
    thresholds: dict[_ThresholdName, ThresholdConfig] = Field(
        default_factory=dict, description="inputs that go on and off with the values, by names of your own"
    )

    @model_validator(mode="after")
    def _fits(self) -> SampledConfig:
        for name, threshold in self.thresholds.items():
            for value in (threshold.above, threshold.below):
                if abs(value) / self.scale >= _MAX_VALUE:
                    raise ValueError(f"threshold {name}: {value:g} is {value / self.scale:.3g} steps of the board")
        return self

    @property
    def period_us(self) -> int:
        """Return the time between two values in microseconds."""
        return round(self.period_ms * 1000)


class AnalogInputConfig(SampledConfig):
    """An analog input: a lever with a force sensor, a potentiometer, a photodiode, a lick sensor."""

    pin: Pin = Field(description="the analog pin")


class EncoderConfig(SampledConfig):
    """A quadrature encoder, such as that of a running wheel; each edge of either pin is one step."""

    pin_a: Pin = Field(description="the pin whose edges come first as the count goes up")
    pin_b: Pin = Field(description="the other pin")


class SampledDevice(Device):
    """An input whose values the board samples. A task reads its thresholds; the values are beside the journal."""

    def __init__(self, name: str, config: SampledConfig, source: Source) -> None:
        super().__init__(name)
        self._source = source
        # Outward, so that a value which is sampled on the threshold is beyond it.
        self._thresholds = {
            role: Threshold(
                name,
                role,
                0,
                0,
                0,
                source=source.name,
                below=math.floor(threshold.below / config.scale),
                above=math.ceil(threshold.above / config.scale),
            )
            for role, threshold in config.thresholds.items()
        }

    @property
    def channels(self) -> tuple[Threshold, ...]:
        """Return its thresholds."""
        return tuple(self._thresholds.values())

    def rose(self, threshold: str) -> EdgePattern:
        """Return the edge of a threshold that goes on. Raises ``TaskError`` for one that the rig file lacks."""
        return EdgePattern(self._channel(threshold), 1)

    def fell(self, threshold: str) -> EdgePattern:
        """Return the edge of a threshold that goes off. Raises ``TaskError`` for one that the rig file lacks."""
        return EdgePattern(self._channel(threshold), 0)

    def high(self, threshold: str) -> LevelPattern:
        """Return the level of a threshold that is on. Raises ``TaskError`` for one that the rig file lacks."""
        return LevelPattern(self._channel(threshold), 1)

    def low(self, threshold: str) -> LevelPattern:
        """Return the level of a threshold that is off. Raises ``TaskError`` for one that the rig file lacks."""
        return LevelPattern(self._channel(threshold), 0)

    def _channel(self, threshold: str) -> str:
        if threshold not in self._thresholds:
            has = ", ".join(self._thresholds) or "none"
            raise TaskError(f"{self.name} has no threshold '{threshold}' in the rig file; it has: {has}")
        return self._thresholds[threshold].name


class AnalogInput(SampledDevice):
    """An analog input that the board samples, such as a lever with a force sensor."""

    Config = AnalogInputConfig

    def __init__(self, name: str, config: AnalogInputConfig) -> None:
        super().__init__(name, config, AnalogSource(name, config.pin, config.period_us))


class Encoder(SampledDevice):
    """An encoder whose steps the board counts, such as that of a running wheel."""

    Config = EncoderConfig

    def __init__(self, name: str, config: EncoderConfig) -> None:
        super().__init__(name, config, EncoderSource(name, config.pin_a, config.pin_b, config.period_us))
