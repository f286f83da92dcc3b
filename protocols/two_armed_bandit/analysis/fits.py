"""Models fitted to the sessions of one condition. Needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from protocols.two_armed_bandit.analysis import rflr
from protocols.two_armed_bandit.analysis.blocks import BlockCurve, around_flip, observed
from protocols.two_armed_bandit.analysis.history_words import WordTable, switch_table
from protocols.two_armed_bandit.analysis.likelihood import Score, fitted, ideal_rewards, score
from protocols.two_armed_bandit.analysis.paired import Paired, paired
from protocols.two_armed_bandit.analysis.rates import resamples
from protocols.two_armed_bandit.analysis.rflr import RflrFit
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.split import split
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects, places


@dataclass(frozen=True)
class ModelComparison:
    """Models fitted to the sessions named in ``train`` and scored on those named in ``test``.

    ``around_flip``, ``words`` and ``reward_rate`` are observed in the test sessions. ``ideal_reward`` is what observers
    with the task's own p and q would get in them per trial, given the subjects' history, by policy.
    """

    rule: str
    in_sample: bool
    train: tuple[str, ...]
    test: tuple[str, ...]
    around_flip: BlockCurve
    words: WordTable
    reward_rate: float
    ideal_reward: dict[str, float]
    models: tuple[Score, ...]
    paired: tuple[Paired, ...]


@dataclass(frozen=True)
class Fits:
    """RFLR fits in sample: of all sessions, of each subject, and their mean over subjects; and the model comparison."""

    rflr: RflrFit | None
    rflr_of_subject: dict[str, RflrFit | None]
    rflr_by_subject: dict[str, OverSubjects]
    comparison: ModelComparison


Odds: TypeAlias = tuple[float, float] | None
"""Reward probabilities of the high and the low port; None where they are unknown or changed by more than a swap."""


def fits(names: Sequence[str], subjects: Sequence[str], stack: Stack, odds: Odds, settings: BanditSettings) -> Fits:
    """Fit the recursive regression and compare all models; ``names`` and ``subjects`` are those of the stack's rows."""
    best = rflr.fit(stack)
    own = {subjects[place[0]]: rflr.fit(stack.rows(place)) for place in places(subjects)}
    each = [found for found in own.values() if found is not None]
    by_subject = {
        # A fit at a bound is no estimate: one such subject would dominate mean and standard error.
        name: over_subjects([getattr(found, name) for found in each if not found.at_bound])
        for name in ("alpha", "beta", "tau")
    }
    return Fits(best, own, by_subject, compare(names, stack, odds, settings))


def compare(names: Sequence[str], stack: Stack, odds: Odds, settings: BanditSettings) -> ModelComparison:
    """Fit all models to the training sessions and score them on the test sessions."""
    parts = split(names, settings.split_seed)
    train, test = stack.rows(parts.train), stack.rows(parts.test)
    drawn = resamples(test.sessions, settings.seed, settings.resamples)
    models = tuple(score(model, test, drawn, odds) for model in fitted(train))
    train_names, test_names = (tuple(names[place] for place in part) for part in (parts.train, parts.test))
    happened = around_flip(test, observed(test), drawn)
    rewards = float(ratio(test.reward.sum(), test.from_trial(1).sum()))
    return ModelComparison(
        *(parts.rule, parts.in_sample, train_names, test_names, happened, switch_table(test), rewards),
        ideal_rewards(test, odds),
        models,
        paired([model.name for model in models], [model.ll_by_session for model in models]),
    )
