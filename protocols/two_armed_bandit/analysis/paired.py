"""Paired comparison of models, session by session. Needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Floats
from rig.analysis.common.subjects import FEWEST_FOR_AN_ERROR, standard_error

REFERENCE = "rflr"


@dataclass(frozen=True)
class Paired:
    """A model's log-likelihood per trial minus the reference's in the same test sessions, one value per session.

    ``p`` is of the two-sided Wilcoxon signed-rank test; NaN with fewer than three sessions. With fewer than six
    sessions it cannot be below .05.
    """

    name: str
    reference: str
    n: int
    mean: float
    se: float
    better: int
    p: float


def paired(names: Sequence[str], by_session: Sequence[Floats]) -> tuple[Paired, ...]:
    """Return the comparison of every model with the recursive regression; empty if that could not be fitted."""
    if REFERENCE not in names:
        return ()
    reference = by_session[list(names).index(REFERENCE)]
    return tuple(
        _paired(name, values - reference) for name, values in zip(names, by_session, strict=True) if name != REFERENCE
    )


def _paired(name: str, differences: Floats) -> Paired:
    known = differences[np.isfinite(differences)]
    mean = float(known.mean()) if known.size else float("nan")
    # F-Q equals the RFLR but for rounding; ranking rounding errors would give a p value of noise.
    alike = bool(np.all(np.abs(known) < 1e-12))
    p = float("nan")
    if known.size >= FEWEST_FOR_AN_ERROR:
        from scipy import stats

        p = 1.0 if alike else float(stats.wilcoxon(known).pvalue)
    return Paired(name, REFERENCE, known.size, mean, standard_error(known), int((known > 0).sum()), p)
