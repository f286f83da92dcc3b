"""A filter that tells pecks from bounces: a beak and its feathers bounce, and a touch frame reports each bounce."""

from __future__ import annotations

import math
from collections import deque


class TouchDebouncer:
    """A filter of ``down`` contacts: a peck has none within ``within_cm`` in the ``debounce_us`` before it.

    Every ``down`` counts against later ones, also a bounce: a beak that chatters gives one peck.
    """

    def __init__(self, debounce_us: int, within_cm: float) -> None:
        self._debounce_us = debounce_us
        self._within_cm = within_cm
        self._downs: deque[tuple[int, float, float]] = deque()

    def accept(self, t_us: int, x_cm: float, y_cm: float) -> bool:
        """Record a ``down`` and return whether it is a peck; times must not decrease."""
        downs = self._downs
        # Only contacts of the last ``debounce_us`` are kept, so memory does not grow with the session.
        while downs and t_us - downs[0][0] >= self._debounce_us:
            downs.popleft()
        bounced = any(math.hypot(x_cm - x, y_cm - y) <= self._within_cm for _, x, y in downs)
        downs.append((t_us, x_cm, y_cm))
        return not bounced
