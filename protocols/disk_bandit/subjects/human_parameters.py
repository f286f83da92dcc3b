"""How people at the eight disks differ: how much intervals count for them, and how soon.

Racey et al. (2011, experiment 2) printed t tests of 20 people's weights: with t(19) the standard deviation is
sqrt(20) / t of the mean. For the present intervals t was 7.75, 10.47, 10.87, 11.95 and 11.89 in the first five blocks,
and 14.01 in the last: 58 % of the mean at first, 32 % at last. A spread of the final theta and of the time in which it
is reached gives this course. Both are larger than these numbers, because clicks on any disk make a fitted weight grow
less than the one by which a person chooses.

For the session before t was 1.68 and 2.63 in blocks 1 and 2. A weight is fitted to some 130 clicks of a person, and
the errors of these fits alone give such t. So people do not differ in what the session before counts.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from sim_hardware.models.base import normal

THETA_LOG_SD = 0.45
"""Of the final theta: sets the t of the last block."""
TAU_LOG_SD = 0.9
"""Of the time constant of theta: sets how much smaller the t of the first block is.

With 0.7 the d of the first block was 2.1 to 2.5 in three studies, its bound 2.45; a larger spread lowers it.
"""


class PersonTraits(NamedTuple):
    """One person: factors of the final theta and of its time constant."""

    theta: float = 1.0
    tau: float = 1.0


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
    )
