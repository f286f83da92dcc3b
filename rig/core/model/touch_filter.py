"""Which touches are pecks: a beak and its feathers bounce, and a frame of light reports each bounce."""

from __future__ import annotations

import math
from collections import deque


class TouchDebouncer:
    """Tells pecks from bounces: a ``down`` is a peck when for ``debounce_us`` none came within ``within_cm`` of it.

    Every ``down`` counts against those after it, bounces too: a beak that chatters gives one peck.
    """

    def __init__(self, debounce_us: int, within_cm: float) -> None:
        self._debounce_us = debounce_us
        self._within_cm = within_cm
        self._downs: deque[tuple[int, float, float]] = deque()

    def accept(self, t_us: int, x_cm: float, y_cm: float) -> bool:
        """Take note of a ``down``, and tell whether it is a peck; times never go back."""
        downs = self._downs
        while downs and t_us - downs[0][0] >= self._debounce_us:
            downs.popleft()
        bounced = any(math.hypot(x_cm - x, y_cm - y) <= self._within_cm for _, x, y in downs)
        downs.append((t_us, x_cm, y_cm))
        return not bounced
