"""Parameters of participants with a policy, and sets of them by name.

Published for the grid task (Wu et al. 2017): the medians of all participants, read from the released estimates within
0.03, and the first three rows of these, which the released simulations use. GP-UCB has two clusters of participants;
``wu2017-wide`` is the smaller one. ``wu2017-local-people`` differ as the medians of the 80 people do, of whom the
released estimates of the local variant have eight rows each; that beta and tau go together there (r = .56) is left
out. Schulz et al. (2018) print no medians: ``line`` and ``risky-grid`` have the kernel of the task, and a temperature
between two at which simulated scores enclose those of people.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from protocols.searching.grids.choice_rules import Neighborhood, Strategy
from protocols.searching.subjects.participant import ParticipantParams
from protocols.searching.subjects.people import spread_of

Sets = Mapping[str, Mapping[str, object]]

TaskSet = Literal["line", "risky-grid"]
UcbSet = Literal[
    "wu2017",
    "wu2017-wide",
    "wu2017-row1",
    "wu2017-row2",
    "wu2017-row3",
    "wu2017-local",
    "wu2017-local-people",
    "wu2017-local-row1",
    "wu2017-local-row2",
    "wu2017-local-row3",
    "line",
    "risky-grid",
]

TASK_TAU = 0.07
TASK_SETS: Sets = {
    "line": {"length": math.sqrt(2), "tau": TASK_TAU},  # exp(-d²) with d in halves of a unit
    "risky-grid": {"length": 1.0, "tau": TASK_TAU},  # exp(-d²/2), footnote 2
}
UCB_SETS: Sets = {
    "wu2017": {"length": 0.565, "beta": 0.480, "tau": 0.0267},
    "wu2017-wide": {"length": 1.4, "beta": 0.0067, "tau": 0.2},
    "wu2017-row1": {"length": 0.390, "beta": 0.513, "tau": 0.0067},
    "wu2017-row2": {"length": 0.670, "beta": 0.429, "tau": 0.060},
    "wu2017-row3": {"length": 0.374, "beta": 0.540, "tau": 0.0068},
    "wu2017-local": {"length": 0.78, "beta": 0.48, "tau": 0.135, "local": True},
    "wu2017-local-people": {
        "length": 0.756,
        "beta": 0.497,
        "tau": 0.136,
        "local": True,
        "length_spread": 0.29,
        "beta_spread": 0.57,
        "tau_spread": 0.135,
    },
    "wu2017-local-row1": {"length": 0.778, "beta": 0.422, "tau": 0.187, "local": True},
    "wu2017-local-row2": {"length": 1.029, "beta": 0.402, "tau": 0.200, "local": True},
    "wu2017-local-row3": {"length": 0.858, "beta": 0.598, "tau": 0.181, "local": True},
    **{name: {**values, "beta": 0.5} for name, values in TASK_SETS.items()},
}


class NamedParams(ParticipantParams):
    """Parameters that may be a set with a name; others that are given override those of the set."""

    sets: ClassVar[Sets] = {}

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return {**cls.sets.get(str(given.get("set")), {}), **given}


class WinStayParams(ParticipantParams):
    """Parameters of win-stay lose-shift; it has none to fit."""

    neighborhood: Neighborhood = Field(
        default="manhattan",
        description="to stay is to click the tile or one beside it (the paper), or one of the 3 x 3 (moore: the code)",
    )


class LocalSearchParams(NamedParams):
    """Parameters of local search."""

    sets: ClassVar[Sets] = {"wu2017": {"tau": 0.22}}

    set: Literal["wu2017"] | None = Field(default=None, description="the published median")
    tau: float = Field(default=0.22, ge=1e-4, le=1000, description="temperature; a median, read within 0.03")
    tau_spread: float = spread_of("tau")


class BeliefParams(NamedParams):
    """Parameters of all participants with a Gaussian process."""

    length: float = Field(
        default=0.78, ge=1e-2, le=150, description="l of exp(-d²/(2 l²)), in tiles or points of a line"
    )
    length_spread: float = spread_of("length")
    tau: float = Field(default=0.07, ge=1e-4, le=1000, description="temperature of the softmax")
    tau_spread: float = spread_of("tau")
    noise_variance: float | None = Field(
        default=None, ge=1e-8, le=100, description="assumed noise of a standardized reward; by default that of the task"
    )


class ProcessParams(BeliefParams):
    """Parameters of a strategy without more."""

    sets: ClassVar[Sets] = TASK_SETS

    set: TaskSet | None = Field(default=None, description="the kernel of one of the risky tasks; not fitted")


class LocalProcessParams(ProcessParams):
    """Parameters of a strategy with a local variant."""

    local: bool = Field(default=False, description="values are weighted by the nearness of the last tile")


class SafetyParams(LocalProcessParams):
    """Parameters of the probability of safety, and what changes in rounds in which nothing can be lost."""

    safe_length_ratio: float = Field(
        default=1.0, gt=0, le=100, description="length in rounds without a line, over that in rounds with one"
    )
    safe_length_ratio_spread: float = spread_of("safe_length_ratio")
    safe_tau_ratio: float = Field(
        default=1.0, gt=0, le=100, description="tau in rounds without a line, over that in rounds with one"
    )
    safe_tau_ratio_spread: float = spread_of("safe_tau_ratio")


class UcbParams(BeliefParams):
    """Parameters of upper confidence bound sampling; by default the published medians."""

    sets: ClassVar[Sets] = UCB_SETS

    set: UcbSet | None = Field(
        default=None,
        description="published medians, a smaller cluster, rows of the released estimates, the local variant of these, "
        "people who differ, or the kernel of a risky task",
    )
    length: float = Field(default=0.565, ge=1e-2, le=150, description="l of exp(-d²/(2 l²)), in tiles")
    beta: float = Field(default=0.480, ge=0, le=150, description="weight of the uncertainty")
    beta_spread: float = spread_of("beta")
    tau: float = Field(default=0.0267, ge=1e-4, le=1000, description="temperature of the softmax")
    local: bool = Field(default=False, description="values are weighted by the nearness of the last tile")


class LcbParams(ProcessParams):
    """Parameters of lower confidence bound sampling."""

    sets: ClassVar[Sets] = {name: {**values, "beta": 0.5} for name, values in TASK_SETS.items()}

    beta: float = Field(default=0.5, ge=0, le=150, description="weight of the uncertainty, which is avoided")
    beta_spread: float = spread_of("beta")


class OptionParams(ParticipantParams):
    """Parameters of option learning with any strategy; the papers print no medians."""

    strategy: Strategy = Field(
        default="ucb",
        description="variance-greedy, mean-greedy, upper or lower confidence bound, probability of safety or of "
        "improvement",
    )
    error_sd: float = Field(default=0.5, ge=1e-4, le=150, description="assumed SD of a standardized reward's error")
    error_sd_spread: float = spread_of("error_sd")
    beta: float = Field(default=0.5, ge=0, le=150, description="weight of the uncertainty (ucb, lcb)")
    beta_spread: float = spread_of("beta")
    tau: float = Field(default=0.07, ge=1e-4, le=1000, description="temperature of the softmax")
    tau_spread: float = spread_of("tau")
    local: bool = Field(default=False, description="values are weighted by the nearness of the last tile (grid task)")

    @model_validator(mode="after")
    def _has_a_local_variant(self) -> Self:
        if self.local and self.strategy not in ("vg", "mg", "ucb"):
            raise ValueError("local: wanted strategy vg, mg or ucb, which have a local variant")
        return self
