"""Find the parameter whose value a device or a board has refused, by the number and its unit."""

from __future__ import annotations

import math

from pydantic import BaseModel

from rig.core.model.reward_types import units_of

_IN_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "min": 60_000.0}


def find_parameter(params: BaseModel, asked: float, unit: str) -> str | None:
    """Return the only parameter with this value, in the same unit first; None if there is none, or several.

    Its unit is that of its type, if it is a reward, or else the end of its name.
    """
    rewards = units_of(type(params))
    units = {key: rewards.get(key) or key.rpartition("_")[2] for key, _ in params}
    numbers = [(key, units[key], value) for key, value in params if isinstance(value, int | float)]
    for same in (True, False):
        keys = [key for key, its, value in numbers if (its == unit) == same and _equal(value, its, asked, unit)]
        if keys:
            # Of two parameters with the same value a guess could blame the wrong line.
            return keys[0] if len(keys) == 1 else None
    return None


def _equal(value: float, its: str, asked: float, unit: str) -> bool:
    if its != unit and not (its in _IN_MS and unit in _IN_MS):
        return False
    # A device converts units, so the number that it names may differ in its last digits.
    return math.isclose(value * _IN_MS.get(its, 1.0), asked * _IN_MS.get(unit, 1.0), rel_tol=1e-6)
