"""Return to a disk after its reward (after figure 6 of Racey et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.choices import binomial_se
from protocols.disk_bandit.analysis.pecks import Pecks
from rig.analysis.common.arrays import Floats, Ints, ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects, places

REACH_S = {3.0: 8.0, 9.0: 20.0, 27.0: 50.0}
"""Longest time after a reward by VI, in seconds: the ranges of the paper's axes."""

REACH_OF_OTHERS = 2.5
"""Longest time after a reward for other VIs, as a multiple of the VI."""

STEPS = 20
FOLLOWED = 3


@dataclass(frozen=True)
class Return:
    """Share of pecks on a disk by the time since its last reward; ``since_s`` are the middles of the steps.

    ``n`` is the number of pecks on all disks in each step. ``by_subject`` is the mean over subjects; ``own`` and
    ``own_n`` have one row per subject, in alphabetical order.
    """

    vi_s: float
    since_s: Floats
    n: Ints
    share: Floats
    se: Floats
    by_subject: tuple[OverSubjects, ...]
    own: Floats
    own_n: Ints


def returns(sessions: Sequence[Pecks]) -> tuple[Return, ...]:
    """Return the results of returns to the disks with the three shortest VIs, as in the paper."""
    paying = np.unique([pecks.assignment.vi_s for pecks in sessions])
    # Disks with longer VIs pay too seldom: the 81-s disk about 44 times in an hour.
    return tuple(_return(sessions, float(vi_s)) for vi_s in paying[np.isfinite(paying)][:FOLLOWED])


def _return(sessions: Sequence[Pecks], vi_s: float) -> Return:
    edges = np.linspace(0, REACH_S.get(vi_s, REACH_OF_OTHERS * vi_s), STEPS + 1)
    back = np.array([_counts(pecks, vi_s, edges) for pecks in sessions])
    there, n = back.sum(axis=0)
    counts = np.array([back[place].sum(axis=0) for place in places([pecks.subject for pecks in sessions])])
    own, own_n = ratio(counts[:, 0], counts[:, 1]), counts[:, 1]
    share = ratio(there, n)
    return Return(
        vi_s=vi_s,
        since_s=(edges[1:] + edges[:-1]) / 2,
        n=n,
        share=share,
        se=binomial_se(share, n),
        by_subject=tuple(over_subjects(column) for column in own.T),
        own=own,
        own_n=own_n,
    )


def _counts(pecks: Pecks, vi_s: float, edges: Floats) -> Ints:
    """Return the number of choices by time since a disk of this VI last paid: on that disk, and on all disks."""
    found = np.zeros((2, len(edges) - 1), np.int64)
    time_s, disk = pecks.time_s[pecks.chosen], pecks.disk[pecks.chosen]
    for place in np.flatnonzero(pecks.assignment.vi_s == vi_s):
        paid_s = time_s[pecks.rewarded[pecks.chosen] & (disk == place)]
        # side="left": the rewarded peck itself is not a return to its own reward.
        last = np.searchsorted(paid_s, time_s, side="left") - 1
        known = last >= 0
        if known.any():
            since_s = time_s[known] - paid_s[last[known]]
            on_it = disk[known] == place
            found += np.array([np.histogram(since_s[on_it], edges)[0], np.histogram(since_s, edges)[0]])
    return found
