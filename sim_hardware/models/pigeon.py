"""A pigeon at the eight disks: chooses by Luce's rule on the logarithms of the rates, today's and yesterday's.

P_i ∝ exp(current(b) ln(1/VI_i) + carried(b) ln(1/VI_i of the session before) + theta(b) L_i), with a course over the
5-minute blocks b and a liking L_i for places. A disk is drawn when a bout begins, and each peck is followed by another
on the same disk with one chance for all: bouts of one length leave the shares of pecks as they are. A disk that has
paid is left on every second occasion, and returned to when half its interval has passed since: of some birds a dip
after a reward was published, and a peak. That, and pecks that miss, take a little from the disks that pay most:
``CURRENT`` was set so that theta, refitted from trials.csv of six birds and 24 sessions, is as published .10 in block
1, .32 in block 3, .34 in block 6 and .22 in block 12 (Racey et al. 2011; those between are interpolated).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from sim_hardware.body import Body
from sim_hardware.models.disks import CENTRE, Mind, draw_by_weight, log_rate
from sim_hardware.models.flock import bird_of, likings_of
from sim_hardware.models.pecker import Pecker, PeckerParams

BLOCK_S = 300.0
THETA = (0.10, 0.22, 0.32, 0.33, 0.335, 0.34, 0.33, 0.31, 0.29, 0.265, 0.24, 0.22)
"""What is to be found, by block; it is also what a liking for places is multiplied with."""
CURRENT = (0.11, 0.23, 0.35, 0.36, 0.37, 0.37, 0.38, 0.37, 0.36, 0.33, 0.30, 0.27)
CARRIED = (0.106, 0.122, 0.142, 0.109, 0.037, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The published t of the session before, over both, times ``THETA``."""
PACE = (0.8, 1.0, 1.0, 1.0, 0.92, 0.84, 0.75, 0.66, 0.56, 0.46, 0.37, 0.28)
"""Pecks a second by block, over those of the best blocks: 28 % in the last one."""


class PigeonParams(PeckerParams):
    """A bird by its name; what is given here goes before what its name says."""

    subject: str = Field(default="", description="whose rate and tastes it has; the subject's name, as a rule")
    rate: float | None = Field(default=None, gt=0, le=5, description="pecks a second at its best, no hopper being up")
    theta_scale: float | None = Field(default=None, ge=0, le=20, description="a factor of how much schedules matter")
    likes_vi_s: float | None = Field(
        default=None, ge=0, description="the interval that it likes most, as Cosmo did 9 s; 0 is the shortest one"
    )
    location_bias: float = Field(default=1.0, ge=0, le=20, description="a factor of its likes and dislikes of places")
    p_leave: float = Field(
        default=0.5, ge=0, le=1, description="chance that it leaves a disk that has paid, until VI/2 later"
    )
    p_off_day: float = Field(default=0.0, ge=0, le=1, description="chance of a day on which it will not peck at all")


class Pigeon(Pecker):
    """Pecks as its flock does, or not at all on a bad day."""

    Params = PigeonParams

    def __init__(self, params: PigeonParams) -> None:
        rate = bird_of(params.subject).rate if params.rate is None else params.rate
        super().__init__(params, Luce(params), lambda now_s: rate * PACE[block_at(now_s)])
        self._p_off_day = params.p_off_day

    async def live(self, body: Body) -> None:
        """Live through one session."""
        if self._p_off_day and body.random.random() < self._p_off_day:
            return
        await super().live(body)


class Luce(Mind):
    """Weighs the disks that there are, and draws one."""

    def __init__(self, params: PigeonParams) -> None:
        bird = bird_of(params.subject)
        self._p_leave = params.p_leave
        self._scale = bird.theta if params.theta_scale is None else params.theta_scale
        self._likes_vi_s = bird.likes_vi_s if params.likes_vi_s is None else params.likes_vi_s
        self.likings = [params.location_bias * liking for liking in likings_of(params.subject)]
        self._weights: dict[int, list[float]] = {}
        self._back_s: dict[int, float] = {}

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place with the chances that it has now, or return to one that was left and is due."""
        left = {place: at_s for place, at_s in self._back_s.items() if place in places}
        if left and (min(left.values()) <= body.now_s or len(left) == len(places)):
            place = min(left, key=left.__getitem__)
            del self._back_s[place]
            return place
        block = block_at(body.now_s)
        if block not in self._weights:
            self._weights[block] = self._weigh(block)
        weights = [0.0 if place in left else self._weights[block][place] for place in places]
        return draw_by_weight(body.random.random(), places, weights)

    def leaves(self, body: Body, place: int) -> bool:
        """Leave a place that has paid, now and then, until half its interval has passed."""
        vi_s = self.day.vi_s.get(place)
        if vi_s is None or body.random.random() >= self._p_leave:
            return False
        self._back_s[place] = body.now_s + vi_s / 2
        return True

    def _weigh(self, block: int) -> list[float]:
        """Weigh every place as in a block of the session."""
        now, before = self.day.worth(self._of_vi), self.day.was_worth(self._of_vi)
        unknown = sum(before.values()) / len(before) if before else 0.0
        return [
            math.exp(
                self._scale
                * (
                    CURRENT[block] * now.get(place, 0.0)
                    + CARRIED[block] * before.get(place, unknown)
                    + THETA[block] * self.likings[place]
                )
            )
            for place in range(CENTRE + 1)
        ]

    def _of_vi(self, vi_s: float) -> float:
        """Tell what an interval is worth: the less, the longer, or the farther from the one that it likes."""
        if not self._likes_vi_s:
            return log_rate(vi_s)
        return log_rate(self._likes_vi_s) - abs(math.log(vi_s / self._likes_vi_s))


def block_at(now_s: float) -> int:
    """Tell which of its blocks a time is in, counted from 0; the last one lasts."""
    return min(int(now_s // BLOCK_S), len(PACE) - 1)
