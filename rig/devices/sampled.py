"""Inputs whose values the board samples: analog inputs and encoders, with thresholds that are edges like any other."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field, StringConstraints, model_validator

from rig.core.errors import TaskError
from rig.core.model.board import MAX_PERIOD_US, MAX_SCALE, MIN_PERIOD_US, AnalogSource, EncoderSource, Source, Threshold
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.devices.base import Device, DeviceConfig, Pin, StrictModel

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

    period_ms: float = Field(
        default=10, ge=MIN_PERIOD_US / 1000, le=MAX_PERIOD_US // 1000, description="the board takes a value this often"
    )
    scale: float = Field(default=1.0, gt=0, le=MAX_SCALE, description="a value of the board times this is in `unit`")
    unit: str = Field(default="", description="the unit of the values, such as g or cm")
    thresholds: dict[_ThresholdName, ThresholdConfig] = Field(
        default_factory=dict, description="inputs that go on and off with the values, by names of your own"
    )
    value_bits: ClassVar[int]
    """The size of a value on the wire; it is signed."""

    @model_validator(mode="after")
    def _values_reach_thresholds(self) -> SampledConfig:
        most = 1 << (self.value_bits - 1)
        for name, threshold in self.thresholds.items():
            below, above = self.steps(threshold)
            if above >= most:
                raise ValueError(f"threshold {name}: {self._unreachable(threshold.above, 'above', most - 1)}")
            if below < -most:
                raise ValueError(f"threshold {name}: {self._unreachable(threshold.below, 'below', -most)}")
        return self

    def _unreachable(self, value: float, key: str, bound: int) -> str:
        side = "at most" if bound > 0 else "at least"
        return (
            f"no value is {key} {value:.10g}, which is {value / self.scale:.10g} steps of the board: "
            f"a value is {side} {bound} steps, {bound * self.scale:.10g}"
        )

    def steps(self, threshold: ThresholdConfig) -> tuple[int, int]:
        """Return ``below`` and ``above`` of a threshold as values of the board.

        They are rounded outward, so that a value which is sampled on the threshold is beyond it.
        """
        # Of the decimals in the file: as floats 0.3 / 0.1 is less than 3.
        scale = Fraction(str(self.scale))
        return math.floor(Fraction(str(threshold.below)) / scale), math.ceil(Fraction(str(threshold.above)) / scale)

    @property
    def period_us(self) -> int:
        """Return the time between two values in microseconds."""
        return round(self.period_ms * 1000)


class AnalogInputConfig(SampledConfig):
    """An analog input: a lever with a force sensor, a potentiometer, a photodiode, a lick sensor."""

    value_bits = 16
    pin: Pin = Field(description="the analog pin")


class EncoderConfig(SampledConfig):
    """A quadrature encoder, such as that of a running wheel; each edge of either pin is one step."""

    value_bits = 32
    pin_a: Pin = Field(description="the pin whose edges come first as the count goes up")
    pin_b: Pin = Field(description="the other pin")


class SampledDevice(Device):
    """An input whose values the board samples. A task reads its thresholds; the values are beside the journal."""

    def __init__(self, name: str, config: SampledConfig, source: Source) -> None:
        super().__init__(name)
        self._source = source
        steps = {role: config.steps(threshold) for role, threshold in config.thresholds.items()}
        self._thresholds = {
            role: Threshold(name, role, 0, 0, 0, source=source.name, below=below, above=above)
            for role, (below, above) in steps.items()
        }

    @property
    def channels(self) -> tuple[Threshold, ...]:
        """Return its thresholds."""
        return tuple(self._thresholds.values())

    @property
    def thresholds(self) -> tuple[str, ...]:
        """Return the names of its thresholds, the lowest first."""
        return tuple(sorted(self._thresholds, key=lambda name: self._thresholds[name].above))

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
            has = ", ".join(self.thresholds) or "none"
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
