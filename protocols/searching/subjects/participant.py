"""A virtual participant in a search for rewards: reads pages, clicks tiles as a policy decides, points at the best.

A participant sees the screen alone. Rewards of the grid task are shown rescaled, n = y / 100 * scale + 5 with a scale
that changes from round to round; a participant takes 70, its mean. Times are those of people: 240 clicks in 8 minutes
(Wu et al. 2017); the shares of individuals who click at random (3 of 80) or stay at the best tile are not modeled by
the papers' policies, so that ``careless`` and ``settle`` are 0 by default.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from protocols.searching.grids.choice_rules import draw_tile
from protocols.searching.grids.policies import Policy, RandomPolicy
from protocols.searching.grids.reward_scales import GRID, RISKY_GRID, RISKY_LINE, RewardScale
from protocols.searching.subjects.pages import GLANCE_S, POINT_S, PageReader, press
from protocols.searching.subjects.people import PersonParams, of_person, spread_of
from protocols.searching.subjects.seen import Tiles, buttons_in, tiles_in
from sim_hardware.models.base import Model, lognormal
from sim_hardware.world.body import Body

Rewards = Literal["grid", "risky_line", "risky_grid"]
SCALES: dict[Rewards, RewardScale] = {"grid": GRID, "risky_line": RISKY_LINE, "risky_grid": RISKY_GRID}
OFFSET, MEAN_SCALE = 5.0, 70.0
"""Of the shown rewards of the grid task (the released code of Wu et al. 2017)."""


class ParticipantParams(PersonParams):
    """Times and habits of a participant."""

    rewards: Rewards | None = Field(
        default=None,
        description="how shown rewards are standardized; by default a line is a risky line, and a grid that has ever "
        "shown a threshold is a risky grid",
    )
    click_s: float = Field(default=1.1, ge=0.1, le=60, description="median time between two clicks on tiles")
    click_s_spread: float = spread_of("click_s")
    click_sigma: float = Field(default=0.6, ge=0, le=2, description="SD of the logarithm of that time")
    first_click_s: float = Field(default=1.5, ge=0, le=60, description="added to the first click of a round")
    words_per_s: float = Field(default=4.0, gt=0, le=100, description="words read a second; a guess")
    p_quiz: float = Field(default=0.8, gt=0, le=1, description="probability to pass the questions at one try")
    careless: float = Field(default=0.0, ge=0, le=1, description="probability to click at random in the whole session")
    settle: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="probability, after each new best tile, to click it again until the round ends",
    )


ParamsT = TypeVar("ParamsT", bound=ParticipantParams)


class GridParticipant(Model, Generic[ParamsT]):
    """The base of virtual participants; a subclass has the policy. ``params`` are the person's own."""

    Params: ClassVar[type[ParticipantParams]] = ParticipantParams
    needs = ("screen",)

    def __init__(self, params: ParamsT) -> None:
        self.params = of_person(params)
        self._reader = PageReader(params.words_per_s, params.p_quiz)
        self._risky = False

    @abstractmethod
    def policy(self, scale: RewardScale) -> Policy:
        """Return the policy for a round whose rewards are standardized in this way."""

    def policy_of_round(self, scale: RewardScale, tiles: Tiles) -> Policy:
        """Return the policy for the round that begins with these tiles."""
        return self.policy(scale)

    async def live(self, body: Body) -> None:
        """Run pages and rounds until the session ends."""
        careless = body.random.random() < self.params.careless
        while True:
            if buttons_in(body.scene):
                await self._reader.read(body)
            elif (tiles := tiles_in(body.scene)) is not None:
                await self._play(body, tiles, careless=careless)
            else:
                await body.wait(GLANCE_S)

    async def _play(self, body: Body, first: Tiles, *, careless: bool) -> None:
        """Press tiles until the round is over, and the best one when asked for it."""
        params, best, settled = self.params, Best(), False
        scale = self._scale(first)
        policy = RandomPolicy() if careless else self.policy_of_round(scale, first)
        policy.start_round(first.grid)
        for tile, number in first.shown.items():
            best.see(tile, number)
            policy.observe(tile, _standard(scale, number))
        await body.wait(params.first_click_s)
        tiles: Tiles | None = first
        while tiles is not None and not buttons_in(body.scene):
            interval_s = lognormal(body.random, params.click_s, params.click_sigma)
            await body.wait(max(GLANCE_S, interval_s - POINT_S))
            threshold = 0.0 if tiles.threshold is None else scale.standard(tiles.threshold)
            tile = draw_tile(policy.probabilities(threshold), body.random.random())
            if settled or tiles.asks_best:
                tile = best.tile
            clicked = await press(body, tiles.items[tile]) and not tiles.asks_best
            tiles = tiles_in(body.scene)
            if clicked and tiles is not None and tile in tiles.shown:
                number = tiles.shown[tile]
                settled = settled or (best.see(tile, number) and body.random.random() < params.settle)
                policy.observe(tile, _standard(scale, number))

    def _scale(self, tiles: Tiles) -> RewardScale:
        """Return how rewards are standardized."""
        self._risky = self._risky or tiles.threshold is not None
        if self.params.rewards is not None:
            return SCALES[self.params.rewards]
        if tiles.grid.height == 1:
            return RISKY_LINE
        return RISKY_GRID if self._risky else GRID


class Best:
    """The tile with the largest reward seen in a round."""

    def __init__(self) -> None:
        self.tile = 0
        self._number = -math.inf

    def see(self, tile: int, number: float) -> bool:
        """Update with a reward; return whether it is a new best one."""
        better = number > self._number
        if better:
            self.tile, self._number = tile, number
        return better


def _standard(scale: RewardScale, number: float) -> float:
    """Return a shown reward, standardized; those of the grid task are shown rescaled."""
    return scale.standard((number - OFFSET) / MEAN_SCALE * 100 if scale is GRID else number)
