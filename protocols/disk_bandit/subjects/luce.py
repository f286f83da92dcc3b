"""Luce's rule: a disk is chosen in proportion to exp(value); a disk that has paid is left for a while."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from protocols.disk_bandit.subjects.disk_choice import CENTER, DiskPolicy, DiskValues, draw_by_weight
from sim_hardware.world.body import Body

PLACES = range(CENTER + 1)


class LuceWeights(NamedTuple):
    """Weights of a disk's value today, of its value in the session before, and of its location."""

    today: float
    before: float = 0.0
    place: float = 0.0


class LucePolicy(DiskPolicy):
    """Draws one of the shown disks by its weight, or returns to a disk that it had left.

    ``matters`` returns the weights at a time of the session, ``worth`` the value of an interval. A disk that has paid
    is left with probability ``p_leave``, until the share ``left_for`` of its interval has passed.
    """

    def __init__(
        self,
        matters: Callable[[float], LuceWeights],
        worth: Callable[[float], float],
        p_leave: float = 0.0,
        left_for: float = 0.0,
        preferences: Sequence[float] = (0.0,) * len(PLACES),
    ) -> None:
        self.preferences = preferences
        self._matters = matters
        self._worth = worth
        self._p_leave = p_leave
        self._left_for = left_for
        self._forget()

    def start_session(self, day: DiskValues) -> None:
        """Start a session without state of an earlier one."""
        super().start_session(day)
        self._forget()

    def _forget(self) -> None:
        self._weights: dict[LuceWeights, list[float]] = {}
        self._back_s: dict[int, float] = {}

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place by the present weights, or return to a place whose return is due."""
        left = {place: at_s for place, at_s in self._back_s.items() if place in places}
        # When all disks are left, the subject returns to the one that is due first.
        if left and (min(left.values()) <= body.now_s or len(left) == len(places)):
            place = min(left, key=left.__getitem__)
            del self._back_s[place]
            return place
        matters = self._matters(body.now_s)
        if matters not in self._weights:
            self._weights[matters] = self._weigh(matters)
        weights = [0.0 if place in left else self._weights[matters][place] for place in places]
        return draw_by_weight(body.random.random(), places, weights)

    def changeover(self, body: Body, place: int) -> bool:
        """Whether the subject leaves a place that has paid; it then returns after a share of the interval."""
        vi_s = self.day.vi_s.get(place)
        if vi_s is None or body.random.random() >= self._p_leave:
            return False
        self._back_s[place] = body.now_s + vi_s * self._left_for
        return True

    def is_return_due(self, body: Body) -> bool:
        """Whether it is time to return to a place that was left."""
        return bool(self._back_s) and min(self._back_s.values()) <= body.now_s

    def _weigh(self, matters: LuceWeights) -> list[float]:
        """Return the weight of each place; a place that has come back has the average value of the others."""
        today, before = self.day.value(self._worth), self.day.previous_value(self._worth)
        unknown = sum(before.values()) / len(before) if before else 0.0
        logits = [
            matters.today * today.get(place, 0.0)
            + matters.before * before.get(place, unknown)
            + matters.place * self.preferences[place]
            for place in PLACES
        ]
        highest = max(logits)
        return [math.exp(logit - highest) for logit in logits]
