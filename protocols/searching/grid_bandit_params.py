"""What a PI may change in the grid bandit (Wu et al. 2017).

Defaults are those of the paper, then of its released code, then this project's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from protocols.person.params import Words
from protocols.searching.grids.kernels import Kernel
from protocols.searching.params import Horizon, SearchParams
from protocols.searching.tables.stored_environments import StoredEnvironments
from protocols.searching.text_fields import Payoff, SearchTexts, with_facts

PAPER = "Wu et al. 2017"
CODE = f"{PAPER}, released code"
OFFSET = 5
"""Added to every shown reward, so that none is negative; the largest is then 65 to 85."""

EnvironmentClass = Literal["smooth", "rough"]


class GridTexts(SearchTexts):
    """What a participant reads in the grid bandit."""

    sources: ClassVar = {
        "goal": f"{PAPER}: gain as many points as possible across all 8 grids; learn where the largest reward is",
        "questions": f"{PAPER}: three comprehension questions; their words: ours",
    }
    general: ClassVar = {**SearchTexts.general, "goal": "Earn points."}
    filled: ClassVar = {
        **with_facts(SearchTexts.filled, general),
        "instructions": general,
        "goal": SearchTexts.general,
        "largest": {"points": "51"},
        "guess": general,
    }

    goal: Mapping[Payoff, Words] = Field(
        min_length=2, max_length=2, description="what earns the bonus, for each payoff; stands for {goal}"
    )
    largest: Words = Field(description="above the tiles where the maximum is paid: {points} found so far")
    guess: Words = Field(description="asked in the last round: which tile has the largest reward")


class GridParams(SearchParams):
    """What a PI may change."""

    sources: ClassVar = {
        **SearchParams.sources,
        "width": f"{PAPER}: 11 x 11",
        "height": f"{PAPER}: 11 x 11",
        "rounds": f"{PAPER}: eight grids",
        "horizons": f"{PAPER}: 20 and 40 clicks in turn; which comes first is counterbalanced",
        "payoff": f"{PAPER}: between participants",
        "environment": f"{PAPER}: between participants",
        "smooth_length": f"{PAPER}: lambda = 2, in tiles, as the released code reads it: exp(-d^2 / (2 l^2))",
        "rough_length": f"{PAPER}: lambda = 1",
        "pool": f"{CODE}: 20 environments of each class",
        "stored": f"{CODE}: files of environments",
        "noise_sd": f"{PAPER}: noise of N(0, 1) on the scale from 0 to 100",
        "scale_min": f"{CODE}: whole numbers from 60 to 80, plus 5: maxima of 65 to 85",
        "scale_max": f"{CODE}: as scale_min",
        "examples": f"{PAPER}: four fully revealed examples",
        "show_up_pay": f"{PAPER}: 0.50 dollars",
        "max_bonus": f"{PAPER}: up to 1.50 dollars",
        "bonus": f"{PAPER}: from noisy but unscaled observations; {CODE}: from the points that were shown",
        "guess": f"{CODE}: the best tile is asked for in the last grid, without a bonus",
        "color_max": f"{CODE}: steps of 11.25 up to 90",
    }

    width: int = Field(default=11, ge=2, le=50, description="tiles in a row")
    height: int = Field(default=11, ge=2, le=50, description="tiles in a column")
    horizons: tuple[Horizon, ...] = Field(
        default=(20, 40), min_length=1, max_length=50, description="clicks of the rounds, in turn: [40, 20] begins long"
    )
    payoff: Payoff = Field(
        default="average", description="what is paid: all points, or the largest reward of each grid"
    )
    environment: EnvironmentClass = Field(default="smooth", description="the class of the environments")
    smooth_length: float = Field(default=2.0, gt=0, le=100, description="smooth: length of the kernel, in tiles")
    rough_length: float = Field(default=1.0, gt=0, le=100, description="rough: length of the kernel, in tiles")
    pool: int = Field(
        default=20, ge=1, le=200, description="environments of the study; each participant gets other ones of these"
    )
    study_seed: int = Field(
        default=1, ge=0, description="which environments the pool has; the same for all with this number"
    )
    stored: Mapping[EnvironmentClass, StoredEnvironments] = Field(
        default_factory=dict, description="files of environments in place of the pool, by class: {smooth: FILE}"
    )
    scale_min: int = Field(default=60, ge=1, le=1000, description="lowest scale of a round: 100 becomes scale + 5")
    scale_max: int = Field(default=80, ge=1, le=1000, description="highest scale of a round")
    bonus: Literal["paper", "released_code"] = Field(
        default="paper",
        description="paper: from unscaled rewards, all grids alike; released_code: from shown points, 30 clicks a grid",
    )
    guess: bool = Field(default=True, description="ask for the best tile at the end of the last round")
    show_up_pay: float = Field(default=0.5, ge=0, description="paid to everybody, in your own currency")
    texts: Mapping[str, GridTexts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.scale_max < self.scale_min:
            raise ValueError(f"scale_min is {self.scale_min} and scale_max {self.scale_max}: wanted the smaller first")
        there, wanted = self.pool, self.rounds + self.examples
        file = self.stored.get(self.environment)
        if file is not None:
            there = len(file.values)
            if (file.width, file.height) != (self.width, self.height):
                raise ValueError(
                    f"stored.{self.environment} has {file.width} x {file.height} tiles: "
                    f"wanted {self.width} x {self.height}, or another width and height"
                )
        if there < wanted:
            raise ValueError(
                f"there are {there} environments for {self.rounds} rounds and {self.examples} examples, "
                f"none of which is used twice: wanted {wanted} at least"
            )
        return self

    @property
    def words(self) -> GridTexts:
        """Return the texts in the language that was chosen."""
        return self.texts[self.language]

    @property
    def goal(self) -> Payoff:
        """Return what is paid: the average of all rewards, or the maximum."""
        return self.payoff

    @property
    def kernel(self) -> Kernel:
        """Return the kernel of the environments."""
        return Kernel.of("length", self.smooth_length if self.environment == "smooth" else self.rough_length)

    @property
    def facts(self) -> dict[str, object]:
        """Return what is filled into the texts and is the same in the whole session."""
        facts = super().facts
        return {**facts, "goal": self.words.goal[self.payoff].format(**facts)}

    @property
    def condition(self) -> Mapping[str, object]:
        """Return the parameters that a participant keeps in later sessions."""
        return {**super().condition, "payoff": self.payoff, "environment": self.environment}

    def score_text(self, score: float, largest: float) -> str:
        """Return what is shown of the rewards so far."""
        if self.payoff == "maximum":
            return self.words.largest.format(points=self.in_points(largest))
        return super().score_text(score, largest)

    def latent(self, value: float, scale: float) -> float:
        """Return the reward of a tile without noise, 0 to 100."""
        return round(100 * value, 2)

    def shown(self, drawn: float, scale: float) -> float:
        """Return a reward as the participant gets it, at least 0; halves are rounded up, as JavaScript does."""
        return max(0, math.floor((drawn * scale + 50) / 100) + OFFSET)
