"""Simulated subjects with their values, from which experiments are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Floats
from rig.config.models.study_file import Power


@dataclass(frozen=True)
class Pool:
    """The values of all simulated subjects of both arms, [subjects, columns]; NaN where a subject has none.

    For ``permutation`` a column is a number of sessions as in ``Power.sessions``: the statistic over this number of the
    first sessions. For ``mixed_model`` it is a single session, in their order. ``within`` subjects the same row is the
    same subject.
    """

    baseline: Floats
    effect: Floats

    def level(self, power: Power, sessions: int) -> Level:
        """Return the values over a number of sessions, of the subjects that have one."""
        if power.test == "permutation":
            place = power.sessions.index(sessions)
            columns = slice(place, place + 1)
        else:
            columns = slice(sessions)
        baseline, effect = self.baseline[:, columns], self.effect[:, columns]
        first, second = np.isfinite(baseline).any(axis=1), np.isfinite(effect).any(axis=1)
        if power.design == "within":
            first = second = first & second
        without = int((~first).sum()), int((~second).sum())
        return Level(sessions, baseline[first], effect[second], *without, is_paired=power.design == "within")


@dataclass(frozen=True)
class Level:
    """The values of subjects over a number of sessions, [subjects, columns], and how many subjects have no value."""

    sessions: int
    baseline: Floats
    effect: Floats
    without_baseline: int
    without_effect: int
    is_paired: bool

    @property
    def numbers(self) -> tuple[Floats, Floats]:
        """Return one number of each subject, of both arms."""
        return np.nanmean(self.baseline, axis=1), np.nanmean(self.effect, axis=1)

    @property
    def most(self) -> int:
        """Return the largest number of subjects of an experiment, in each group or in all."""
        return min(len(self.baseline), len(self.effect))

    def splits(self, subjects: int) -> int:
        """Return the number of different experiments of so many subjects without an effect."""
        count = len(self.baseline)
        if self.is_paired:
            return math.comb(count, subjects) * int(2 ** (subjects - 1))
        return math.comb(count, 2 * subjects) * math.comb(2 * subjects, subjects) // 2

    def share(self, subjects: int) -> float:
        """Return the share of the simulated subjects that are in one experiment.

        With arms of different size, the one whose subjects differ more counts more: as in the error of a difference.
        """
        if self.is_paired:
            return subjects / len(self.baseline)
        first, second = self.numbers
        spreads = np.array([first.var(), second.var()])
        weights = spreads / spreads.sum() if spreads.sum() > 0 else np.full(2, 0.5)
        return float(weights @ (subjects / np.array([first.size, second.size])))
