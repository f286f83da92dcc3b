"""What is fitted to the sessions of one condition. Needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rig.analysis.bandit import rflr
from rig.analysis.bandit.blocks import Curve, around_flip, observed
from rig.analysis.bandit.likelihood import Score, fitted, score
from rig.analysis.bandit.split import split
from rig.analysis.bandit.stack import Stack
from rig.analysis.bandit.words import WordTable, switch_table
from rig.analysis.common.subjects import OverSubjects, over_subjects, places


@dataclass(frozen=True)
class Comparison:
    """Models fitted to the sessions ``train`` and scored on the sessions ``test``, by their names.

    ``around_flip`` and ``words`` are what happened in the test sessions.
    """

    rule: str
    in_sample: bool
    train: tuple[str, ...]
    test: tuple[str, ...]
    around_flip: Curve
    words: WordTable
    models: tuple[Score, ...]


@dataclass(frozen=True)
class Fits:
    """The regression of all sessions, in sample, and over subjects; and the comparison of models."""

    rflr: rflr.Fit | None
    rflr_by_subject: dict[str, OverSubjects]
    comparison: Comparison


def fits(names: Sequence[str], subjects: Sequence[str], stack: Stack, split_seed: int | None, seed: int) -> Fits:
    """Fit all that can be fitted to sessions of these names and subjects."""
    best = rflr.fit(stack)
    each = [found for found in (rflr.fit(stack.rows(place)) for place in places(subjects)) if found is not None]
    by_subject = {
        name: over_subjects([getattr(found, name) for found in each if not found.at_bound])
        for name in ("alpha", "beta", "tau")
    }
    return Fits(best, by_subject, compare(names, stack, split_seed, seed))


def compare(names: Sequence[str], stack: Stack, split_seed: int | None, seed: int) -> Comparison:
    """Fit all models to the training sessions and score them on the others."""
    parts = split(names, split_seed)
    train, test = stack.rows(parts.train), stack.rows(parts.test)
    models = tuple(score(model, test, seed) for model in fitted(train))
    train_names, test_names = (tuple(names[place] for place in part) for part in (parts.train, parts.test))
    seen = around_flip(test, observed(test))
    return Comparison(parts.rule, parts.in_sample, train_names, test_names, seen, switch_table(test), models)
