"""Pecking behavior: bouts of pecks with scatter, and walks to the hopper when it rises."""

from __future__ import annotations

import math
from collections.abc import Callable

from pydantic import Field

from protocols.disk_bandit.subjects.disk_choice import APPEARS, CENTER, DiskPolicy, DiskValues, disks_in, touch
from rig.core.model.scene import Disk
from sim_hardware.models.base import Model, ModelParams, lognormal
from sim_hardware.world.body import Body, hopper_down, hopper_up

HOPPER = "hopper"
RISES, FALLS = hopper_up(HOPPER), hopper_down(HOPPER)
DARK_S = 5.0
"""After this time without a disk, the next one must first be noticed."""
TRIALS_A_DAY = 40
"""Number of disks in a day of autoshaping."""


class PeckerParams(ModelParams):
    """Parameters of pecking and eating; none was published.

    ``repeat`` was set so that theta explains about the published 40 % of the variance of pigeons' shares: with long
    bouts, the shares of a block are those of few choices. With 0.75 it explains 33 %.
    """

    repeat: float = Field(
        default=0.5, ge=0, lt=1, description="probability that the next peck is on the same disk (bout)"
    )
    peck_s: float = Field(default=0.35, ge=0.1, le=5, description="median time between the pecks of a bout")
    scatter_cm: float = Field(default=0.45, ge=0, le=5, description="SD of its pecks about the middle of a disk")
    p_late: float = Field(default=0.1, ge=0, le=1, description="chance of one more peck although the hopper is up")
    to_hopper_s: float = Field(default=0.5, gt=0, le=10, description="median time until its head is in the hopper")
    pause_s: float = Field(default=1.0, ge=0, le=60, description="shortest pause after a meal; the longest is twice")
    days: int = Field(default=0, ge=0, description="days that it has been here before: it has seen disks then")
    naive_s: float = Field(default=60.0, gt=0, le=600, description="median latency to the first disk of its life")
    ready_s: float = Field(default=2.0, gt=0, le=60, description="median latency when it knows what to do")
    learns_trials: float = Field(default=30.0, gt=0, description="trials until 63 % of that is learned")


class Pecker(Model):
    """Pecks the disks that its policy chooses; ``pace`` returns the pecks per second at a time of the session."""

    needs = ("screen", HOPPER)

    def __init__(self, params: PeckerParams, policy: DiskPolicy, pace: Callable[[float], float]) -> None:
        self._params = params
        self._policy = policy
        self._pace = pace
        self._appeared = params.days * TRIALS_A_DAY
        self._dark_from_s = -math.inf

    async def live(self, body: Body) -> None:
        """Peck until the session ends."""
        self._body = body
        await self._find_disks()
        self._policy.start_session(DiskValues.of(body.task_notes))
        while True:
            disks = disks_in(body.scene)
            if disks:
                await self._bout(self._policy.choose(body, tuple(disks)))
            else:
                self._dark_from_s = max(self._dark_from_s, body.now_s)
                await self._find_disks()

    async def _find_disks(self) -> None:
        """Wait for a disk; after a long darkness it must be noticed, and a disk in the middle must first be learned."""
        body, params = self._body, self._params
        stimulus = await body.wait_for(RISES, *APPEARS)
        if stimulus == RISES:
            await self._eat()
        elif body.now_s - self._dark_from_s > DARK_S:
            median_s = params.ready_s
            if CENTER in disks_in(body.scene):
                median_s += (params.naive_s - params.ready_s) * math.exp(-self._appeared / params.learns_trials)
                self._appeared += 1
            if await self._rises(lognormal(body.random, median_s, 0.6)):
                await self._eat()

    async def _bout(self, place: int) -> None:
        """Peck a disk to the end of the bout; a meal may end or only interrupt the bout."""
        body, params = self._body, self._params
        goes_on = True
        while goes_on and (disk := disks_in(body.scene).get(place)) is not None:
            touch(body, disk, params.scatter_cm)
            goes_on = body.random.random() < params.repeat
            wait_s = lognormal(body.random, params.peck_s, 0.2) if goes_on else self._pause_s()
            paid = await self._rises(wait_s)
            self._policy.update(place, paid)
            if paid:
                await self._eat(disk)
                goes_on = not self._policy.changeover(body, place) and goes_on
            goes_on = goes_on and not self._policy.is_return_due(body)

    async def _eat(self, disk: Disk | None = None) -> None:
        """Run a meal while the hopper is up, and return to the disks; another peck may delay the meal."""
        body, params = self._body, self._params
        if disk is not None and body.random.random() < params.p_late:
            await body.wait(lognormal(body.random, params.peck_s, 0.2))
            touch(body, disk, params.scatter_cm)
        await body.wait(lognormal(body.random, params.to_hopper_s, 0.3))
        body.enter(HOPPER)
        await body.wait_for(FALLS)
        pause_s = params.pause_s * (1 + body.random.random())
        out_s = min(pause_s, 0.3) * body.random.random()
        await body.wait(out_s)
        body.leave(HOPPER)
        self._dark_from_s = body.now_s
        await body.wait(pause_s - out_s)

    async def _rises(self, within_s: float) -> bool:
        """Wait; return whether the hopper rose in the meantime."""
        return await self._body.wait_for(RISES, within=within_s) == RISES

    def _pause_s(self) -> float:
        """Draw the time between two bouts, such that the average pace does not depend on the length of bouts."""
        params = self._params
        # Mean time of a peck: 1 / pace = repeat * peck_s + (1 - repeat) * pause, solved for the pause.
        mean_s = (1 / self._pace(self._body.now_s) - params.repeat * params.peck_s) / (1 - params.repeat)
        least_s = params.peck_s
        return least_s - max(0.0, mean_s - least_s) * math.log(1.0 - self._body.random.random())
