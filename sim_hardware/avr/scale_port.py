"""A virtual scale at a port of its own: it sends its weight without being asked, as a laboratory balance does."""

from __future__ import annotations

import asyncio

from rig.boards.driver_lookup import ServedPlace
from sim_hardware.avr.ports import port_at
from sim_hardware.world.scale import VirtualScale

EVERY_S = 0.1
NOISE_MG = 0.5
"""The SD of a weighing: that of a laboratory balance with a draft shield."""
SETTLES = 4
"""So many equal weights in a row are stable."""


class ScalePort:
    """A scale under the valves of a served rig; it runs on the running loop.

    Its lines are those of an Ohaus: ``      1.2345 g``, with a question mark while the weight changes.
    Raises ``ConfigError``.
    """

    def __init__(self, scale: VirtualScale, place: ServedPlace) -> None:
        self._scale = scale
        self._water_mg = scale.water_mg()
        self._shown_mg = scale.stable_mg()
        self._equal = SETTLES
        self._port = port_at(place, self)
        self._port.plug()
        self._timer = asyncio.get_running_loop().call_soon(self._weigh)

    @property
    def name(self) -> str:
        """Return what other programs open."""
        return self._port.name

    def close(self) -> None:
        """Close the port."""
        self._timer.cancel()
        self._port.unplug()

    def handle_opening(self) -> None:
        """Return at once: it sends its weight at its own times."""

    def handle_bytes(self, data: bytes) -> None:
        """Return at once: it answers no questions."""

    def _weigh(self) -> None:
        water_mg = self._scale.water_mg()
        if water_mg != self._water_mg:
            self._water_mg, self._equal = water_mg, 0
            # The noise is of a weighing, not of a line: a display that has settled stands still.
            self._shown_mg = self._scale.stable_mg()
        self._equal = min(self._equal + 1, SETTLES)
        if self._port.is_open:
            doubt = "" if self._equal == SETTLES else " ?"
            self._port.write(f"{self._shown_mg / 1000:12.4f} g{doubt}\r\n".encode("ascii"))
        self._timer = asyncio.get_running_loop().call_later(EVERY_S, self._weigh)
