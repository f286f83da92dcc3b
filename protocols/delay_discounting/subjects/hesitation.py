"""How much a rat hesitates at the choice point of a T-maze, in looks to one side and the other.

The parameters were fitted to the effects of the type of the lap, its number, the delay and the phase on zIdPhi that
Papale et al. (2012) print. Most laps are run straight on; turning grows by degrees from there, as it does in real rats.
"""

from __future__ import annotations

import math
import random

from pydantic import Field

from protocols.delay_discounting.subjects.choice import TitrationChoices
from sim_hardware.models.base import ModelParams, lognormal

USUAL_DELAY_S = 7.0
NOVEL_LAPS = 12
"""Laps after which 37 % of the novelty of the maze is left."""
CROWDING = 2.5
"""Adjustment laps among other adjustment laps have less turning; those that stand alone have most."""
FEWEST_EXPLORED, MOST_EXPLORED = 4, 12
"""A rat that looks around for other reasons than its choice looks so often."""


class HesitationParams(ModelParams):
    """Parameters of hesitation; fitted to published effects of Papale et al. (2012)."""

    hesitation: float = Field(
        default=0.2, ge=0, le=10, description="median of the looks on an alternation lap with a delay of 7 s"
    )
    hesitation_sd: float = Field(default=1.0, ge=0, le=3, description="log-SD of it")
    hesitation_adjusting: float = Field(
        default=4.5, ge=0, le=50, description="factor of it on an adjustment lap that stands alone"
    )
    hesitation_delay: float = Field(default=0.7, ge=0, le=3, description="exponent of the delay in it")
    exploring: float = Field(
        default=0.02, ge=0, le=1, description="share of laps in which it looks around whatever it chooses"
    )
    novelty: float = Field(default=0.02, ge=0, le=1, description="so much larger is this share in the first lap")


def draw_hesitation(params: HesitationParams, titration: TitrationChoices, side: str, draw: random.Random) -> float:
    """Return how often a rat looks to the sides before it goes to one; below 1 it turns a little and does not stop."""
    explores = params.exploring + params.novelty * math.exp(-titration.laps / NOVEL_LAPS)
    if draw.random() < explores:
        return FEWEST_EXPLORED + (MOST_EXPLORED - FEWEST_EXPLORED) * draw.random()
    median = params.hesitation * ((titration.delay_s or USUAL_DELAY_S) / USUAL_DELAY_S) ** params.hesitation_delay
    if titration.adjusts(side):
        median *= params.hesitation_adjusting * math.exp(-CROWDING * titration.adjustment)
    return lognormal(draw, median, params.hesitation_sd)
