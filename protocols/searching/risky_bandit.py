"""The risky spatially correlated bandit (Schulz, Wu, Huys, Krause & Speekenbrink 2018), experiments 1 and 2.

Points of a line, or tiles of a grid, hide rewards, and neighbors have similar ones. A reward below a red line is lost,
and the round is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from protocols.searching.condition import check_condition
from protocols.searching.grids.environments import draw_environment
from protocols.searching.pages import SearchPages
from protocols.searching.params import SearchParams
from protocols.searching.plan import ExamplePlan, RoundPlan, SessionPlan, in_order
from protocols.searching.risky_bandit_line import LinePages
from protocols.searching.risky_bandit_params import RiskyParams
from protocols.searching.rounds import Round
from protocols.searching.task import SearchTask
from protocols.searching.views import search_views
from rig import ConfigError, RandomStreams


class RiskyBandit(SearchTask[RiskyParams]):
    """Clicks on a line or a grid where a reward below a red line ends the round."""

    params_type = RiskyParams
    publications = ("https://doi.org/10.1111/cogs.12695",)
    views: ClassVar = search_views(threshold=True)

    @classmethod
    def check_history(cls, params: RiskyParams, carried_over: Mapping[str, object]) -> None:
        """Check that a participant keeps the condition of the last session. Raises ``ConfigError``."""
        check_condition(params.condition, carried_over)

    @classmethod
    def draw(
        cls, params: RiskyParams, streams: RandomStreams, carried_over: Mapping[str, object]
    ) -> Mapping[str, object]:
        """Return the plan: a function of its own for each example and each round."""
        drawn = [draw_function(params, streams) for _ in range(params.examples + params.rounds)]
        examples = [
            ExamplePlan(environment=number, scale=scale, threshold=level)
            for number, (_, scale, level) in enumerate(drawn[: params.examples])
        ]
        rounds = []
        for place, (values, scale, level) in enumerate(drawn[params.examples :]):
            risk = params.risk_of(place)
            rounds.append(
                RoundPlan(
                    environment=params.examples + place,
                    kernel=params.kernel,
                    scale=scale,
                    horizon=params.horizon_of(place),
                    risk=risk,
                    threshold=level if risk == "risky" else None,
                    level=level,
                    initial_tile=streams("initial").choice(revealable(params, values, scale, level)),
                )
            )
        environments = tuple(values for values, _, _ in drawn)
        return SessionPlan(environments=environments, examples=tuple(examples), rounds=tuple(rounds)).model_dump()

    def build_pages(self, params: SearchParams, width_cm: float, height_cm: float) -> SearchPages:
        """Return the pages for a screen of this size: of a line, or of a grid."""
        kind = LinePages if params.height == 1 else SearchPages
        return kind(params, width_cm, height_cm)

    def bonus_of(self, played: Round) -> float:
        """Return what a round has earned so far; clicks that were not made count as nothing."""
        params, points = self.params, sum(draw.shown for draw in played.kept)
        return params.pay * (points if params.pay_for == "points" else points / played.plan.horizon / params.rounds)

    def condition_of(self, plan: RoundPlan) -> str:
        """Return whether rewards of a round can be lost."""
        return plan.risk

    def ready_text(self, plan: RoundPlan) -> str:
        """Return what is told before a round: whether rewards can be lost."""
        if plan.risk == "risky":
            return super().ready_text(plan)
        return self.params.filled(self.params.words.ready_safe, round=self.number, clicks=plan.horizon)

    def feedback_text(self, played: Round, earned: float) -> str:
        """Return what is told after a round: whether it was lost."""
        if played.end != "below":
            return super().feedback_text(played, earned)
        return self.params.filled(self.params.words.lost, **self.told_of(played, earned))


TRIES = 1000
"""Maximum number of draws, when no tile of a function can be revealed."""


def draw_function(params: RiskyParams, streams: RandomStreams) -> tuple[tuple[float, ...], float, float]:
    """Draw the values of a function, its largest reward, and the level of the line.

    Raises ``ConfigError`` for parameters with which no function has a tile above the line.
    """
    for _ in range(TRIES):
        values = in_order(draw_environment(params.covariance, params.grid, streams("environments").random))
        scale = round(streams("scale").uniform(params.scale_min, params.scale_max), 4)
        level = level_of(params, [params.latent(value, scale) for value in values])
        if level is not None and revealable(params, values, scale, level):
            return values, scale, level
    raise ConfigError(
        f"params: none of {TRIES} functions had a tile that could be revealed above the line: "
        "wanted a larger scale_min, a lower line or more shown_decimals"
    )


def level_of(params: RiskyParams, rewards: Sequence[float]) -> float | None:
    """Return the level of the line; None if two rewards are equal where it would have to part them."""
    if params.threshold is not None:
        return params.threshold
    in_height = sorted(rewards)
    low, high = in_height[params.count_below - 1], in_height[params.count_below]
    # A number as it is shown, if one parts the two; otherwise halfway, and they have four decimals.
    rounded = round((low + high) / 2, params.decimals)
    level = rounded if low < rounded <= high else round((low + high) / 2, 5)
    return level if low < high else None


def revealable(params: RiskyParams, values: Sequence[float], scale: float, level: float) -> list[int]:
    """Return the tiles whose reward is above the line, also as it would be shown without noise."""
    return [
        tile
        for tile, value in enumerate(values)
        if params.latent(value, scale) > level and params.example(value, scale) >= level
    ]
