"""Six unlike birds: how fast they peck, how much schedules count for them, and which places they like.

Racey et al. (2011) had six, of which one, Cosmo, pecked the disk of VI 9 s most, and of which some collected their
300 rewards early while others never did. Their rates were not published. Here four birds collect theirs early, and two
late or never, such that 65 % of the session-blocks have a peck, as published. Those two are led most by the schedules:
then their shares in late blocks are those of many days, and no share of a block is above the published 55 %. How many
birds avoid a disk that has just paid was not published, only that "some" do: here three.

How much schedules count for a bird was not published either, but how much birds differ in it was: over six birds the
weights of the present intervals had t of 4.07, 4.54, 3.74, 3.88 and 4.55 in blocks 1 to 5. Their standard deviation is
sqrt(6) / t of the mean, 54 to 65 %. No bird gave its preferred disk more than 45 %, so that none can have a theta far
above the others. Thus two birds are led by the schedules, two are near the average, and two are led less, one of them
hardly.

For the day before t was 4.33, 2.52, 1.66, 1.28 and 0.51: with its mean weights the standard deviation is a part of
theta that grows from block 1 to 2 and is about 60 % of it then, as that of the present day. So some birds return to
what was good, and others avoid it; weighted by their thetas these differences have the mean 0.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from protocols.disk_bandit.subjects.disk_choice import CENTER


class PigeonTraits(NamedTuple):
    """One bird: pecks a second at its best, a factor of its theta, and what it likes most if not the shortest.

    ``p_leave`` is the chance that it avoids a disk that has just paid: with 0.8 or more the disk gets less than its
    usual share of the pecks, which is a dip. ``carry_over`` is added to the mean weight of the day before from block 2
    on, as a share of theta.
    """

    rate: float
    theta: float
    p_leave: float
    carry_over: float
    likes_vi_s: float | None = None


FLOCK = (
    PigeonTraits(0.20, 1.5, 0.2, 0.35),
    PigeonTraits(0.60, 1.1, 0.85, -0.8),
    PigeonTraits(0.70, 1.0, 0.85, 0.4),
    PigeonTraits(0.35, 1.5, 0.0, -0.4, likes_vi_s=9),
    PigeonTraits(1.40, 0.15, 0.2, 0.8),
    PigeonTraits(1.60, 0.75, 0.85, 0.6),
)

LIKING = (-3.8, -3.6, -3.5, 0.0, 1.7, 2.3, 1.1, 0.0)
"""The preference for each place, clockwise from the top, as the logarithm of a rate: low at the upper right.

The values are chosen so that a fit of theta and locations still finds theta, and that a theta for each place is worth
its parameters by about the published difference of BIC, 337.
"""

_NUMBERED = re.compile(r"\d+$")


def traits_of(subject: str) -> PigeonTraits:
    """Return the traits of a subject: by the number at the end of its name, otherwise by the name."""
    number = _NUMBERED.search(subject)
    if number is not None:
        return FLOCK[(int(number[0]) - 1) % len(FLOCK)]
    return FLOCK[int(random.Random(f"{subject}/bird").random() * len(FLOCK))]


def place_preferences(subject: str) -> tuple[float, ...]:
    """Return a subject's preferences for places, the same in all sessions: 0.75 to 1.25 times the average ones."""
    draw = random.Random(f"{subject}/places")
    preferences = [liking * (0.75 + 0.5 * draw.random()) for liking in LIKING]
    return (*preferences, *[0.0] * (CENTER + 1 - len(preferences)))
