"""What a PI may change in a search for rewards on a grid or a line, with or without risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import Annotated, ClassVar, Self, TypeVar

from pydantic import Field, model_validator

from protocols.person.params import SILENT, PersonParams
from protocols.searching.grids.places import Grid
from protocols.searching.text_fields import Payoff, SearchTexts
from rig import Color

Side = Annotated[int, Field(ge=1, le=50)]
T = TypeVar("T")
Horizon = Annotated[int, Field(ge=1, le=500)]
HEAT = ("#fff7ec", "#fee8c8", "#fdd49e", "#fdbb84", "#fc8d59", "#ef6548", "#d7301f", "#b30000", "#7f0000")
"""The nine stops of the released code of Wu et al. (2017); it uses eight, this project all."""


class SearchParams(PersonParams):
    """Parameters of both tasks; each subclass says how values are drawn and paid."""

    sources: ClassVar = {
        **PersonParams.sources,
        "horizons": "the papers: how many clicks a round has; orders are counterbalanced between participants",
        "study_seed": SILENT,
        "colors": "Wu et al. 2017, released code: nine colors, of which its range leaves out the last",
        "background": SILENT,
    }

    width: Side = Field(default=11, description="tiles in a row")
    height: Side = Field(default=11, description="tiles in a column; 1: a line")
    rounds: int = Field(default=8, ge=1, le=50, description="how many environments are played")
    horizons: tuple[Horizon, ...] = Field(
        min_length=1, max_length=50, description="clicks of the first, second, … round, over and over again"
    )
    noise_sd: float = Field(default=1.0, ge=0, le=100, description="standard deviation of the noise of every draw")
    examples: int = Field(default=4, ge=0, le=20, description="fully revealed examples, without noise, never played")
    max_bonus: float = Field(default=1.5, ge=0, description="highest bonus of a session, in your own currency")
    color_max: float = Field(default=90.0, gt=0, description="the value of the last color; the first is that of 0")
    colors: tuple[Color, ...] = Field(
        default=HEAT, min_length=2, max_length=50, description="colors of values at equal distances; between them mixed"
    )
    background: Color = Field(default="#202020", description="color of the screen around the tiles")
    texts: Mapping[str, SearchTexts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _has_places(self) -> Self:
        if self.width * self.height < 2:
            raise ValueError("width and height are 1: wanted two tiles at least")
        return self

    @property
    def words(self) -> SearchTexts:
        """Return the texts in the language that was chosen."""
        return self.texts[self.language]

    @property
    def grid(self) -> Grid:
        """Return the tiles."""
        return Grid(self.width, self.height)

    @property
    def goal(self) -> Payoff:
        """Return what is paid: the average of all rewards, or the maximum."""
        return "average"

    @property
    def condition(self) -> Mapping[str, object]:
        """Return the parameters that a participant keeps in later sessions of an experiment."""
        return {"width": self.width, "height": self.height, "horizons": list(self.horizons)}

    def horizon_of(self, number: int) -> int:
        """Return the clicks of a round, counted from 0."""
        return nth(self.horizons, number)

    @property
    def facts(self) -> dict[str, object]:
        """Return what is filled into the texts and is the same in the whole session."""
        horizons = sorted(set(islice(cycle(self.horizons), self.rounds)))
        return {
            "rounds": self.rounds,
            "clicks": " / ".join(map(str, horizons)),
            "tiles": self.width * self.height,
            "show_up_pay": f"{self.show_up_pay:.2f}",
            "max_bonus": f"{self.max_bonus:.2f}",
        }

    def filled(self, text: str, **more: object) -> str:
        """Return a text with the facts of the session and ``more`` filled in."""
        return text.format(**{**self.facts, **more})

    def in_points(self, value: float) -> str:
        """Return a reward as it is shown."""
        return f"{value:.{self.decimals}f}"

    def score_text(self, score: float, largest: float) -> str:
        """Return what is shown of the rewards so far."""
        return self.words.score.format(points=self.in_points(score))

    # --- what a task decides ----------------------------------------------------------------------------------

    @property
    def decimals(self) -> int:
        """Return the decimals of a reward."""
        return 0

    def latent(self, value: float, scale: float) -> float:
        """Return the reward of a tile without noise; ``value`` is that of the environment, 0 to 1."""
        raise NotImplementedError

    def drawn(self, latent: float, noise: float) -> float:
        """Return a reward with noise, before it is rescaled."""
        # Not -0.0, which would be shown as -0.00.
        return round(latent + noise, self.decimals) + 0.0

    def shown(self, drawn: float, scale: float) -> float:
        """Return a reward as the participant gets it."""
        raise NotImplementedError

    def threshold_text(self, threshold: float) -> str:
        """Return what is shown of the line below which a reward is lost."""
        raise NotImplementedError

    def example(self, value: float, scale: float) -> float:
        """Return a reward as an example shows it, without noise."""
        return self.shown(self.drawn(self.latent(value, scale), 0.0), scale)


def nth(values: Sequence[T], number: int) -> T:
    """Return a value of a list that starts again when it is over."""
    return values[number % len(values)]
