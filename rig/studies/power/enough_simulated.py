"""How many subjects must be simulated for a design, and designs that no number of them can answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rig.config.errors.errors import Loc
from rig.config.models.study_file import Power
from rig.studies.power.interval import Sampling, expected_interval, subjects_for
from rig.studies.power.permutation import least_p
from rig.studies.power.pool import Level
from rig.terminal.format import pluralize

FEWEST = 2
"""Fewest simulated subjects of an arm, for a spread."""
_POWER = 0.8
_HALF_WIDTH = 0.05


def spread_df(power: Power, subjects: int) -> int:
    """Return the degrees of freedom of the spread of subjects in an experiment."""
    return 2 * subjects - 2 if power.design == "between" else subjects - 1


def cannot_reject(power: Power, subjects: int) -> str | None:
    """Return why a test of so few subjects never rejects; None if it can."""
    if power.test != "permutation" or (least := least_p(power.design, subjects, power.alpha)) <= power.alpha:
        return None
    return (
        f"{_size(power, subjects)}: no experiment can reject: the least p of a permutation test of so few is "
        f"{least:.3g}, above {power.alpha:g}"
    )


def cannot_draw(power: Power, level: Level, subjects: int) -> str | None:
    """Return why the power of a design cannot be simulated; None if it can."""
    if subjects <= level.most:
        return None
    return f"{_size(power, subjects)}: power not simulated: {_have(power, level)}: wanted at least {subjects}"


def cannot_split(power: Power, level: Level, subjects: int) -> str | None:
    """Return why the false alarms of a design cannot be simulated; None if they can."""
    if power.design == "within":
        return cannot_draw(power, level, subjects)
    if 2 * subjects <= len(level.baseline):
        return None
    return (
        f"{_size(power, subjects)}: false alarms not simulated: both groups are of one arm, and "
        f"{_has(power.baseline, len(level.baseline), level)}: wanted at least {2 * subjects}"
    )


def mistakes(power: Power, subjects: Mapping[str, int]) -> Iterator[tuple[Loc, str]]:
    """Yield designs of a study for which its arms have too few subjects; ``subjects`` are their numbers by arm."""
    for index, wanted in enumerate(power.subjects):
        for arm in (power.baseline, power.effect):
            if wanted > subjects[arm]:
                yield (
                    ("power", "subjects", index),
                    f"{wanted}: arm {arm} has {subjects[arm]} subjects: wanted {wanted} or more there, or fewer here",
                )


def advice(power: Power, subjects: Mapping[str, int]) -> Iterator[tuple[Loc, str]]:
    """Yield what else the numbers of subjects do not allow: false alarms, and narrow intervals."""
    largest, loc = max(power.subjects), ("power", "subjects")
    have = min(subjects[power.baseline], subjects[power.effect])
    if power.design == "between" and 2 * largest > subjects[power.baseline]:
        yield (
            loc,
            f"arm {power.baseline} has {subjects[power.baseline]} subjects: designs of {largest} in each group need at "
            f"least {2 * largest} for the false-alarm rate",
        )
    df = spread_df(power, largest)
    wanted = subjects_for(_POWER, _HALF_WIDTH, largest, df, power.alpha)
    if largest <= have < wanted:
        low, high = expected_interval(_POWER, Sampling(largest / have, df, power.alpha))
        yield (
            loc,
            f"with {have} simulated subjects, the interval of a power of 80 % of designs of {largest} is about "
            f"{low:.0%} to {high:.0%}: {wanted} make it ± 5 %",
        )


def _size(power: Power, subjects: int) -> str:
    return f"{subjects} subjects in each group" if power.design == "between" else f"{subjects} subjects"


def _have(power: Power, level: Level) -> str:
    if power.design == "within":
        return f"{len(level.baseline)} subjects have a value in both arms, over {pluralize(level.sessions, 'session')}"
    arms = ((power.baseline, len(level.baseline)), (power.effect, len(level.effect)))
    return _has(*min(arms, key=lambda each: each[1]), level)


def _has(arm: str, count: int, level: Level) -> str:
    return f"arm {arm} has {count} subjects with a value over {pluralize(level.sessions, 'session')}"
