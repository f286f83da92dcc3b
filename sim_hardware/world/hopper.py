"""HopperState in hoppers: which are up, whose head is in one, and how long it has eaten."""

from __future__ import annotations


class HopperState:
    """Follows hoppers by their places; a head eats while it is in one that is up."""

    def __init__(self) -> None:
        self.up: dict[str, bool] = {}
        self._heads: set[str] = set()
        self._since_us: dict[str, int] = {}
        self._eaten_us: dict[str, int] = {}

    def rise(self, place: str, up: bool, now_us: int) -> None:
        """Let a hopper rise or fall."""
        self._count(place, now_us)
        self.up[place] = up

    def enter(self, place: str, inside: bool, now_us: int) -> None:
        """Let a head in or out."""
        self._count(place, now_us)
        (self._heads.add if inside else self._heads.discard)(place)

    def eaten_s(self, place: str, now_us: int) -> float:
        """Return for how many seconds was eaten at a hopper since last asked."""
        self._count(place, now_us)
        return self._eaten_us.pop(place, 0) / 1e6

    def _count(self, place: str, now_us: int) -> None:
        since_us = self._since_us.get(place, now_us)
        self._since_us[place] = now_us
        if self.up.get(place) and place in self._heads:
            self._eaten_us[place] = self._eaten_us.get(place, 0) + now_us - since_us
