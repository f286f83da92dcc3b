"""Luce's theta by block, with a constant for each location of each subject. Needs scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.luce import Goodness, Refusal, fit, goodness
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Floats, Ints, mean
from rig.analysis.common.subjects import over_subjects

NOT_PLACED = "is omitted: no session has a known assignment of VIs to disks"


@dataclass(frozen=True)
class Locations:
    """Model of all blocks: a theta for each, and a constant for every location of every subject.

    ``bias`` is the mean over subjects of their constants, each relative to the subject's own mean, in log-odds. A
    location that a subject never chose has a constant of minus infinity; ``never_chosen`` counts these. ``without`` is
    the same model without constants, fitted to the same pecks.
    """

    sessions: int
    block: Ints
    theta: Floats
    se: Floats
    robust_se: Floats
    bias: Floats
    bias_sem: Floats
    never_chosen: int
    goodness: Goodness | None
    without: Goodness | None


def locations(cells: Cells) -> Locations | Refusal:
    """Fit the model to the cells with a known assignment of VIs to disks."""
    cells = cells.where(cells.placed)
    if not len(cells.block):
        return Refusal(NOT_PLACED)
    subjects = np.unique(cells.subject)
    own = np.array([cells.count[cells.subject == subject].sum(axis=0) > 0 for subject in subjects])
    offered = np.array([cells.shown[cells.subject == subject].any(axis=0) for subject in subjects])
    row = np.searchsorted(subjects, cells.subject)
    theta = cells.by_block(cells.value)
    # Only differences between constants count, so each subject's first chosen location has the constant 0.
    free = [(subject, place) for subject, chosen in enumerate(own) for place in np.flatnonzero(chosen)[1:]]
    constants = [(row == subject)[:, None, None] & (np.arange(PLACES) == place)[:, None] for subject, place in free]
    # A location that a subject never chose has a constant of minus infinity: it is removed from that subject's cells.
    features = np.concatenate([theta, *constants], axis=2)
    found = fit(cells.count, features, cells.shown & own[row], cells.session)
    if isinstance(found, Refusal):
        return found
    blocks = np.unique(cells.block)
    never_chosen = int((offered & ~own).sum())
    bias = _around_own_mean(np.where(own, 0.0, np.nan), free, found.at[len(blocks) :])
    thetas = slice(len(blocks))
    return Locations(
        sessions=np.unique(cells.session).size,
        block=blocks,
        theta=found.at[thetas],
        se=found.se[thetas],
        robust_se=found.robust_se[thetas],
        bias=np.array([mean(values) for values in bias.T]),
        bias_sem=np.array([over_subjects(values).sem for values in bias.T]),
        never_chosen=never_chosen,
        # The infinite constants are parameters too; without them BIC would favor this model.
        goodness=goodness(found, never_chosen),
        without=goodness(fit(cells.count, theta, cells.shown, cells.session)),
    )


def _around_own_mean(bias: Floats, free: list[tuple[int, int]], values: Floats) -> Floats:
    for at, value in zip(free, values, strict=True):
        bias[at] = value
    return np.asarray(bias - np.nanmean(bias, axis=1, keepdims=True))
