"""What is fitted to the sessions of one condition. Needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rig.analysis.bandit import rflr
from rig.analysis.bandit.blocks import Curve, around_flip, observed
from rig.analysis.bandit.likelihood import Score, fitted, score
from rig.analysis.bandit.paired import Paired, paired
from rig.analysis.bandit.rflr import Fit
from rig.analysis.bandit.split import split
from rig.analysis.bandit.stack import Stack
from rig.analysis.bandit.words import WordTable, switch_table
from rig.analysis.common.arrays import ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects, places


@dataclass(frozen=True)
class Comparison:
    """Models fitted to the sessions ``train`` and scored on the sessions ``test``, by their names.

    ``around_flip``, ``words`` and ``reward_rate`` are what happened in the test sessions.
    """

    rule: str
    in_sample: bool
    train: tuple[str, ...]
    test: tuple[str, ...]
    around_flip: Curve
    words: WordTable
    reward_rate: float
    models: tuple[Score, ...]
    paired: tuple[Paired, ...]


@dataclass(frozen=True)
class Fits:
    """The regression of all sessions, in sample, of every subject and over them; and the comparison of models."""

    rflr: Fit | None
    rflr_of_subject: dict[str, Fit | None]
    rflr_by_subject: dict[str, OverSubjects]
    comparison: Comparison


Odds: TypeAlias = tuple[float, float] | None
"""What the high and the low port pay, where that is known and did not change."""


def fits(
    names: Sequence[str], subjects: Sequence[str], stack: Stack, odds: Odds, split_seed: int | None, seed: int
) -> Fits:
    """Fit all that can be fitted to sessions of these names and subjects."""
    best = rflr.fit(stack)
    own = {subjects[place[0]]: rflr.fit(stack.rows(place)) for place in places(subjects)}
    each = [found for found in own.values() if found is not None]
    by_subject = {
        name: over_subjects([getattr(found, name) for found in each if not found.at_bound])
        for name in ("alpha", "beta", "tau")
    }
    return Fits(best, own, by_subject, compare(names, stack, odds, split_seed, seed))


def compare(names: Sequence[str], stack: Stack, odds: Odds, split_seed: int | None, seed: int) -> Comparison:
    """Fit all models to the training sessions and score them on the others."""
    parts = split(names, split_seed)
    train, test = stack.rows(parts.train), stack.rows(parts.test)
    models = tuple(score(model, test, seed, odds) for model in fitted(train))
    train_names, test_names = (tuple(names[place] for place in part) for part in (parts.train, parts.test))
    seen = around_flip(test, observed(test))
    rewards = float(ratio(test.reward.sum(), test.from_trial(1).sum()))
    return Comparison(
        *(parts.rule, parts.in_sample, train_names, test_names, seen, switch_table(test), rewards, models),
        paired([model.name for model in models], [model.ll_by_session for model in models]),
    )
