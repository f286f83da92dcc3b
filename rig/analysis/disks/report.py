"""The analysis of many sessions of the disk bandit: each by itself, and all that showed the same disks together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rig.analysis.common.arrays import finite, mean, ratio, sd
from rig.analysis.common.subjects import PerSession
from rig.analysis.disks.assignments import complete
from rig.analysis.disks.cells import cells
from rig.analysis.disks.choices import Course, Largest, Shares, Stays, course, largest, shares, stays
from rig.analysis.disks.pecks import Pecks, Visit
from rig.analysis.disks.returns import Return, returns
from rig.importers.pecks import PLACES

if TYPE_CHECKING:
    from rig.analysis.disks.people import Table as People
    from rig.analysis.disks.people import Trait
    from rig.analysis.disks.thetas import Thetas

MIN_PECKS = 20


@dataclass(frozen=True)
class Settings:
    """What the reader chose: how few pecks exclude a session, whether to fit, and what is known of the subjects."""

    min_pecks: int = MIN_PECKS
    fits: bool = True
    people: People | None = None


@dataclass(frozen=True)
class SessionReport:
    """One session in numbers; ``excluded`` says why it is in no group, and is empty if it is.

    ``pecks`` are those on disks that could be chosen; ``left_out`` counts all others by why. ``latency_s`` is the
    median from a disk's appearance to its peck, where disks come one by one.
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
class Group:
    """The sessions that showed disks of the same VIs (or odds), and are not excluded.

    ``with_data`` of ``session_blocks`` have a peck. ``hopper_s`` is NaN if sessions differ in it. ``thetas`` are None
    without the extra, ``traits`` without a table of the subjects.
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
    shares: Shares
    largest: tuple[Largest, ...]
    course: Course
    stays: Stays
    returns: tuple[Return, ...]
    thetas: Thetas | None
    traits: tuple[Trait, ...]

    @property
    def occupancy(self) -> float:
        """Return the share of the session-blocks with data."""
        return self.with_data / self.session_blocks


@dataclass(frozen=True)
class Report:
    """Everything, in the order in which a reader asks."""

    settings: Settings
    sessions: tuple[SessionReport, ...]
    groups: dict[str, Group]


def sessions_of(visits: Sequence[Visit]) -> list[Pecks]:
    """List the sessions of all visits, with what can be told of their assignments."""
    return complete([pecks for visit in visits for pecks in visit.named()])


def kept(sessions: Sequence[Pecks], min_pecks: int) -> dict[str, list[Pecks]]:
    """Group the sessions that are not excluded by what they showed."""
    found: dict[str, list[Pecks]] = {}
    for pecks in sessions:
        if not any(exclusions(pecks, min_pecks)):
            found.setdefault(pecks.condition, []).append(pecks)
    return {name: found[name] for name in sorted(found)}


def exclusions(pecks: Pecks, min_pecks: int) -> Iterator[str]:
    """Return why a session is not to be judged."""
    if pecks.assignment.shown.sum() == 1 or np.any(pecks.disk == PLACES):
        yield "one disk: there was no choice"
    elif (count := int(pecks.chosen.sum())) < max(1, min_pecks):
        yield f"{count} pecks on disks, fewer than {max(1, min_pecks)}"


def report(sessions: Sequence[Pecks], settings: Settings) -> Report:
    """Analyze sessions."""
    groups = kept(sessions, settings.min_pecks)
    return Report(
        settings,
        tuple(_session(pecks, settings) for pecks in sessions),
        {name: _group(name, own, settings) for name, own in groups.items()},
    )


def _session(pecks: Pecks, settings: Settings) -> SessionReport:
    chosen, value, own = pecks.chosen, pecks.assignment.value, stays([pecks])
    excluded = tuple(exclusions(pecks, settings.min_pecks))
    best = value == np.max(value, where=pecks.assignment.shown, initial=-np.inf)
    latency_s = finite(pecks.latency_s)
    return SessionReport(
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
    from rig.analysis.disks.thetas import overall

    return float(overall(cells([pecks])).value[0])


def _group(name: str, sessions: Sequence[Pecks], settings: Settings) -> Group:
    counted = cells(sessions)
    fitted = _thetas(sessions) if settings.fits else None
    pecks = np.array([session.chosen.sum() for session in sessions], float)
    rewards = np.array([session.rewarded.sum() for session in sessions], float)
    return Group(
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
        with_data=int((counted.n > 0).sum()),
        shares=shares(counted),
        largest=largest(counted),
        course=course(counted),
        stays=stays(sessions),
        returns=returns(sessions),
        thetas=fitted,
        traits=_traits(fitted, settings.people) if fitted and settings.people else (),
    )


def _same(values: Sequence[float]) -> float:
    return values[0] if len(set(values)) == 1 else float("nan")


def _traits(fitted: Thetas, people: People) -> tuple[Trait, ...]:
    from rig.analysis.disks.people import traits

    return traits({own.subject: own.theta for own in fitted.own}, people)


def _thetas(sessions: Sequence[Pecks]) -> Thetas:
    from rig.analysis.disks.thetas import thetas

    return thetas(cells(sessions))
