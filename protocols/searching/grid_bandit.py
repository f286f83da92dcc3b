"""The spatially correlated grid bandit (Wu, Schulz, Speekenbrink, Nelson & Meder 2017).

Tiles of a grid hide rewards, and neighbors have similar ones. Eight grids, with 20 or 40 clicks each: for the sum of
all rewards, or for the largest one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocols.searching.condition import check_condition
from protocols.searching.grid_bandit_bonus import grid_bonus
from protocols.searching.grid_bandit_params import GridParams
from protocols.searching.grids.environments import draw_environment
from protocols.searching.plan import ExamplePlan, RoundPlan, SessionPlan, in_order
from protocols.searching.rounds import Round
from protocols.searching.task import SearchTask
from protocols.searching.views import search_views
from rig import RandomStreams


class GridBandit(SearchTask[GridParams]):
    """Clicks on the tiles of grids whose rewards are correlated in space."""

    params_type = GridParams
    publications = ("https://doi.org/10.1101/106286",)
    views: ClassVar = search_views()

    @classmethod
    def check_history(cls, params: GridParams, carried_over: Mapping[str, object]) -> None:
        """Check that a participant keeps the condition of the last session. Raises ``ConfigError``."""
        check_condition(params.condition, carried_over)

    @classmethod
    def draw(
        cls, params: GridParams, streams: RandomStreams, carried_over: Mapping[str, object]
    ) -> Mapping[str, object]:
        """Return the plan: environments without replacement, first those of the examples, then those of the rounds."""
        environments = pool(params)
        order = streams("environments").shuffled(range(len(environments)))
        scale, initial = streams("scale"), streams("initial")
        examples = [
            ExamplePlan(environment=number, scale=scale.integer(params.scale_min, params.scale_max))
            for number in order[: params.examples]
        ]
        rounds = [
            RoundPlan(
                environment=number,
                kernel=params.environment,
                scale=scale.integer(params.scale_min, params.scale_max),
                horizon=params.horizon_of(place),
                initial_tile=initial.integer(0, params.grid.count - 1),
            )
            for place, number in enumerate(order[params.examples :][: params.rounds])
        ]
        return SessionPlan(environments=environments, examples=tuple(examples), rounds=tuple(rounds)).model_dump()

    def bonus_of(self, played: Round) -> float:
        """Return what a grid has earned so far."""
        return grid_bonus(self.params, played)

    def condition_of(self, plan: RoundPlan) -> str:
        """Return payoff and class of environments, which are the participant's in all rounds."""
        return f"{self.params.payoff}-{self.params.environment}"

    @property
    def guess_text(self) -> str:
        """Return the question for the best tile; empty if it is not asked."""
        return self.params.filled(self.params.words.guess) if self.params.guess else ""


def pool(params: GridParams) -> tuple[tuple[float, ...], ...]:
    """Return the environments of the study: those of the file, or drawn by its own seed, the same for everybody."""
    file = params.stored.get(params.environment)
    if file is not None:
        return file.values
    stream = RandomStreams(params.study_seed)(f"environments.{params.environment}")
    kernel, grid = params.kernel, params.grid
    return tuple(in_order(draw_environment(kernel, grid, stream.random)) for _ in range(params.pool))
