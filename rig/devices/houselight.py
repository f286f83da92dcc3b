"""A houselight: the lamp of a chamber, lit for the whole session and dark in time-outs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from rig.devices.light import Light, LightConfig


class HouselightConfig(LightConfig):
    """A houselight in the rig file."""

    kind: Literal["houselight"]  # type: ignore[assignment]


class Houselight(Light):
    """Lights a chamber: ``on()`` when a session begins; ``with houselight.time_out():`` it is dark."""

    Config = HouselightConfig

    @contextmanager
    def time_out(self) -> Iterator[None]:
        """Switch it off, and on again however the block is left."""
        self.off()
        try:
            yield
        finally:
            self.on()
