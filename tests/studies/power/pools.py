"""Simulated subjects whose values are normal, and the question about them."""

from typing import Any

import numpy as np

from rig.config.models.study_file import Power
from rig.studies.power.pool import Pool

SESSIONS = (1, 3)


def question(**given: Any) -> Power:
    statistic = {"take": "groups/pooled/rate", "name": "share of high-port choices", "unit": "%"}
    asked = {"baseline": "base", "effect": "learn", "statistic": statistic, "subjects": [4, 8], "experiments": 200}
    return Power(**{**asked, "sessions": list(SESSIONS), **given})


def pool(power: Power, subjects: int, effect: float, *, seed: int = 1) -> Pool:
    """Subjects who differ by 1 SD, and whose sessions differ by 2 SD; the effect is in SD of subjects."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (2, subjects, 1)) + rng.normal(0, 2, (2, subjects, max(power.sessions)))
    values[1] += effect
    if power.test == "permutation":
        values = np.stack([values[..., :count].mean(axis=-1) for count in power.sessions], axis=-1)
    return Pool(values[0], values[1])
