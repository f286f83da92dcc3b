"""How people at the eight disks differ: how much intervals count for them, how soon, and what the last session does.

Racey et al. (2011, experiment 2) printed t tests of 20 people's weights: with t(19) the standard deviation is
sqrt(20) / t of the mean. For the present intervals t was 7.75, 10.47, 10.87, 11.95 and 11.89 in the first five blocks,
and 14.01 in the last: 58 % of the mean at first, 32 % at last. A spread of the final theta and of the time in which it
is reached gives this course. For the session before t was 1.68 and 2.63 in blocks 1 and 2, so that weights lie on both
sides of 0: some return to where it was good, and others expect a change.

The numbers of theta and of its time below are larger than these: clicks on any disk, and disks that are left after a
reward, make a fitted weight grow less than the one by which a person chooses. All were set so that the analysis finds
the published t.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from sim_hardware.models.base import normal

THETA_LOG_SD = 1.8
"""Of the final theta: sets the t of the last block."""
TAU_LOG_SD = 0.7
"""Of the time constant of theta: sets how much smaller the t of the first block is."""
CARRY_OVER_SD = 0.08
"""Of the weight of the session before, as a share of theta, around its mean."""


class PersonTraits(NamedTuple):
    """One person: factors of the final theta and of its time constant, and how much more the session before weighs.

    ``carry_over`` is added to its mean weight, as a share of theta.
    """

    theta: float = 1.0
    tau: float = 1.0
    carry_over: float = 0.0


def traits_of(subject: str, spread: float) -> PersonTraits:
    """Return the traits of a person by name, the same for life; without a name those of the average person.

    ``spread`` is a factor of all differences from the average.
    """
    if not subject:
        return PersonTraits()
    own = random.Random(f"{subject}/person")
    return PersonTraits(
        theta=math.exp(spread * THETA_LOG_SD * normal(own)),
        tau=math.exp(spread * TAU_LOG_SD * normal(own)),
        carry_over=spread * CARRY_OVER_SD * normal(own),
    )
