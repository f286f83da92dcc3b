"""Luce's theta by location: the weight of the payoff of the disk at each place. Needs scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.luce import Refusal
from protocols.disk_bandit.analysis.mixed_model import Shares, fit
from protocols.disk_bandit.analysis.share_models import BLOCK, PLACE, Design, design, shares_of
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Floats, Ints
from rig.analysis.common.subjects import FEWEST_FOR_AN_ERROR


@dataclass(frozen=True)
class Places:
    """Theta for each place, clockwise from the top: of all subjects, and of each (rows); NaN without a finite value.

    ``theta`` is from the model of block and place without interaction, at the mean of the blocks; ``se`` assumes
    independent sessions (NaN with fewer than three). ``effect`` is theta minus its mean over the places.
    """

    # The paper rejected the interaction by BIC (-4510 against -5048), so theta by place is reported without it.

    sessions: int
    subjects: tuple[str, ...]
    theta: Floats
    se: Floats
    effect: Floats
    own: Floats
    own_n: Ints


def places(cells: Cells) -> Places | Refusal:
    """Fit theta by place to the cells with a known assignment of VIs to disks."""
    seen = shares_of(cells)
    if isinstance(seen, Refusal):
        return seen
    both = design(seen, (BLOCK, PLACE), crossed=False)
    found = fit(seen, both.columns)
    if isinstance(found, Refusal):
        return found
    theta, se = _by_place(both, found.fixed, found.robust)
    sessions = np.unique(seen.session).size
    return Places(
        sessions=sessions,
        subjects=cells.subjects,
        theta=theta,
        se=se if sessions >= FEWEST_FOR_AN_ERROR else np.full(PLACES, np.nan),
        effect=theta - np.nanmean(theta),
        own=np.array([_own(seen.where(seen.subject == subject)) for subject in range(len(cells.subjects))]),
        own_n=_pecks(cells),
    )


def _pecks(cells: Cells) -> Ints:
    """Return the number of pecks of each subject at each place."""
    counted = np.zeros((len(cells.subjects), PLACES), np.int64)
    np.add.at(counted, cells.subject[cells.placed], cells.count[cells.placed])
    return counted


def _by_place(both: Design, fixed: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return the theta of every place at the mean of the blocks, and its standard error."""
    weights, known = both.weights(PLACE), both.levels[PLACE]
    theta, se = np.full((2, PLACES), np.nan)
    theta[known] = weights @ fixed
    se[known] = np.sqrt(np.einsum("ij,jk,ik->i", weights, covariance, weights))
    return theta, se


def _own(seen: Shares) -> Floats:
    """Return a subject's theta at each place; NaN without a finite value."""
    theta = np.full(PLACES, np.nan)
    for place in np.unique(seen.place):
        here = seen.where(seen.place == place)
        found = fit(here, np.ones((len(here.share), 1)))
        if not isinstance(found, Refusal):
            theta[place] = found.fixed[0]
    return theta
