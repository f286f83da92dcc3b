"""A houselight: the lamp of a chamber, lit for the whole session and dark in time-outs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rig.devices.light import Light


class Houselight(Light):
    """The light of a chamber: ``on()`` switches it on; it is off in the block ``with houselight.time_out():``."""

    @contextmanager
    def time_out(self) -> Iterator[None]:
        """Switch the houselight off, and at the end of the block on again, also after an error."""
        self.off()
        try:
            yield
        finally:
            self.on()
