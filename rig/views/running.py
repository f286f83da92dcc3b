"""Running values of the last numbers: their mean and their median."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque


class RunningShareOf:
    """The mean of the last ``over`` numbers."""

    def __init__(self, over: int) -> None:
        self._last: deque[int] = deque(maxlen=max(over, 1))
        self._sum = 0

    def add(self, value: bool) -> float:
        """Add whether something is true, and return the share of the last ones that are."""
        if len(self._last) == self._last.maxlen:
            self._sum -= self._last[0]
        self._last.append(int(value))
        self._sum += int(value)
        return self._sum / len(self._last)


class RunningMedian:
    """The median of the last ``over`` numbers."""

    def __init__(self, over: int) -> None:
        self._last: deque[float] = deque(maxlen=max(over, 1))
        self._sorted: list[float] = []

    def add(self, value: float) -> float:
        """Add a finite number, and return the median."""
        if len(self._last) == self._last.maxlen:
            del self._sorted[bisect_left(self._sorted, self._last[0])]
        self._last.append(value)
        insort(self._sorted, value)
        middle = len(self._sorted) // 2
        if len(self._sorted) % 2:
            return self._sorted[middle]
        return (self._sorted[middle - 1] + self._sorted[middle]) / 2
