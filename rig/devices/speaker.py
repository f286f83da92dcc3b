"""A speaker: sounds tones and ramps of tones, whose longest is kept in the board.

A board makes square waves whose half period is a multiple of a step; which frequency it makes of one that is asked for
is `Tones.actual_hz`.
"""

from __future__ import annotations

from pydantic import Field

from rig.core.errors import ActionError
from rig.core.model.actions import Ramp, Tone
from rig.core.model.board import MAX_ON_US, Output, Tones
from rig.core.model.channels import Role
from rig.core.model.microseconds import check_number, to_us
from rig.devices.base import Device, DeviceConfig, Pin, check_on

HIGHEST_HZ = 20_000
"""What a board sounds at most."""


class SpeakerConfig(DeviceConfig):
    """A speaker in the rig file."""

    pin: Pin = Field(description="the output that drives its amplifier")
    max_tone_ms: float = Field(
        default=1_000.0, gt=0, le=MAX_ON_US / 1000, description="the board silences it after so long"
    )


class Speaker(Device):
    """A speaker: it plays one tone at a time."""

    Config = SpeakerConfig

    def __init__(self, name: str, config: SpeakerConfig) -> None:
        super().__init__(name)
        self._channel = Output(name, Role.TONE, config.pin, max_on_us=round(config.max_tone_ms * 1000))

    @property
    def tones(self) -> Tones | None:
        """Return how the open board plays tones; None when it does not report that."""
        opened = None if self._link is None else self._link.opened
        return None if opened is None else opened.tones

    def tone(self, hz: int, ms: float) -> Tone:
        """Return the action that plays a tone of ``hz`` for ``ms``: 1 to 20,000 Hz, at most ``max_tone_ms``.

        Raises ``ActionError`` for another frequency or length.
        """
        self._check(hz)
        check_on(self.name, "a tone", ms, self._channel, "max_tone_ms")
        return Tone(self._channel.name, hz, round(ms * 1000))

    def ramp(self, hz: int, step_hz: int, ms: float, count: int, every_s: float) -> Ramp:
        """Return the action that plays ``count`` tones of ``ms``, one every ``every_s``, each ``step_hz`` higher.

        Raises ``ActionError`` for frequencies or lengths that ``tone`` refuses, and for tones that overlap.
        """
        for value in (step_hz, count, every_s):
            check_number(value, f"{self.name}: a number of a ramp")
        if count < 1:
            raise ActionError(f"{self.name}: a ramp of {count} tones: wanted 1 or more", count, "")
        self._check(hz)
        # The first and the last tone are the extremes; those between lie within.
        self._check(hz + step_hz * (count - 1))
        check_on(self.name, "a tone", ms, self._channel, "max_tone_ms")
        tone_us, every_us = round(ms * 1000), to_us(every_s)
        if count > 1 and tone_us >= every_us:
            said = (
                f"{self.name}: tones of {ms:g} ms do not fit into {every_s:g} s: make them shorter, or fewer a second"
            )
            raise ActionError(said, ms, "ms")
        return Ramp(self._channel.name, hz, step_hz, tone_us, every_us, count)

    def _check(self, hz: int) -> None:
        check_number(hz, f"{self.name}: the frequency")
        # The wire carries whole hertz.
        if not 0 < hz <= HIGHEST_HZ or hz % 1:
            raise ActionError(f"{self.name}: {hz:g} Hz cannot be sounded: wanted 1 to {HIGHEST_HZ} Hz, whole", hz, "hz")
