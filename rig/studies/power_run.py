"""Simulate the subjects of a power analysis, and draw experiments from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rig.analysis.common.record import Record
from rig.config.models.study_file import Power
from rig.core.errors import ConfigError
from rig.jobs.engine import Chain, Engine
from rig.studies.analyses import AnalysisPlan
from rig.studies.power.designs import run_power
from rig.studies.power.pool import Pool
from rig.studies.power.result import PowerResult
from rig.studies.power.values import ArmValues, SubjectValues, together, values_of
from rig.studies.run import StudyRun


@dataclass(frozen=True)
class ValueOrder:
    """The sessions of one subject, and the number that is taken of them."""

    arm: str
    subject: str
    plan: AnalysisPlan
    power: Power
    records: Sequence[Record]

    def __str__(self) -> str:
        return f"arm {self.arm}, {self.subject}"


def take_values(order: ValueOrder) -> tuple[str, SubjectValues]:
    """Return the arm and the values of a subject."""
    return order.arm, values_of(order.plan.analysis(), order.power, order.subject, order.records)


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
    found: dict[str, dict[str, SubjectValues]] = {power.baseline: {}, power.effect: {}}
    for arm, values in engine.run(take_values, map(Chain[ValueOrder, Any], _orders(work, power, plan))):
        found[arm][values.subject] = values
        on_subject()
    taken = {arm: _together(work, power, arm, of) for arm, of in found.items()}

    def mapped(function: Callable[[Any], Any], orders: Iterable[Any]) -> Iterator[Any]:
        return engine.run(function, map(Chain[Any, Any], orders))

    pool = Pool(taken[power.baseline].values, taken[power.effect].values)
    result = run_power(power, pool, work.study.file.seed, mapped)
    return result, tuple(f"arm {arm}: {note}" for arm, of in taken.items() for note in of.notes)


def _orders(work: StudyRun, power: Power, plan: AnalysisPlan) -> Iterator[ValueOrder]:
    for arm in (power.baseline, power.effect):
        for subject in work.study.file.subjects_of(arm):
            yield ValueOrder(arm, subject, plan, power, list(work.store.records(arm, subject)))


def _together(work: StudyRun, power: Power, arm: str, values: dict[str, SubjectValues]) -> ArmValues:
    # In the order of the file: a job that comes back first must not change what is drawn.
    return together(power, [values[subject] for subject in work.study.file.subjects_of(arm)])
