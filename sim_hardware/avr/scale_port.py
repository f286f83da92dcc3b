"""A virtual scale at a port of its own: it sends its weight without being asked, as a laboratory balance does."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from sim_hardware.avr.pseudo_port import close_port, is_open_elsewhere, open_port
from sim_hardware.world.scale import VirtualScale

EVERY_S = 0.1
NOISE_MG = 0.5
"""The SD of a weighing: that of a laboratory balance with a draft shield."""
SETTLES = 4
"""So many equal weights in a row are stable."""


class ScalePort:
    """A scale under the valves of a served rig, at the port ``link``; it runs on the running loop.

    Its lines are those of an Ohaus: ``      1.2345 g``, with a question mark while the weight changes.
    """

    def __init__(self, scale: VirtualScale, link: Path) -> None:
        self._scale = scale
        self._link = link
        self._water_mg = scale.water_mg()
        self._shown_mg = scale.stable_mg()
        self._equal = SETTLES
        self._port, self._name = open_port(link)
        self._timer = asyncio.get_running_loop().call_soon(self._weigh)

    def close(self) -> None:
        """Close the port."""
        self._timer.cancel()
        close_port(self._port, self._name, self._link)

    def _weigh(self) -> None:
        water_mg = self._scale.water_mg()
        if water_mg != self._water_mg:
            self._water_mg, self._equal = water_mg, 0
            # The noise is of a weighing, not of a line: a display that has settled stands still.
            self._shown_mg = self._scale.stable_mg()
        self._equal = min(self._equal + 1, SETTLES)
        if is_open_elsewhere(self._port):
            doubt = "" if self._equal == SETTLES else " ?"
            with suppress(OSError):  # no program reads, and the buffer is full
                os.write(self._port, f"{self._shown_mg / 1000:12.4f} g{doubt}\r\n".encode("ascii"))
        self._timer = asyncio.get_running_loop().call_later(EVERY_S, self._weigh)
