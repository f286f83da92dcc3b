"""The power of the t test by its formula."""

import numpy as np
from scipy import stats
from scipy.optimize import brentq


def t_power(effect: float, subjects: int, level: float = 0.05) -> float:
    """The exact power of the two-sided t test of two groups; ``effect`` in SD (noncentral t)."""
    df, center = 2 * subjects - 2, effect * np.sqrt(subjects / 2)
    limit = stats.t.ppf(1 - level / 2, df)
    # scipy gives NaN where the other tail is below the smallest number.
    return float(stats.nct.sf(limit, df, center) + np.nan_to_num(stats.nct.cdf(-limit, df, center)))


def effect_of(power: float, subjects: int) -> float:
    return float(brentq(lambda effect: t_power(effect, subjects) - power, 0.001, 6))
