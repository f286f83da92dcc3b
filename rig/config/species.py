"""The rules of weight, water and food of each species, where a subject's own file does not set them.

Sources: [P] the paper of the experiment, [K] convention of the field. A laboratory's license may require other values;
``subject.yaml`` sets them. One session a day, 18 hours after the last one at least [K].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Species: TypeAlias = Literal["mouse", "rat", "pigeon", "human"]
NOUNS: Mapping[Species, tuple[str, str]] = {
    "mouse": ("a mouse", "mice"),
    "rat": ("a rat", "rats"),
    "pigeon": ("a pigeon", "pigeons"),
    "human": ("a person", "people"),
}
"""One of a species, and several."""
Restriction: TypeAlias = Literal["water", "food", "none"]

PELLET_G = 0.045
"""The weight of a food pellet [P: 45-mg pellets]."""


_NOT_IN_FILE = frozenset({"restriction", "young_weeks", "young_baseline_days", "baseline_days", "top_up_advice"})


@dataclass(frozen=True)
class SpeciesRules:
    """What holds for a species: percentages of its baseline weight, and amounts of a day."""

    restriction: Restriction
    warn_pct: float | None = None
    refuse_pct: float | None = None
    warn_above_pct: float | None = None
    """Above so much of its baseline the start screen warns."""
    refuse_above_pct: float | None = None
    """Above so much of its baseline it is sated, and no session starts."""
    target_pct: float | None = None
    """The weight that its food holds it at."""
    daily_target_ul: float | None = None
    daily_min_ul: float | None = None
    daily_food_g: float | None = None
    young_weeks: float | None = None
    """Younger than this it grows."""
    young_baseline_days: int | None = None
    """So many days the baseline weight of a growing animal holds."""
    baseline_days: int | None = None
    """So many days the baseline weight of a grown animal holds."""
    min_hours: float | None = None
    """So many hours are between the begins of two sessions at least."""
    top_up_advice: str = ""
    """When the top-up is given."""

    def file_values(self) -> dict[str, float]:
        """Return the rules that ``subject.yaml`` may set, by their keys there."""
        return {key: value for key, value in vars(self).items() if key not in _NOT_IN_FILE and value is not None}


RULES: Mapping[Species, SpeciesRules] = {
    # Water 1 to 2 ml a day and more than 80 % of the full weight [P]; 1.2 ml as the target, 1 ml (about 40 ml/kg at
    # 25 g) as the minimum, warning at 85 %, top-up within 2 h, at once after a failure [K]. Mice of 6 to 10 weeks [P]
    # grow: their baseline is taken again every 4 weeks, or follows the growth of the strain [K].
    "mouse": SpeciesRules(
        restriction="water",
        warn_pct=85,
        refuse_pct=80,
        min_hours=18,
        daily_target_ul=1200,
        daily_min_ul=1000,
        young_weeks=10,
        young_baseline_days=28,
        top_up_advice="within 2 hours of the session; at once if it failed",
    ),
    # At least 80 % of the free-feeding weight, water at will [P]; warning at 85 %, 12 to 16 g of food a day for an
    # adult, of which the middle is taken, at least 1 h after the session [K].
    "rat": SpeciesRules(
        restriction="food",
        warn_pct=85,
        refuse_pct=80,
        min_hours=18,
        daily_food_g=14,
        top_up_advice="at least 1 hour after the session",
    ),
    # 85 % of the free-feeding weight, water and grit at will [P]; sessions from 83 to 87 %, none above 88 %, none below
    # 80 %, where it is fed; the free-feeding weight is taken again every 6 to 12 months [K].
    "pigeon": SpeciesRules(
        restriction="food",
        warn_pct=83,
        refuse_pct=80,
        min_hours=18,
        warn_above_pct=87,
        refuse_above_pct=88,
        target_pct=85,
        baseline_days=365,
        top_up_advice="mixed grain, after weighing",
    ),
    "human": SpeciesRules(restriction="none"),
}
