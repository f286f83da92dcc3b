"""The interface of a scale: the one thing that a calibration asks of it."""

from __future__ import annotations

from typing import Protocol


class Scale(Protocol):
    """A scale with a vial on its pan."""

    def stable_mg(self) -> float:
        """Return the weight on the pan in mg, once it is stable. Raises ``ScaleError``."""
