"""Base class of virtual subjects: parameters, and one coroutine for the session."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from sim_hardware.world.body import Body


class ModelParams(BaseModel):
    """A model's parameters, settable with ``--param name=value``."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Model(ABC):
    """A virtual subject; it acts only through its body and draws only from ``body.random``."""

    Params: ClassVar[type[ModelParams]] = ModelParams
    needs: ClassVar[tuple[str, ...]] = ()
    """Names of the devices that it uses, and ``screen``. It is refused on a rig that lacks one of them."""

    def __init__(self, params: object = None) -> None:  # noqa: B027 - one that has none of its own need not keep them
        """Build the subject from validated parameters."""

    @property
    def remark(self) -> str:
        """Return a remark for the operator after the session, or nothing."""
        return ""

    @abstractmethod
    async def live(self, body: Body) -> None:
        """Run one session."""


def lognormal(stream: random.Random, median: float, sigma: float) -> float:
    """Draw from a lognormal distribution given by its median and the SD of its logarithm."""
    return median * math.exp(sigma * normal(stream))


def normal(stream: random.Random) -> float:
    """Draw from the standard normal distribution."""
    # Box and Muller's cosine: two uniform draws per call, so that the result does not depend on Python's gauss().
    radius = math.sqrt(-2.0 * math.log(1.0 - stream.random()))
    return radius * math.cos(2.0 * math.pi * stream.random())
