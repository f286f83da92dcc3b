"""What was compared and how, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator

from rig.studies.power.result import ComparedArm, PowerResult
from rig.studies.power.tables import per_group


def sentences(result: PowerResult) -> Iterator[str]:
    """Yield what an experiment is, and what each rate and interval means."""
    yield _experiment(result)
    yield _test(result)
    yield _false_alarms(result)
    yield (
        f"The power is the share of {result.experiments} experiments that find a difference. Its 95 % interval counts "
        f"two chances: of the experiments, and of the simulated subjects, {_pool(result)}, from which all experiments "
        "are drawn. More experiments make only the first one smaller; for the second one simulate more subjects."
    )
    yield (
        f"The fewest {per_group(result)} by power are those whose simulated power reaches the aim; by lower bound, "
        "those whose whole interval does, so that the aim is also reached with other simulated subjects of the kind. "
        "Plan with the second number, or simulate more subjects until both are the same."
    )
    yield (
        "All of this holds for the virtual subjects: their effect is the difference of the two arms, as the study's "
        "file sets it. Animals may have a smaller effect, or differ more from each other; then more of them are needed."
    )


def _experiment(result: PowerResult) -> str:
    over = "the first sessions" if result.test == "permutation" else "each session"
    if result.design == "between":
        drawn = f"draws n subjects of arm {result.baseline} and n others of arm {result.effect}"
    else:
        drawn = f"draws n subjects, each of which did both arms, {result.baseline} and {result.effect}"
    return (
        f"Each simulated experiment {drawn}, none twice, and compares {result.statistic} over {over} of each subject."
    )


def _test(result: PowerResult) -> str:
    if result.test == "mixed_model":
        effects = "the subject" if result.design == "between" else "the subject, and its own effect of the arm,"
        return (
            f"The test is a linear mixed model of single sessions, with {effects} as a random effect, by restricted "
            f"maximum likelihood; it is two-sided at a level of {result.alpha:g}."
        )
    changed = (
        "sharing the subjects out to two groups"
        if result.design == "between"
        else "exchanging the arms of single subjects"
    )
    return (
        f"The test is a permutation test of the means, two-sided at a level of {result.alpha:g}: p is the share of all "
        f"ways of {changed}, or of many that are drawn, that give at least as large a difference."
    )


def _false_alarms(result: PowerResult) -> str:
    if result.design == "between":
        return (
            f"False alarms are the share of experiments that find a difference where there is none: both groups are "
            f"drawn of arm {result.baseline}. They should be at the level, or below it with very few subjects."
        )
    return (
        "False alarms are the share of experiments that find a difference where there is none: the arms of each "
        "subject are exchanged at random. They should be at the level, or below it with very few subjects."
    )


def _pool(result: PowerResult) -> str:
    most = result.sessions[-1]
    first, second = (each for each in result.compared if each.sessions == most)
    return f"{_count(first)} and {_count(second)}"


def _count(each: ComparedArm) -> str:
    return f"{each.subjects} of arm {each.arm}"
