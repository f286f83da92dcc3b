"""The water that is weighed."""

from __future__ import annotations

from rig.core.errors import ConfigError
from rig.scales.water import COLDEST_C, WARMEST_C, density_mg_per_ul


def density(water_c: float) -> float:
    """Return the density of water in mg/µl at ``--water-c``. Raises ``ConfigError`` outside 0 to 40 °C."""
    if not COLDEST_C <= water_c <= WARMEST_C:
        raise ConfigError(f"--water-c {water_c:g}: wanted the temperature of the water, {COLDEST_C:g} to {WARMEST_C:g}")
    return density_mg_per_ul(water_c)
