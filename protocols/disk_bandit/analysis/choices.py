"""Shares of disks, rewards, the course of a session, and runs of pecks on one disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.cells import Cells
from protocols.disk_bandit.analysis.pecks import Pecks
from rig.analysis.common.arrays import Floats, Ints, ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects, places

# Shares of fewer pecks are mostly 0 or large by chance: with eight disks 20 pecks are 2.5 per disk.
FEWEST_OF_A_BLOCK = 20


@dataclass(frozen=True)
class PeckShare:
    """Share of pecks: pooled with its binomial error, mean over subjects, and each subject (rows)."""

    pooled: Floats
    se: Floats
    mean: tuple[OverSubjects, ...]
    by_subject: Floats


@dataclass(frozen=True)
class Shares:
    """Choices and rewards by the VI (or the odds) of a disk, the best first.

    ``n_by_subject`` is the number of a subject's pecks, ``n_of_disks`` the number on each disk (subjects x disks).
    ``p_disk`` is the share of all pecks on disks. ``p_reward`` is the share of a disk's own pecks that were rewarded.
    """

    pays: Floats
    value: Floats
    n: Ints
    subjects: tuple[str, ...]
    n_by_subject: Ints
    n_of_disks: Ints
    p_disk: PeckShare
    p_reward: PeckShare


@dataclass(frozen=True)
class Largest:
    """A subject's most chosen VI: rank (1 is the best), share of all pecks, and largest share in any block.

    Blocks with fewer than 20 pecks over all sessions are excluded; NaN if there is no other.
    """

    # Racey et al. 2011 say that no pigeon chose its preferred disk on more than 45 % of pecks (55 % in a block). "Disk"
    # there is the programmed VI, pooled over sessions, not the location.

    subject: str
    rank: int
    share: float
    share_in_a_block: float


@dataclass(frozen=True)
class Course:
    """Course of a session by block.

    ``pecks`` is per session; a session that has ended counts as zero. ``pecks_where_any`` is per session with a peck in
    the block. ``rate`` and ``rate_where_any`` are relative to the highest block. ``rewarded`` is the share of pecks
    that were rewarded. ``p_disk`` is by block, ``p_disk_by_subject`` by subject and block; the last axis is the disk.
    ``n_by_subject`` is the number of pecks, subjects x blocks.
    """

    # The paper's "28 % of the peak in block 12" does not say whether ended sessions count as zero: so both are printed.

    block: Ints
    sessions: Ints
    n: Ints
    pecks: Floats
    rate: Floats
    pecks_where_any: Floats
    rate_where_any: Floats
    rewarded: PeckShare
    p_disk: Floats
    p_disk_by_subject: Floats
    n_by_subject: Ints


@dataclass(frozen=True)
class Stays:
    """Changes of disk per pair of consecutive pecks, and mean run of pecks on one disk, over subjects; longest run."""

    changeover: OverSubjects
    run_length: OverSubjects
    longest_run: int


def shares(cells: Cells) -> Shares:
    """Return the shares over all sessions."""
    values, pays = _pays(cells)
    count, rewarded = _by_pay(cells, cells.count, values), _by_pay(cells, cells.rewarded, values)
    own_count, own_rewarded = _by_subject(cells, count), _by_subject(cells, rewarded)
    n = count.sum(axis=0)
    return Shares(
        pays=pays,
        value=values,
        n=n,
        subjects=cells.subjects,
        n_by_subject=own_count.sum(axis=1),
        n_of_disks=own_count,
        p_disk=_share(n, np.full_like(n, n.sum()), own_count, own_count.sum(axis=1, keepdims=True)),
        p_reward=_share(rewarded.sum(axis=0), n, own_rewarded, own_count),
    )


def largest(cells: Cells) -> tuple[Largest, ...]:
    """Return every subject's most chosen VI over all locations; subjects without a peck are excluded."""
    values, _ = _pays(cells)
    found = []
    for place, subject in enumerate(cells.subjects):
        count = _sum_by(_by_pay(cells, cells.count, values), cells.block, cells.subject == place)
        if not count.any():
            continue
        total = count.sum(axis=0)
        enough = count[count.sum(axis=1) >= FEWEST_OF_A_BLOCK]
        in_blocks = ratio(enough, enough.sum(axis=1, keepdims=True))
        best = int(np.argmax(total))
        found.append(
            Largest(
                subject,
                best + 1,
                float(total[best] / total.sum()),
                float(in_blocks.max(initial=0)) if enough.size else float("nan"),
            )
        )
    return tuple(found)


