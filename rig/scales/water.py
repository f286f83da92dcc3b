"""The volume of water of a known weight and temperature."""

from __future__ import annotations

COLDEST_C, WARMEST_C = 0.0, 40.0
"""The range of the formula; the water of a reward is within it."""
USUAL_C = 20.0


def density_mg_per_ul(celsius: float) -> float:
    """Return the density of air-free water in mg/µl (= g/cm³) at a temperature in °C, 0 to 40, at 101,325 Pa.

    Source: Tanaka et al. (2001), Metrologia 38, 301, equation 1; its uncertainty is below 1 part per million. The
    buoyancy of air on the scale makes water 0.1 % too light, which is not corrected.
    """
    a1, a2, a3, a4, a5 = -3.983035, 301.797, 522528.9, 69.34881, 999.974950
    return a5 * (1 - (celsius + a1) ** 2 * (celsius + a2) / (a3 * (celsius + a4))) / 1000
