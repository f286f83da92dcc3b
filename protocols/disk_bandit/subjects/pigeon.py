"""A pigeon at the eight disks: chooses by Luce's rule on the logarithms of the rates, today's and yesterday's.

P_i ∝ exp(current(b) ln(1/VI_i) + carried(b) ln(1/VI_i of the session before) + theta(b) L_i), with a course over the
5-minute blocks b and a liking L_i for places. A disk is drawn when a bout begins, and each peck is followed by another
on the same disk with one chance for all: bouts of one length leave the shares of pecks as they are. Some birds avoid a
disk that has paid until a quarter of its interval has passed after the meal, and then return to it at once: of some a
dip after a reward of VI 3 and 9 s was published, and a peak (figure 6). Others go on where they were paid. Returns, and
pecks that miss, change the shares of the disks that pay most: ``CURRENT`` was set so that theta in the mixed model of
the shares of six birds in 24 sessions is as published .10 in block 1, .32 in block 3, .34 in block 6 and .22 in block
12 (Racey et al. 2011; those between are interpolated).
"""

from __future__ import annotations

import math

from pydantic import Field

from protocols.disk_bandit.subjects.disk_choice import log_rate
from protocols.disk_bandit.subjects.luce import LucePolicy, LuceWeights
from protocols.disk_bandit.subjects.pecking_behavior import Pecker, PeckerParams
from protocols.disk_bandit.subjects.pigeon_parameters import place_preferences, traits_of
from sim_hardware.world.body import Body

BLOCK_S = 300.0
THETA = (0.10, 0.22, 0.32, 0.33, 0.335, 0.34, 0.33, 0.31, 0.29, 0.265, 0.24, 0.22)
"""The theta that analyses should find, by block; preferences for places are multiplied with it."""
CURRENT = (0.035, 0.255, 0.45, 0.467, 0.473, 0.475, 0.45, 0.42, 0.395, 0.38, 0.38, 0.38)
# t of the session before: 4.33, 2.52, 1.66, 1.28, 0.51; of the current one: 4.07, 4.54, 3.74, 3.88, 4.55.
CARRIED = (0.106, 0.122, 0.142, 0.109, 0.037, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The published t of the session before, over that of the current one, times ``THETA``."""
LEFT_FOR = 0.25
"""An avoided disk is left for this share of its interval, from the end of the meal on.

It was set so that the dip shows for VI 3 and 9 s, and that VI 3 s is still chosen most. With the hopper's 3 s and the
pause, the bird is back about 5.5 s after a reward of VI 3 s and about 7 s after one of VI 9 s.
"""
PACE = (0.5, 1.0, 1.0, 1.0, 0.92, 0.84, 0.75, 0.66, 0.56, 0.46, 0.37, 0.28)
"""Pecks a second by block while the hopper is down, over those of the best blocks: 28 % in the last one, as published.

In the first one 80 % as many pecks are made as in the second to fourth, of which it was published that there are most;
but fewer meals leave it more time for them.
"""


class PigeonParams(PeckerParams):
    """Parameters of a pigeon; a given value overrides the trait of the named bird."""

    subject: str = Field(default="", description="whose rate and tastes it has; the subject's name, as a rule")
    rate: float | None = Field(default=None, gt=0, le=5, description="pecks a second at its best, no hopper being up")
    theta_scale: float | None = Field(default=None, ge=0, le=20, description="a factor of how much schedules matter")
    likes_vi_s: float | None = Field(
        default=None, ge=0, description="the interval that it likes most, as Cosmo did 9 s; 0 is the shortest one"
    )
    location_bias: float = Field(default=1.0, ge=0, le=20, description="a factor of its likes and dislikes of places")
    p_leave: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="probability to avoid a disk that has paid, until a quarter of its VI later",
    )
    carry_over: float | None = Field(
        default=None,
        ge=-5,
        le=5,
        description="what is added to the weight of the day before from block 2 on, as a share of theta",
    )
    p_off_day: float = Field(default=0.0, ge=0, le=1, description="probability of a day without pecks")


class Pigeon(Pecker):
    """Pecks disks by their values today and yesterday, with individual traits; on an off day it does not peck."""

    Params = PigeonParams

    def __init__(self, params: PigeonParams) -> None:
        rate = traits_of(params.subject).rate if params.rate is None else params.rate
        super().__init__(params, policy_of(params), lambda now_s: rate * PACE[block_at(now_s)])
        self._p_off_day = params.p_off_day

    async def live(self, body: Body) -> None:
        """Run one session."""
        if self._p_off_day and body.random.random() < self._p_off_day:
            return
        await super().live(body)


def policy_of(params: PigeonParams) -> LucePolicy:
    """Build the policy from the traits of the named bird and the given parameters."""
    bird = traits_of(params.subject)
    scale = bird.theta if params.theta_scale is None else params.theta_scale
    likes_vi_s = bird.likes_vi_s if params.likes_vi_s is None else params.likes_vi_s
    added = bird.carry_over if params.carry_over is None else params.carry_over
    preferences = [params.location_bias * liking for liking in place_preferences(params.subject)]

    def matters(now_s: float) -> LuceWeights:
        block = block_at(now_s)
        carried = CARRIED[block] + (added * THETA[block] if block else 0.0)
        return LuceWeights(scale * CURRENT[block], scale * carried, scale * THETA[block])

    def value(vi_s: float) -> float:
        """Return the value of an interval; it falls with the distance from the preferred interval, if there is one."""
        return log_rate(likes_vi_s) - abs(math.log(vi_s / likes_vi_s)) if likes_vi_s else log_rate(vi_s)

    p_leave = bird.p_leave if params.p_leave is None else params.p_leave
    return LucePolicy(matters, value, p_leave, LEFT_FOR, preferences)


def block_at(now_s: float) -> int:
    """Return the block of a time, counted from 0; the last block has no end."""
    return min(int(now_s // BLOCK_S), len(PACE) - 1)
