"""The power of each design that a study asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from rig.analysis.common.arrays import mean, sd
from rig.analysis.common.intervals import wilson
from rig.config.models.study_file import Power
from rig.core.errors import ConfigError
from rig.studies.power.enough_simulated import FEWEST, cannot_draw, cannot_reject, cannot_split, spread_df
from rig.studies.power.experiments import ExperimentOrder, Question, RejectionCount, run_order
from rig.studies.power.interval import Sampling, power_interval
from rig.studies.power.pool import Level, Pool
from rig.studies.power.result import ComparedArm, Design, Effect, PowerResult, Rate, smallest_of
from rig.terminal.format import pluralize


class MapFunction(Protocol):
    """A function like ``map``; results may come in any order."""

    def __call__(
        self, work: Callable[[ExperimentOrder], RejectionCount], orders: Iterable[ExperimentOrder], /
    ) -> Iterable[RejectionCount]:
        """Return the result of each order."""


def run_power(power: Power, pool: Pool, seed: int, mapped: MapFunction = map) -> PowerResult:
    """Run the simulated experiments of all designs; ``mapped`` may run them elsewhere.

    Raises ``ConfigError`` if there are too few simulated subjects with a value for any experiment.
    """
    levels = {sessions: pool.level(power, sessions) for sessions in sorted(set(power.sessions))}
    _check(power, levels.values())
    counts = {
        (each.question, each.subjects, each.sessions): each.rejected
        for each in mapped(run_order, orders_of(power, levels.values(), seed))
    }
    designs = tuple(_designs(power, levels.values(), counts))
    return PowerResult(
        statistic=power.statistic.name,
        unit=power.statistic.unit,
        baseline=power.baseline,
        effect=power.effect,
        design=power.design,
        test=power.test,
        alpha=power.alpha,
        experiments=power.experiments,
        seed=seed,
        designs=designs,
        smallest=tuple(smallest_of(designs)),
        compared=tuple(each for level in levels.values() for each in _compared(power, level)),
        effects=tuple(_effect(level) for level in levels.values()),
        notes=tuple(dict.fromkeys(note for design in designs for note in design.notes)),
    )


def orders_of(power: Power, levels: Iterable[Level], seed: int) -> Iterator[ExperimentOrder]:
    """Yield the experiments to run, for each design and question that can be answered."""
    for level in levels:
        for subjects in sorted(set(power.subjects)):
            for question in _answerable(power, level, subjects):
                yield ExperimentOrder(
                    question,
                    level.baseline,
                    level.effect,
                    subjects,
                    level.sessions,
                    power.design,
                    power.test,
                    power.alpha,
                    power.experiments,
                    seed,
                )


def _answerable(power: Power, level: Level, subjects: int) -> Iterator[Question]:
    if cannot_reject(power, subjects):
        return
    if not cannot_draw(power, level, subjects):
        yield "power"
    if not cannot_split(power, level, subjects):
        yield "false_alarms"


def _check(power: Power, levels: Iterable[Level]) -> None:
    mistakes = [
        f"arm {arm}: {count} of {count + without} simulated subjects have a value of '{power.statistic.name}' with "
        f"{pluralize(level.sessions, 'session')}: wanted at least {FEWEST}"
        for level in levels
        for arm, count, without in (
            (power.baseline, len(level.baseline), level.without_baseline),
            (power.effect, len(level.effect), level.without_effect),
        )
        if count < FEWEST
    ]
    if mistakes:
        raise ConfigError(*mistakes)


def _designs(power: Power, levels: Iterable[Level], counts: dict[tuple[Question, int, int], int]) -> Iterator[Design]:
    for level in levels:
        for subjects in sorted(set(power.subjects)):
            rejected = counts.get(("power", subjects, level.sessions))
            alarms = counts.get(("false_alarms", subjects, level.sessions))
            yield Design(
                subjects,
                level.sessions,
                None if rejected is None else _power(rejected, power, level, subjects),
                None if alarms is None else _false_alarms(alarms, power, level.splits(subjects)),
                tuple(_reasons(power, level, subjects)),
            )


def _power(rejected: int, power: Power, level: Level, subjects: int) -> Rate:
    sampling = Sampling(level.share(subjects), spread_df(power, subjects), power.alpha)
    return Rate(rejected, power.experiments, *power_interval(rejected, power.experiments, sampling))


def _false_alarms(rejected: int, power: Power, splits: int) -> Rate:
    # Two groups of the same subjects are alike, whichever these are: only the number of experiments limits it, or that
    # of different ones. Eight subjects can be shared out to two groups of four in 35 ways.
    low, high = wilson(rejected / power.experiments, min(power.experiments, splits))
    return Rate(rejected, power.experiments, float(low), float(high))


def _reasons(power: Power, level: Level, subjects: int) -> Iterator[str]:
    if reason := cannot_reject(power, subjects):
        yield reason
        return
    yield from filter(None, (cannot_draw(power, level, subjects), cannot_split(power, level, subjects)))


def _compared(power: Power, level: Level) -> Iterator[ComparedArm]:
    first, second = level.numbers
    for arm, values, without in (
        (power.baseline, first, level.without_baseline),
        (power.effect, second, level.without_effect),
    ):
        yield ComparedArm(arm, level.sessions, values.size, without, mean(values), sd(values))


def _effect(level: Level) -> Effect:
    first, second = level.numbers
    difference = mean(second) - mean(first)
    spread = sd(second - first) if level.is_paired else math.sqrt((sd(first) ** 2 + sd(second) ** 2) / 2)
    return Effect(level.sessions, difference, difference / spread if spread > 0 else math.nan)
