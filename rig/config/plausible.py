"""What an animal of each species weighs, drinks and eats: an entry outside of it is asked about.

These are no rules of welfare. Sources: [H] Harkness & Wagner, *Biology and Medicine of Rabbits and Rodents* (5th ed.,
2010), [K] convention of the field. Where sources differ, the bound that asks sooner is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rig.config.species import Species

MOST_TARGETS = 2.0
"""A day with this many daily targets or more is asked about: an amount was recorded twice, or for another animal."""
MOST_CHANGE = 0.10
"""An animal does not lose or gain a larger share of its weight between two entries [K]."""
MOST_OFF_BASELINE = 0.25
"""The first weight is not farther from the baseline: at 20 % below it, no session starts [K]."""
MOST_IMPLANT = 0.20
"""No implant is a larger share of the baseline weight; 10 % is usual for mice [K]."""


@dataclass(frozen=True)
class PlausibleRange:
    """The weights of a species from weaning on, and what it takes in a day for each gram of its weight, at will."""

    lightest_g: float
    heaviest_g: float
    water_ul_per_g: float
    food_g_per_g: float

    def of_a_day(self, weight_g: float | None) -> tuple[float, float]:
        """Return the water in microliters and the food in grams of a day; without a weight for the heaviest animal."""
        grams = self.heaviest_g if weight_g is None else weight_g
        return self.water_ul_per_g * grams, self.food_g_per_g * grams


PLAUSIBLE: Mapping[Species, PlausibleRange] = {
    # Weaned at 10 to 12 g, grown 20 to 40 g, obese strains to 60 g. 15 ml of water and 15 g of food per 100 g [H];
    # 4 to 6 ml a day at 25 g [K]. Food is what is put into the cage, so its bound is the larger 20 g.
    "mouse": PlausibleRange(10, 60, 160, 0.20),
    # Weaned at 40 to 50 g, grown 250 to 520 g, old males to 1 kg. 10 to 12 ml of water and 10 g of food per 100 g [H].
    "rat": PlausibleRange(40, 1000, 120, 0.10),
    # 240 to 600 g, large breeds to 1 kg; 30 to 60 ml of water; a tenth of its weight in grain [K].
    "pigeon": PlausibleRange(180, 1100, 150, 0.10),
}
"""People are missing: their weights and drinks are none of these records."""
