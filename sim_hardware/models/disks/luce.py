"""Luce's rule: a disk is chosen with a chance that grows with its worth; what has paid is left for a while."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sim_hardware.models.disks.policy import CENTER, DiskPolicy, DiskValues, draw_by_weight
from sim_hardware.world.body import Body

PLACES = range(CENTER + 1)


class LuceWeights(NamedTuple):
    """How much it matters what a disk is worth today, what it was worth in the session before, and where it is."""

    today: float
    before: float = 0.0
    place: float = 0.0


class LucePolicy(DiskPolicy):
    """Weighs the disks that there are, and draws one, or returns to one that it had left.

    ``matters`` tells what matters at some time of the session, ``worth`` what an interval is worth. A disk that has
    paid is left with the chance ``p_leave``, until the share ``left_for`` of its interval has passed.
    """

    def __init__(
        self,
        matters: Callable[[float], LuceWeights],
        worth: Callable[[float], float],
        p_leave: float,
        left_for: float = 0.5,
        preferences: Sequence[float] = (0.0,) * len(PLACES),
    ) -> None:
        self.preferences = preferences
        self._matters = matters
        self._worth = worth
        self._p_leave = p_leave
        self._left_for = left_for
        self._forget()

    def start_session(self, day: DiskValues) -> None:
        """Begin a session, with nothing left over from another."""
        super().start_session(day)
        self._forget()

    def _forget(self) -> None:
        self._weights: dict[LuceWeights, list[float]] = {}
        self._back_s: dict[int, float] = {}

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place with the chances that it has now, or return to one that was left and is due."""
        left = {place: at_s for place, at_s in self._back_s.items() if place in places}
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
        """Whether it leaves a place that has paid; it does now and then, until some of its interval has passed."""
        vi_s = self.day.vi_s.get(place)
        if vi_s is None or body.random.random() >= self._p_leave:
            return False
        self._back_s[place] = body.now_s + vi_s * self._left_for
        return True

    def is_return_due(self, body: Body) -> bool:
        """Whether it is time to return to a place that was left."""
        return bool(self._back_s) and min(self._back_s.values()) <= body.now_s

    def _weigh(self, matters: LuceWeights) -> list[float]:
        """Weigh every place; one that has come back is worth what the others were on average."""
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
