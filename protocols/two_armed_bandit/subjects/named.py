"""Mice by name: the weights of the recursive logistic regression, published or fitted, and their parameters.

Weights of another model follow from them, so one name means one mouse in each of them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Literal, NamedTuple

from pydantic import Field, ValidationInfo, field_validator, model_validator

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.base import Learner, PolicyName
from protocols.two_armed_bandit.subjects.nose_ports import NosePortParams
from sim_hardware.models.base import normal
from sim_hardware.world.body import Body

SetName = Literal["90-10", "80-20", "70-30", "data-90-10", "data-80-20", "data-70-30"]
MouseName = Literal["baby", "dill", "mustard", "raspberry", "sky", "wine"]


class Weights(NamedTuple):
    """The numbers of the recursive logistic regression (Beron et al. 2022, equations 5 and 6); delta favors left."""

    alpha: float
    beta: float
    tau: float
    delta: float = 0.0

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

# maximum likelihood on each mouse's public 80-20 sessions, every trial
MICE: dict[str, Weights] = {
    "baby": Weights(0.792, 1.686, 1.799, -0.283),
    "dill": Weights(0.436, 1.997, 1.399, 0.607),
    "mustard": Weights(0.565, 2.379, 1.077, 0.137),
    "raspberry": Weights(1.275, 1.482, 1.665, 0.0),
    "sky": Weights(0.732, 2.469, 1.367, -0.158),
    "wine": Weights(1.219, 2.591, 1.364, -0.152),
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
        default=None, description="weights and side bias of one mouse of Beron et al. (2022), fitted to its sessions"
    )
    policy: PolicyName = Field(
        default="stochastic", description="choice by the odds of the evidence, or by its sign (Beron et al. 2022)"
    )
    individuality: bool = Field(
        default=False,
        description="a side bias of the day, N(0, .3), and a warm-up with coin choices, p = .6 exp(-t/8): "
        "fitted to the spread of the public sessions",
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
        return given if weights is None else {**cls.from_weights(weights), **given}

    @classmethod
    @abstractmethod
    def from_weights(cls, weights: Weights) -> dict[str, object]:
        """Return which parameters of the model have these weights."""


class NamedMouse(LearnerMouse):
    """A mouse that may be named, with an optional individual bias per session."""

    def __init__(self, params: NamedParams, learner: Learner) -> None:
        super().__init__(params, learner)
        self._individual = params.individuality

    async def live(self, body: Body) -> None:
        """Add an individual bias, if asked for, and do trials until the session ends."""
        if self._individual:
            self.learner.add_bias(normal(body.random))
        await super().live(body)