def course(cells: Cells) -> Course:
    """Return the course of a session by block."""
    blocks = np.unique(cells.block)
    values, _ = _pays(cells)
    count, everyone = _by_pay(cells, cells.count, values), np.ones(len(cells.block), bool)
    by_block, paid = _sum_by(count, cells.block, everyone), _sum_by(cells.rewarded, cells.block, everyone).sum(axis=1)
    each = [cells.subject == place for place in range(len(cells.subjects))]
    own = np.array([_sum_by(count, cells.block, who) for who in each])
    own_paid = np.array([_sum_by(cells.rewarded, cells.block, who).sum(axis=1) for who in each])
    with_any = np.array([(cells.n[cells.block == block] > 0).sum() for block in blocks])
    # Per session, and per session with pecks: birds that reach the reward limit early differ in the two.
    n = by_block.sum(axis=1)
    pecks, pecks_where_any = ratio(n, len(cells.sessions)), ratio(n, with_any)
    return Course(
        block=blocks,
        sessions=with_any,
        n=n,
        pecks=pecks,
        rate=_relative(pecks),
        pecks_where_any=pecks_where_any,
        rate_where_any=_relative(pecks_where_any),
        rewarded=_share(paid, n, own_paid, own.sum(axis=2)),
        p_disk=ratio(by_block, n[:, None]),
        p_disk_by_subject=ratio(own, own.sum(axis=2, keepdims=True)),
        n_by_subject=own.sum(axis=2),
    )


def stays(sessions: Sequence[Pecks]) -> Stays:
    """Return changes and runs within sessions; pecks off the disks are skipped."""
    changed, pairs, runs, pecks, longest = (np.zeros(len(sessions), np.int64) for _ in range(5))
    for place, session in enumerate(sessions):
        disk = session.disk[session.chosen]
        # A run ends where the next choice is on another disk, and at the end of the session.
        ends = np.flatnonzero(np.append(np.diff(disk) != 0, True)) if disk.size else np.zeros(0, np.int64)
        changed[place], pairs[place] = max(0, ends.size - 1), max(0, disk.size - 1)
        runs[place], pecks[place] = ends.size, disk.size
        longest[place] = np.diff(ends, prepend=-1).max(initial=0)
    own = places([session.subject for session in sessions])

    def over(part: Ints, whole: Ints) -> OverSubjects:
        return over_subjects([float(ratio(part[each].sum(), whole[each].sum())) for each in own])

    return Stays(over(changed, pairs), over(pecks, runs), int(longest.max(initial=0)))


def binomial_se(p: Floats, n: Ints) -> Floats:
    """Return the binomial standard error of a share; it assumes independent pecks."""
    return np.sqrt(ratio(p * (1 - p), n))


def _pays(cells: Cells) -> tuple[Floats, Floats]:
    """Return the values of the disks that were shown, the best first, and the VI (or odds) of each."""
    # By value, not by location: VIs are redistributed over locations in every session.
    values, first = np.unique(-cells.value[cells.shown], return_index=True)
    return -values, cells.pay[cells.shown][first]


def _by_pay(cells: Cells, count: Ints, values: Floats) -> Ints:
    """Return the counts summed over locations with the same value: cells x values."""
    own = cells.shown[:, :, None] & (cells.value[:, :, None] == values)
    return np.asarray(np.where(own, count[:, :, None], 0).sum(axis=1))


def _by_subject(cells: Cells, count: Ints) -> Ints:
    return _sum_by(count, cells.subject, np.ones(len(count), bool))


def _sum_by(count: Ints, groups: Ints, which: np.ndarray) -> Ints:
    """Return the counts of the cells ``which``, summed by group; 0 for a group without such cells."""
    return np.array([count[(groups == group) & which].sum(axis=0) for group in np.unique(groups)])


def _share(part: Ints, whole: Ints, own_part: Ints, own_whole: Ints) -> PeckShare:
    pooled, own = ratio(part, whole), ratio(own_part, own_whole)
    return PeckShare(pooled, binomial_se(pooled, whole), tuple(over_subjects(column) for column in own.T), own)


def _relative(values: Floats) -> Floats:
    return ratio(values, np.nanmax(values, initial=0.0))
