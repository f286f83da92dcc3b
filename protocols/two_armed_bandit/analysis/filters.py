"""Recursive filters over trials; SciPy, which is slow to import, is needed only once one is used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rig.analysis.common.arrays import Floats


def filtered(ahead: Sequence[float], back: Sequence[float], values: Floats, axis: int) -> Floats:
    """Return values filtered along an axis, as by ``scipy.signal.lfilter`` with these coefficients."""
    from scipy.signal import lfilter

    return np.asarray(lfilter(ahead, back, values, axis=axis))
