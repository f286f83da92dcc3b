"""State of hoppers: which are up, where the subject's head is, and for how long it has eaten."""

from __future__ import annotations


class HopperState:
    """State of all hoppers by place; the subject eats while its head is in a hopper that is up."""

    def __init__(self) -> None:
        self.up: dict[str, bool] = {}
        self._heads: set[str] = set()
        self._since_us: dict[str, int] = {}
        self._eaten_us: dict[str, int] = {}

    def rise(self, place: str, up: bool, now_us: int) -> None:
        """Record that a hopper rises or falls."""
        self._count(place, now_us)
        self.up[place] = up

    def enter(self, place: str, inside: bool, now_us: int) -> None:
        """Record that the head enters or leaves."""
        self._count(place, now_us)
        (self._heads.add if inside else self._heads.discard)(place)

    def eaten_s(self, place: str, now_us: int) -> float:
        """Return the seconds of eating at a hopper since the last call."""
        self._count(place, now_us)
        return self._eaten_us.pop(place, 0) / 1e6

    def _count(self, place: str, now_us: int) -> None:
        since_us = self._since_us.get(place, now_us)
        self._since_us[place] = now_us
        if self.up.get(place) and place in self._heads:
            self._eaten_us[place] = self._eaten_us.get(place, 0) + now_us - since_us
