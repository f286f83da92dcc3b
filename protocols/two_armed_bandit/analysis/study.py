"""Analyses that take minutes for hundreds of sessions: history lengths, surfaces, simulated agents, random splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.generative import SUBJECTS, Played, generative, played
from protocols.two_armed_bandit.analysis.landscape import Landscape, landscape
from protocols.two_armed_bandit.analysis.lengths import HistoryLengths, history_lengths
from protocols.two_armed_bandit.analysis.likelihood import fitted, with_history
from protocols.two_armed_bandit.analysis.rates import resamples
from protocols.two_armed_bandit.analysis.rflr import fit
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.simulate import TaskCondition
from protocols.two_armed_bandit.analysis.split import split
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.analysis.surface import Surface, surface
from rig.analysis.common.arrays import Floats, mean, sd


@dataclass(frozen=True)
class OverSplits:
    """Log-likelihood per trial of a model over random splits of the sessions, trials 4 to the last.

    ``sd`` is over splits, which share sessions, so it is not a standard error. ``difference`` is the model minus the
    RFLR in the same split; ``difference_sd`` is its SD over splits.
    """

    name: str
    splits: int
    mean: float
    sd: float
    difference: float
    difference_sd: float


@dataclass(frozen=True)
class Study:
    """Results of ``--models``; surface, simulations and landscape need odds that did not change."""

    lengths: HistoryLengths
    splits: tuple[OverSplits, ...]
    surface: Surface | None
    played: tuple[Played, ...]
    landscape: Landscape | None


def study(names: Sequence[str], stack: Stack, odds: tuple[float, float] | None, settings: BanditSettings) -> Study:
    """Return the study of the sessions of one condition."""
    parts = split(names, settings.split_seed)
    train, test = stack.rows(parts.train), stack.rows(parts.test)
    lengths, over = history_lengths(train, test), over_splits(names, stack, settings.splits, settings.seed)
    # With equal odds no port is high, and a simulation of the task says nothing about choice.
    if odds is None or odds[0] == odds[1]:
        return Study(lengths, over, None, (), None)
    world, best = TaskCondition(*odds), fit(stack)
    return Study(
        lengths,
        over,
        surface(stack, world),
        (
            played(SUBJECTS, stack, resamples(stack.sessions, settings.seed, settings.resamples)),
            *generative(fitted(stack), stack, world, settings.seed, settings.resamples),
        ),
        None if best is None else landscape(best.model, world, settings.seed),
    )


def over_splits(names: Sequence[str], stack: Stack, splits: int, seed: int) -> tuple[OverSplits, ...]:
    """Fit and score all models in random splits; with one or two sessions the scores are in sample."""
    found: dict[str, list[float]] = {}
    for number in range(splits):
        parts = split(names, seed + number)
        train, test = stack.rows(parts.train), stack.rows(parts.test)
        for model in fitted(train):
            found.setdefault(model.name, []).append(with_history(model, test))
    # A model that could not be fitted in every split would be averaged over other sessions than the rest.
    values = {name: np.array(each) for name, each in found.items() if len(each) == splits}
    return tuple(_over(name, each, values.get("rflr")) for name, each in values.items())


def _over(name: str, values: Floats, reference: Floats | None) -> OverSplits:
    differences = np.full(values.shape, np.nan) if reference is None else values - reference
    return OverSplits(name, len(values), mean(values), sd(values), mean(differences), sd(differences))
