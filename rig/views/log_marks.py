"""Where a logarithmic axis has marks with numbers: enough of them that a person can read its scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MAX_DECADES = 4
"""An axis over more has marks at its decades only."""
FEWEST = 3
"""With fewer marks a person cannot read the axis: its distances do not say what it spans."""
_IN_DECADE: Sequence[Sequence[float]] = (
    (1, 2, 5),
    (1, 1.5, 2, 3, 4, 5, 7),
    (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
    tuple(np.arange(2, 20) / 2),
    tuple(np.arange(10, 100) / 10),
)
"""Numbers with marks in each decade of a short axis: the first of these that has enough within the axis."""


def log_marks(low: float, high: float) -> list[float]:
    """Return the marks between two places, all of them as logarithms to the base 10, from low to high."""
    first, last = int(np.floor(low)), int(np.ceil(high))
    decades = np.arange(first, last + 1, max(1, (last - first) // (2 * MAX_DECADES)), dtype=np.float64)
    marks: list[float] = []
    for numbers in _IN_DECADE if last - first <= MAX_DECADES else ((1,),):
        places = np.sort((np.log10(numbers)[:, None] + decades).ravel())
        marks = places[(places >= low) & (places <= high)].tolist()
        if len(marks) >= FEWEST:
            break
    return marks
