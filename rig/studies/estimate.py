"""A number that a study obtains, with its errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

_MOST_DIGITS = 6


@dataclass(frozen=True)
class Estimate:
    """A number with its errors; NaN where one is not known. ``problem`` says why there is no number."""

    value: float
    error: float
    """Its Monte Carlo error."""
    spread: float = math.nan
    """Its standard error over subjects, where this is another number than the Monte Carlo error."""
    problem: str = ""

    @property
    def text(self) -> str:
        """Return the number with its Monte Carlo error: as many digits as two digits of the error have."""
        if math.isnan(self.value):
            return "-"
        form = _format(self.error if self.error > 0 else abs(self.value) / 100)
        value = format(self.value, form)
        if not math.isfinite(self.error):
            return value
        return f"{value} ± {format(self.error, form)}" if self.error else f"{value} ± 0"

    @property
    def spread_text(self) -> str:
        """Return the spread between subjects in two digits; an empty text where there is none."""
        return f"± {format(self.spread, _format(self.spread))}" if math.isfinite(self.spread) else ""

    def moved(self, errors: float) -> tuple[Estimate, Estimate]:
        """Return the estimates that are lower and higher by some Monte Carlo errors."""
        return (
            replace(self, value=self.value - errors * self.error),
            replace(self, value=self.value + errors * self.error),
        )


def _format(step: float) -> str:
    """Return the format of a number that shows two digits of a step."""
    if not math.isfinite(step) or step <= 0:
        return "g"
    digits = max(0, 1 - math.floor(math.log10(step)))
    return f".{digits}f" if digits <= _MOST_DIGITS else ".1e"
