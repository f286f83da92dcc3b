"""A pigeon at the eight disks: chooses by Luce's rule on the logarithms of the rates, today's and yesterday's.

P_i ∝ exp(current(b) ln(1/VI_i) + carried(b) ln(1/VI_i of the session before) + theta(b) L_i), with a course over the
5-minute blocks b, and bouts: a disk is drawn when a bout begins, and each peck is followed by another on the same disk
with one chance for all. Bouts of one length leave the shares of pecks as they are. But a reward ends a bout, and the
disk that was just paid is less likely, by half, until half its interval has passed since the bird came back: what was
published as the dip after a reward. Both take pecks from the disks that pay most, so that ``CURRENT`` is larger than
what is found: it was set until theta, refitted from trials.csv of six birds and 24 sessions, was the published .10 in
block 1, .32 in block 3, .34 in block 6 and .22 in block 12 (Racey et al. 2011; the blocks between are interpolated).
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
CURRENT = (0.31, 0.47, 0.60, 0.61, 0.62, 0.63, 0.63, 0.61, 0.59, 0.56, 0.52, 0.48)
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
    dip: float = Field(default=0.5, ge=0, le=1, description="what was just paid is so many times as likely")
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
        self._dip = params.dip
        self._scale = bird.theta if params.theta_scale is None else params.theta_scale
        self._likes_vi_s = bird.likes_vi_s if params.likes_vi_s is None else params.likes_vi_s
        self._likings = [params.location_bias * liking for liking in likings_of(params.subject)]
        self._weights: dict[int, list[float]] = {}
        self._paid: int | None = None
        self._avoids_until_s: float | None = None

    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Draw a place with the chances that it has now."""
        block = block_at(body.now_s)
        if block not in self._weights:
            self._weights[block] = self._weigh(block)
        weights = [self._weights[block][place] for place in places]
        if self._paid is not None and self._paid in places and self._avoids(body.now_s, self._paid):
            weights[places.index(self._paid)] *= self._dip
        return draw_by_weight(body.random.random(), places, weights)

    def learn(self, place: int, paid: bool) -> None:
        """Leave a disk that has paid, for a while."""
        if paid:
            self._paid, self._avoids_until_s = place, None

    def _avoids(self, now_s: float, paid: int) -> bool:
        """Tell whether what was paid is still avoided; time counts from the first choice after it."""
        if self._avoids_until_s is None:
            self._avoids_until_s = now_s + self.day.vi_s.get(paid, 0.0) / 2
        return now_s < self._avoids_until_s

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
                    + THETA[block] * self._likings[place]
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
