"""Results of many sessions of the disk bandit: each session, and each group of sessions with the same disks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from protocols.disk_bandit.analysis.assignments import complete
from protocols.disk_bandit.analysis.cells import cells
from protocols.disk_bandit.analysis.choices import Course, Largest, Shares, Stays, course, largest, shares, stays
from protocols.disk_bandit.analysis.pecks import ParticipantVisit, Pecks
from protocols.disk_bandit.analysis.returns import Return, returns
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import finite, mean, ratio, sd
from rig.analysis.common.subjects import PerSession

if TYPE_CHECKING:
    from protocols.disk_bandit.analysis.people import Table as People
    from protocols.disk_bandit.analysis.people import Trait
    from protocols.disk_bandit.analysis.return_splines import ReturnSpline
    from protocols.disk_bandit.analysis.thetas import Thetas

MIN_PECKS = 20


@dataclass(frozen=True)
class DiskSettings:
    """Options of a report: fewest pecks of a session, whether to fit models, and a table of the subjects."""

    min_pecks: int = MIN_PECKS
    fits: bool = True
    people: People | None = None


@dataclass(frozen=True)
class DiskSessionResults:
    """Results of one session; ``excluded`` has the reasons why it is in no group, and is empty if it is in one.

    ``pecks`` is the number of choices; ``left_out`` counts all other pecks by reason. ``latency_s`` is the median time
    from the onset of a disk to its peck, where disks come one by one.
    """

    name: str
    subject: str
    condition: str
    pecks: int
    left_out: dict[str, int]
    rewards: int
    last_block: int
    p_best: float
    theta: float
    changeover: float
    run_length: float
    latency_s: float
    placed: bool
    excluded: tuple[str, ...]


@dataclass(frozen=True)
class DiskGroup:
    """Results of the sessions with the same VIs (or odds), without excluded sessions.

    ``with_data`` of ``session_blocks`` have a peck: ``occupancy``. ``largest_share`` and ``largest_share_in_a_block``
    are the largest of any subject. ``hopper_s`` is NaN if sessions differ in it. Without scipy (the extra ``analysis``)
    ``thetas`` is None and ``return_splines`` is empty; ``traits`` is empty without a table of the subjects.
    """

    name: str
    sessions: int
    subjects: int
    pecks: int
    left_out: dict[str, int]
    rewards: int
    pecks_per_session: PerSession
    rewards_per_session: PerSession
    block_s: float
    hopper_s: float
    session_blocks: int
    with_data: int
    occupancy: float
    shares: Shares
    largest: tuple[Largest, ...]
    largest_share: float
    largest_share_in_a_block: float
    course: Course
    stays: Stays
    returns: tuple[Return, ...]
    return_splines: tuple[ReturnSpline, ...]
    thetas: Thetas | None
    traits: tuple[Trait, ...]


@dataclass(frozen=True)
class DiskResults:
    """Results of every session and every group of sessions."""

    settings: DiskSettings
    sessions: tuple[DiskSessionResults, ...]
    groups: dict[str, DiskGroup]


def sessions_of(visits: Sequence[ParticipantVisit]) -> list[Pecks]:
    """Return the sessions of all visits, with inferred assignments where the record has none."""
    return complete([pecks for visit in visits for pecks in visit.named()])


def kept(sessions: Sequence[Pecks], min_pecks: int) -> dict[str, list[Pecks]]:
    """Return the sessions that are not excluded, by condition."""
    found: dict[str, list[Pecks]] = {}
    for pecks in sessions:
        if not any(exclusions(pecks, min_pecks)):
            found.setdefault(pecks.condition, []).append(pecks)
    return {name: found[name] for name in sorted(found)}


def exclusions(pecks: Pecks, min_pecks: int) -> Iterator[str]:
    """Yield the reasons to exclude a session."""
    if pecks.assignment.shown.sum() == 1 or np.any(pecks.disk == PLACES):
        yield "one disk: no choice"
    # With few pecks theta often has no finite value.
    elif (count := int(pecks.chosen.sum())) < max(1, min_pecks):
        yield f"{count} pecks on disks, fewer than {max(1, min_pecks)}"


def report(sessions: Sequence[Pecks], settings: DiskSettings) -> DiskResults:
    """Return the report of sessions."""
    groups = kept(sessions, settings.min_pecks)
    return DiskResults(
        settings,
        tuple(_session(pecks, settings) for pecks in sessions),
        {name: _group(name, own, settings) for name, own in groups.items()},
    )


def _session(pecks: Pecks, settings: DiskSettings) -> DiskSessionResults:
    chosen, value, own = pecks.chosen, pecks.assignment.value, stays([pecks])
    excluded = tuple(exclusions(pecks, settings.min_pecks))
    best = value == np.max(value, where=pecks.assignment.shown, initial=-np.inf)
    latency_s = finite(pecks.latency_s)
    return DiskSessionResults(
        name=pecks.name,
        subject=pecks.subject,
        condition=pecks.condition,
        pecks=int(chosen.sum()),
        left_out=dict(pecks.left_out),
        rewards=int(pecks.rewarded.sum()),
        last_block=int(pecks.block[chosen].max(initial=0)),
        p_best=float(ratio(best[pecks.disk[chosen]].sum(), chosen.sum())),
        theta=_theta(pecks) if settings.fits and not excluded else float("nan"),
        changeover=own.changeover.mean,
        run_length=own.run_length.mean,
        latency_s=float(np.median(latency_s)) if latency_s.size else float("nan"),
        placed=pecks.placed,
        excluded=excluded,
    )


def _theta(pecks: Pecks) -> float:
    from protocols.disk_bandit.analysis.thetas import overall

    return float(overall(cells([pecks])).value[0])


def _group(name: str, sessions: Sequence[Pecks], settings: DiskSettings) -> DiskGroup:
    counted = cells(sessions)
    most = largest(counted)
    with_data = int((counted.n > 0).sum())
    fitted = _thetas(sessions) if settings.fits else None
    back = returns(sessions)
    pecks = np.array([session.chosen.sum() for session in sessions], float)
    rewards = np.array([session.rewarded.sum() for session in sessions], float)
    return DiskGroup(
        name=name,
        sessions=len(sessions),
        subjects=len(counted.subjects),
        pecks=int(pecks.sum()),
        left_out=dict(sum((session.left_out for session in sessions), Counter[str]())),
        rewards=int(rewards.sum()),
        pecks_per_session=PerSession(mean(pecks), sd(pecks)),
        rewards_per_session=PerSession(mean(rewards), sd(rewards)),
        block_s=sessions[0].block_s,
        hopper_s=_same([session.hopper_s for session in sessions]),
        session_blocks=counted.n.size,
        with_data=with_data,
        occupancy=with_data / counted.n.size,
        shares=shares(counted),
        largest=most,
        largest_share=_most([each.share for each in most]),
        largest_share_in_a_block=_most([each.share_in_a_block for each in most]),
        course=course(counted),
        stays=stays(sessions),
        returns=back,
        return_splines=_return_splines(back) if settings.fits else (),
        thetas=fitted,
        traits=_traits(fitted, settings.people) if fitted and settings.people else (),
    )


def _most(values: Sequence[float]) -> float:
    known = finite(np.array(values, float))
    return float(known.max()) if known.size else float("nan")


def _same(values: Sequence[float]) -> float:
    return values[0] if len(set(values)) == 1 else float("nan")


def _traits(fitted: Thetas, people: People) -> tuple[Trait, ...]:
    from protocols.disk_bandit.analysis.people import traits

    return traits({own.subject: own.theta for own in fitted.own}, people)


def _return_splines(found: Sequence[Return]) -> tuple[ReturnSpline, ...]:
    from protocols.disk_bandit.analysis.return_splines import return_splines

    return return_splines(found)


def _thetas(sessions: Sequence[Pecks]) -> Thetas:
    from protocols.disk_bandit.analysis.thetas import thetas

    return thetas(cells(sessions))
