"""The sign test: of how many pairs is the first value the larger one? Needs scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class SignTest:
    """The test of ``larger`` of ``n`` pairs against a half, exact and two-sided; pairs of equals are left out."""

    n: int
    larger: int
    p: float


def sign_test(first: npt.ArrayLike, second: npt.ArrayLike) -> SignTest | None:
    """Return the test of pairs; a pair with a missing value is left out. None without a pair."""
    from scipy import stats

    differences = np.asarray(first, float) - np.asarray(second, float)
    n, larger = int((np.abs(differences) > 0).sum()), int((differences > 0).sum())
    return SignTest(n, larger, float(stats.binomtest(larger, n).pvalue)) if n else None
