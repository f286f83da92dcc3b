"""What every virtual subject is: parameters, and one coroutine for the session."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from sim_hardware.world.body import Body


class ModelParams(BaseModel):
    """A model's parameters, settable with ``--param name=value``."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Model(ABC):
    """A virtual subject; it acts only through its body and draws only from ``body.random``."""

    Params: ClassVar[type[ModelParams]] = ModelParams
    needs: ClassVar[tuple[str, ...]] = ()
    """What it acts on: places by their names, and ``screen``. On a rig that lacks one of them it is refused."""

    def __init__(self, params: Any = None) -> None:  # noqa: B027 - one that has none of its own need not keep them
        """Take its parameters, which are checked."""

    @property
    def remark(self) -> str:
        """Return what a person should know of it once the session is over."""
        return ""

    @abstractmethod
    async def live(self, body: Body) -> None:
        """Live through one session."""


def lognormal(stream: random.Random, median: float, sigma: float) -> float:
    """Draw from a lognormal distribution given by its median and the SD of its logarithm."""
    return median * math.exp(sigma * normal(stream))


def normal(stream: random.Random) -> float:
    """Draw from the standard normal distribution."""
    # Box and Muller's cosine: two uniform draws each time, so that no Python version's gauss() is relied on.
    radius = math.sqrt(-2.0 * math.log(1.0 - stream.random()))
    return radius * math.cos(2.0 * math.pi * stream.random())
