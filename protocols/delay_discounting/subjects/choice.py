"""How a rat chooses between a small reward soon and a larger one later: hyperbolic titration with alternation bias.

The parameters were fitted to published figures of Papale et al. (2012): the mean indifference point, its spread, its
slope over rewards and the variance that they explain, and how often rats adjust and alternate in the course of a
session. It uses only what the rat experiences: pellets and countdowns, and that the delayed side moves by a second with
every choice.
"""

from __future__ import annotations

import math
import random
from collections import deque

from pydantic import Field

from sim_hardware.models.base import ModelParams, normal

SIDES = ("left", "right")


class TitrationParams(ModelParams):
    """Parameters of choice; fitted to published figures of Papale et al. (2012)."""

    subject: str = Field(
        default="", description="name whose individual discounting is used; by default the subject's name"
    )
    sensitivity: float = Field(default=3.2, ge=0, le=50, description="weight of a difference of values")
    alternation: float = Field(default=2.25, ge=0, le=20, description="weight of the side other than the last one")
    investigation_laps: float = Field(
        default=3.0, gt=0, le=500, description="laps until values have 63 % of their weight"
    )
    k: float = Field(default=0.2, gt=0, le=10, description="median of the session's discounting, per second of delay")
    k_sd: float = Field(default=0.2, ge=0, le=3, description="log-SD of the session's discounting")
    individuality: bool = Field(
        default=False,
        description="the same spread, of rats (log-SD 0.15) and of their days (0.13)",
    )
    amount_power: float = Field(
        default=0.55, ge=0, le=3, description="exponent of the number of pellets in their value"
    )
    side_bias: float = Field(
        default=0.55, ge=0, le=10, description="SD of the session's weight of the left side, which may be negative"
    )
    lapse: float = Field(default=0.03, ge=0, le=1, description="share of random choices")


class TitrationChoices:
    """One rat's choices in one session."""

    def __init__(self, params: TitrationParams, draw: random.Random) -> None:
        self._params = params
        self._draw = draw
        self._k = params.k * math.exp(self._spread())
        self._bias = params.side_bias * normal(draw)
        self._pellets: dict[str, float] = {}
        self._delay_s: dict[str, float] = {}
        self._last = ""
        self._stays: deque[bool] = deque(maxlen=10)
        self.laps = 0

    def _spread(self) -> float:
        if not self._params.individuality:
            return self._params.k_sd * normal(self._draw)
        # Six rats of the authors' laboratory have k of .284 to .429: a log-SD of .15 or so.
        own = random.Random(f"{self._params.subject}/rat")
        return 0.15 * normal(own) + 0.13 * normal(self._draw)

    def choose(self) -> str:
        """Return the chosen side."""
        p_left = 1 / (1 + math.exp(-self._logit("left")))
        if self._draw.random() < self._params.lapse:
            p_left = 0.5
        return "left" if self._draw.random() < p_left else "right"

    def _logit(self, side: str) -> float:
        other = _other(side)
        logit = self._bias if side == "left" else -self._bias
        if len(self._delay_s) == 2:
            # At first rats investigate both sides: 85 % of laps 1 to 5 (Papale et al. 2012).
            grown = 1 - math.exp(-self.laps / self._params.investigation_laps)
            logit += self._params.sensitivity * grown * math.log(self._value(side) / self._value(other))
        if self._last:
            logit += self._params.alternation * (1 if self._last == other else -1)
        return logit

    def _value(self, side: str) -> float:
        pellets = max(self._pellets[side], 0.1)  # a side that gave nothing is tried again
        return float(pellets**self._params.amount_power / (1 + self._k * self._delay_s[side]))

    def adjusts(self, side: str) -> bool:
        """Whether a choice repeats the last one."""
        return side == self._last

    @property
    def adjustment(self) -> float:
        """Return the share of repeated choices in the last ten laps."""
        return sum(self._stays) / len(self._stays) if self._stays else 0.0

    @property
    def delay_s(self) -> float | None:
        """Return the delay that the rat expects at the delayed side; None before it knows that side."""
        delayed = self._delayed()
        return None if delayed is None else self._delay_s[delayed]

    def update(self, side: str, heard_s: float, pellets: float | None) -> None:
        """Update with a lap: the countdown's length, and the pellets; None if the rat left before them."""
        if self._last:
            self._stays.append(side == self._last)
        self._delay_s[side] = heard_s
        if pellets is not None or side not in self._pellets:
            self._pellets[side] = pellets or 1.0
        # The next lap's delay: a second more after the delayed side, a second less after the other, 1 s at least
        # (Papale et al. 2012).
        delayed = self._delayed()
        if delayed == side:
            self._delay_s[side] = heard_s + 1
        elif delayed is not None:
            self._delay_s[delayed] = max(1.0, self._delay_s[delayed] - 1)
        self._last = side
        self.laps += 1

    def _delayed(self) -> str | None:
        """Return the delayed side as the rat experiences it: the one with a longer delay or more pellets."""
        found = [side for side in SIDES if self._delay_s.get(side, 0) > 1 or self._pellets.get(side, 0) > 1]
        return found[0] if found else None


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]
