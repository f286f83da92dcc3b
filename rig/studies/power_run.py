"""Simulate the subjects of a power analysis, and draw experiments from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rig.campaigns.campaign_session import CampaignSession
from rig.campaigns.store import CampaignStore
from rig.config.models.study_file import Power
from rig.core.errors import ConfigError
from rig.jobs.engine import Chain, Engine
from rig.studies.analyses import AnalysisPlan
from rig.studies.power.designs import run_power
from rig.studies.power.pool import Pool
from rig.studies.power.result import PowerResult
from rig.studies.power.values import SubjectValues, together, values_of
from rig.studies.run import StudyRun


@dataclass(frozen=True)
class ValueOrder:
    """The sessions of one subject, and the number that is taken of them."""

    arm: str
    subject: str
    plan: AnalysisPlan
    power: Power
    sessions: Sequence[CampaignSession]

    def __str__(self) -> str:
        return f"arm {self.arm}, {self.subject}"


def take_values(order: ValueOrder) -> tuple[str, SubjectValues]:
    """Return the arm and the values of a subject."""
    return order.arm, values_of(order.plan.analysis(), order.power, order.subject, order.sessions)


def question_of(work: StudyRun) -> tuple[Power, AnalysisPlan]:
    """Return the question of a study and the analysis of its statistic. Raises ``ConfigError`` without one."""
    power, plan = work.study.file.power, work.study.statistic
    if power is None or plan is None:
        raise ConfigError(
            f"{work.study.path}: asks for no power: wanted `power:` with baseline, effect, statistic and subjects"
        )
    return power, plan


def power_of(
    work: StudyRun, engine: Engine, on_subject: Callable[[], object] = lambda: None
) -> tuple[PowerResult, tuple[str, ...]]:
    """Return the power of each design from the sessions that ran, and notes on subjects without a value.

    Raises ``RigError``.
    """
    power, plan = question_of(work)
    values: dict[tuple[str, str], SubjectValues] = {}
    orders = map(Chain[ValueOrder, tuple[str, SubjectValues]], _orders(work.store, power, plan))
    for arm, of_subject in engine.run(take_values, orders):
        values[arm, of_subject.subject] = of_subject
        on_subject()
    # In the order of the file: a job that comes back first must not change what is drawn.
    taken = {
        arm: together(power, [values[arm, subject] for subject in subjects]) for arm, subjects in plan.arms.items()
    }

    def mapped(function: Callable[[Any], Any], orders: Iterable[Any]) -> Iterator[Any]:
        return engine.run(function, map(Chain[Any, Any], orders))

    pool = Pool(taken[power.baseline].values, taken[power.effect].values)
    result = run_power(power, pool, work.study.file.seed, mapped)
    return result, tuple(f"arm {arm}: {note}" for arm, of in taken.items() for note in of.notes)


def _orders(store: CampaignStore, power: Power, plan: AnalysisPlan) -> Iterator[ValueOrder]:
    for arm, subjects in plan.arms.items():
        for subject in subjects:
            yield ValueOrder(arm, subject, plan, power, list(store.sessions(arm, subject)))
