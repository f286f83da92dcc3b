"""What a PI may change in the risky bandit (Schulz et al. 2018), experiments 1 and 2.

Defaults are those of experiment 1; its file and that of experiment 2 say what differs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from protocols.person.params import SILENT, Words
from protocols.searching.grids.kernels import Kernel, read_kernel
from protocols.searching.grids.places import Grid
from protocols.searching.params import Horizon, SearchParams, nth
from protocols.searching.plan import Risk
from protocols.searching.text_fields import SearchTexts, with_facts

PAPER = "Schulz et al. 2018"
ONE, TWO = f"{PAPER}, experiment 1", f"{PAPER}, experiment 2"
STEP = 0.5
"""Distance of neighboring points on the line, which is 10 long (Schulz et al. 2018)."""

Proportion = Annotated[float, Field(gt=0, lt=1)]


class RiskyTexts(SearchTexts):
    """What a participant reads in the risky bandit."""

    sources: ClassVar = {
        "questions": f"{ONE}: an example round and four questions; their words: ours",
        "lost": f"{PAPER}: below the line a round is over and its reward is lost; the words: ours",
    }
    general: ClassVar = {**SearchTexts.general, "threshold": "50"}
    filled: ClassVar = {
        **with_facts(SearchTexts.filled, general),
        "instructions": general,
        "ready_safe": {**general, "round": 1, "clicks": 10},
        "threshold": {"threshold": "50"},
        "lost": SearchTexts.filled["feedback"],
    }

    ready_safe: Words = Field(description="before a round without risk; filled in as ready")
    threshold: Words = Field(description="above the tiles, in red: {threshold} below which a reward is lost")
    lost: Words = Field(description="after a round that was lost; filled in as feedback")


class RiskyParams(SearchParams):
    """What a PI may change."""

    sources: ClassVar = {
        **SearchParams.sources,
        "width": f"{ONE}: 21 points; {TWO}: 11 x 11",
        "height": f"{ONE}: a line; {TWO}: 11 x 11",
        "rounds": f"{ONE}: nine; {TWO}: ten",
        "horizons": f"{ONE}: ten trials; {TWO}: {SILENT}, its figures show ten",
        "risks": f"{ONE}: all risky; {TWO}: five safe and five risky, in counterbalanced order",
        "kernel": f"{PAPER}, footnote 2: exp(-d^2 / lambda), in tiles; wu: lambda is the length of Wu's generator",
        "lam": f"{ONE}: lambda = 1; {TWO}: lambda = 2",
        "noise_sd": f"{SILENT}, the variance is lost in its text: 0.1 and 1",
        "scale_min": f"{ONE}: the maximum is drawn from U(9, 10); {TWO}: 0 to 100",
        "scale_max": f"{ONE}: the maximum is drawn from U(9, 10); {TWO}: 0 to 100",
        "shown_decimals": SILENT,
        "below": f"{ONE}: a proportion of .55 to .80 of the inputs is below the line, between participants",
        "threshold": f"{TWO}: 50",
        "examples": f"{ONE}: an example round; {TWO}: not stated",
        "show_up_pay": f"{PAPER}: 1 dollar",
        "pay_for": f"{ONE}: the score of 0 to 10, which fits the mean reward; {TWO}: points, which fit its sum",
        "pay": f"{ONE}: 0.09; {TWO}: 0.01 for 10 points, up to 1 dollar, which ten rounds of means up to 100 give",
        "max_bonus": f"{PAPER}: up to 1 dollar",
        "color_max": f"{SILENT}: the colors of Wu et al. 2017",
    }

    width: int = Field(default=21, ge=1, le=50, description="points of the line, or tiles in a row")
    height: int = Field(default=1, ge=1, le=50, description="1: a line with a plot; otherwise tiles in a column")
    rounds: int = Field(default=9, ge=1, le=50, description="how many functions are played")
    horizons: tuple[Horizon, ...] = Field(
        default=(10,), min_length=1, max_length=50, description="clicks of the rounds at most, in turn"
    )
    risks: tuple[Risk, ...] = Field(
        default=("risky",),
        min_length=1,
        max_length=50,
        description="whether rewards can be lost, in the first, second, … round, over and over again",
    )
    kernel: Literal["footnote", "wu", "unit"] = Field(
        default="footnote", description="how lam is read: exp(-d^2 / lam); exp(-d^2 / (2 lam^2)); the grid is 1 wide"
    )
    lam: float = Field(default=1.0, gt=0, le=1000, description="lambda of the kernel: how far rewards are correlated")
    noise_sd: float = Field(default=0.1, ge=0, le=100, description="standard deviation of the noise of every draw")
    scale_min: float = Field(default=9.0, gt=0, le=1000, description="lowest maximum of a function")
    scale_max: float = Field(default=10.0, gt=0, le=1000, description="highest maximum of a function")
    shown_decimals: int = Field(default=2, ge=0, le=4, description="decimals of a reward")
    below: Proportion | None = Field(
        default=0.65, description="this proportion of the points is below the line; null where threshold is given"
    )
    threshold: float | None = Field(default=None, gt=0, le=1000, description="or the line is at this reward")
    examples: int = Field(default=1, ge=0, le=20, description="fully revealed examples, without noise, never played")
    show_up_pay: float = Field(default=1.0, ge=0, description="paid to everybody, in your own currency")
    pay_for: Literal["mean", "points"] = Field(
        default="mean", description="pay is for the mean reward of all clicks, those not made included; or for a point"
    )
    pay: float = Field(default=0.09, ge=0, description="paid for each of these, in your own currency")
    max_bonus: float = Field(default=1.0, ge=0, description="highest bonus of a session, in your own currency")
    color_max: float = Field(default=10.0, gt=0, description="the value of the last color; the first is that of 0")
    texts: Mapping[str, RiskyTexts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.scale_max < self.scale_min:
            raise ValueError(f"scale_min is {self.scale_min:g}, above scale_max: wanted the smaller first")
        if (self.below is None) == (self.threshold is None):
            raise ValueError("wanted either below or threshold, and the other null: there is one line")
        if self.threshold is not None and self.threshold >= self.scale_min:
            raise ValueError(
                f"threshold is {self.threshold:g}, and a function may reach no more than {self.scale_min:g}: "
                "wanted a lower one, because the revealed tile is above it"
            )
        if self.below is not None and not 0 < self.count_below < self.width * self.height:
            raise ValueError(f"below is {self.below:g} of {self.width * self.height} points: wanted one on each side")
        return self

    @property
    def words(self) -> RiskyTexts:
        """Return the texts in the language that was chosen."""
        return self.texts[self.language]

    @property
    def grid(self) -> Grid:
        """Return the tiles, or the points of the line."""
        return Grid(self.width, self.height, STEP if self.height == 1 else 1.0)

    @property
    def covariance(self) -> Kernel:
        """Return the kernel of the functions."""
        return read_kernel(self.kernel, self.lam, self.grid)

    @property
    def count_below(self) -> int:
        """Return how many points are below the line; halves are rounded up."""
        return math.floor((self.below or 0.0) * self.width * self.height + 0.5)

    @property
    def condition(self) -> Mapping[str, object]:
        """Return the parameters that a participant keeps in later sessions."""
        return {**super().condition, "below": self.below, "threshold": self.threshold, "risks": list(self.risks)}

    @property
    def facts(self) -> dict[str, object]:
        """Return what is filled into the texts and is the same in the whole session."""
        return {**super().facts, "threshold": "" if self.threshold is None else self.in_points(self.threshold)}

    @property
    def decimals(self) -> int:
        """Return the decimals of a reward."""
        return self.shown_decimals

    def risk_of(self, number: int) -> Risk:
        """Return whether rewards of a round, counted from 0, can be lost."""
        return nth(self.risks, number)

    def threshold_text(self, threshold: float) -> str:
        """Return what is shown of the line below which a reward is lost."""
        return self.words.threshold.format(threshold=self.in_points(threshold))

    def latent(self, value: float, scale: float) -> float:
        """Return the reward of a tile without noise; ``scale`` is the largest."""
        return round(value * scale, 4)

    def shown(self, drawn: float, scale: float) -> float:
        """Return a reward as the participant gets it: as it was drawn."""
        return drawn
