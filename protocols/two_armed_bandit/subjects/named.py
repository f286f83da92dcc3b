"""Mice by name: the weights of the recursive logistic regression, published or fitted, and their parameters.

Weights of another model follow from them, so one name means one mouse in each of them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Literal, NamedTuple

from pydantic import Field, ValidationInfo, field_validator, model_validator

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.base import Habit, Learner, PolicyName
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams
from sim_hardware.models.base import lognormal, normal
from sim_hardware.world.body import Body

SetName = Literal["90-10", "80-20", "70-30", "data-90-10", "data-80-20", "data-70-30"]
MouseName = Literal["baby", "dill", "mustard", "raspberry", "sky", "wine"]


class Weights(NamedTuple):
    """The numbers of the recursive logistic regression (Beron et al. 2022, equations 5 and 6); delta favors left.

    The others are no part of it: weights of the mouse's own choices (``Habit``), and how much its days differ.
    """

    alpha: float
    beta: float
    tau: float
    delta: float = 0.0
    alpha2: float = 0.0
    slow: float = 0.0
    bias_sd: float = 0.45
    gain_sd: float = 0.17

    @property
    def character(self) -> dict[str, float]:
        """Return what is common to all models: habits, and how much days differ."""
        return {"alpha2": self.alpha2, "slow": self.slow, "bias_sd": self.bias_sd, "gain_sd": self.gain_sd}

    @property
    def decay(self) -> float:
        """Return how much of the evidence is left a trial later."""
        return math.exp(-1.0 / self.tau)

    @property
    def k(self) -> float:
        """Return the learning rate of the forgetting Q-learner that acts alike."""
        return 1.0 - self.decay

    @property
    def temperature(self) -> float:
        """Return the temperature of the forgetting Q-learner that acts alike."""
        return self.k / self.beta


SETS: dict[str, Weights] = {
    # the first author's later repository, celiaberon/Transformers..., three_domains.ini
    "90-10": Weights(0.56, 1.84, 1.25),
    "80-20": Weights(0.78, 2.05, 1.43),
    "70-30": Weights(1.10, 1.92, 1.54),
    # maximum likelihood on the public sessions of celiaberon/mouse_bandit, first ten trials of each left out
    # conditions came in runs of weeks, 90-10 first: a difference between these sets is also one of training
    "data-90-10": Weights(0.603, 1.763, 1.172),
    "data-80-20": Weights(0.923, 1.949, 1.403),
    "data-70-30": Weights(1.187, 1.795, 1.601),
}
USUAL = SETS["80-20"]

# python -m scripts.fit_mice, on each mouse's public 80-20 sessions
MICE: dict[str, Weights] = {
    "baby": Weights(0.558, 2.336, 1.516, -0.294, -0.448, 0.501, 0.601, 0.217),
    "dill": Weights(0.267, 2.388, 1.204, 0.562, -0.347, 0.715, 0.438, 0.127),
    "mustard": Weights(0.644, 2.581, 1.156, 0.143, -0.539, 0.436, 0.291, 0.135),
    "raspberry": Weights(1.157, 2.085, 1.411, 0.032, -0.540, 0.544, 0.665, 0.191),
    "sky": Weights(0.846, 2.872, 1.325, -0.163, -0.454, 0.362, 0.142, 0.183),
    "wine": Weights(1.536, 2.832, 1.502, -0.155, -0.680, 0.119, 0.318, 0.106),
}

_NAMED = {**SETS, **MICE}


class NamedParams(NosePortParams):
    """A mouse by its name or its condition; the model's other parameters override its weights."""

    set: SetName | None = Field(
        default=None,
        description="weights of a condition: published (first author's repository; 80-20 if none is named), "
        "or data-...: fitted to the public sessions",
    )
    mouse: MouseName | None = Field(
        default=None,
        description="weights, side bias and habits of one mouse of Beron et al. (2022), fitted to its sessions",
    )
    policy: PolicyName = Field(
        default="stochastic", description="choice by the odds of the evidence, or by its sign (Beron et al. 2022)"
    )
    alpha2: float = Field(
        default=USUAL.alpha2, ge=-50, le=50, description="weight of the choice before the last; none in the paper"
    )
    slow: float = Field(
        default=USUAL.slow,
        ge=-50,
        le=50,
        description="weight of the mean of the last choices, over about 20 trials; none in the paper",
    )
    individuality: bool = Field(
        default=False,
        description="each session has a bias to a side and a gain of the log-odds, and begins with coin choices, "
        "p = .6 exp(-t/8): fitted to the public sessions",
    )
    bias_sd: float = Field(
        default=USUAL.bias_sd, ge=0, le=10, description="with individuality: SD over sessions of the bias, log-odds"
    )
    gain_sd: float = Field(
        default=USUAL.gain_sd, ge=0, le=2, description="with individuality: log-SD over sessions of the gain"
    )

    @field_validator("mouse")
    @classmethod
    def _one_name(cls, mouse: MouseName | None, info: ValidationInfo) -> MouseName | None:
        if mouse is not None and info.data.get("set") is not None:
            raise ValueError("a mouse has its own weights: name a set or a mouse, not both")
        return mouse

    @model_validator(mode="before")
    @classmethod
    def _weigh(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        weights = _NAMED.get(str(given.get("mouse") or given.get("set")))
        return given if weights is None else {**weights.character, **cls.from_weights(weights), **given}

    @classmethod
    @abstractmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Return which parameters of the model have these weights."""


class NamedMouse(LearnerMouse):
    """A mouse that may be named, whose sessions may differ."""

    def __init__(self, params: NamedParams, learner: Learner) -> None:
        super().__init__(params, learner)
        self._days = params
        learner.habit = Habit(params.alpha2, params.slow)

    async def live(self, body: Body) -> None:
        """Draw what the day brings, if days differ, and do trials until the session ends."""
        if self._days.individuality:
            bias = self._days.bias_sd * normal(body.random)
            self.learner.begin_day(bias, lognormal(body.random, 1.0, self._days.gain_sd))
        await super().live(body)
