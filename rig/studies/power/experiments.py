"""Simulated experiments: drawn from simulated subjects, and tested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rig.analysis.common.arrays import Floats
from rig.studies.power import mixed_model, permutation
from rig.studies.power.permutation import Grouping

Question = Literal["power", "false_alarms"]

_QUESTIONS: tuple[Question, ...] = ("power", "false_alarms")
_NUMBERS_AT_ONCE = 500_000
"""Random numbers that are drawn together, which bounds the memory."""
_ROUNDING = 1e-9
"""A p value that is the level itself rejects, however it was rounded."""


@dataclass(frozen=True)
class ExperimentOrder:
    """Experiments of one size, for one question; a job of its own that can be done anywhere."""

    question: Question
    baseline: Floats
    effect: Floats
    subjects: int
    sessions: int
    grouping: Grouping
    test: Literal["permutation", "mixed_model"]
    alpha: float
    experiments: int
    seed: int


@dataclass(frozen=True)
class RejectionCount:
    """How many experiments rejected."""

    question: Question
    subjects: int
    sessions: int
    rejected: int


def run_order(order: ExperimentOrder) -> RejectionCount:
    """Run the experiments of an order. They depend on its seed, and on no other order."""
    number = _QUESTIONS.index(order.question)
    rng = np.random.default_rng([order.seed, number, order.sessions, order.subjects])
    rejected = sum(_rejected(order, count, rng) for count in _batches(order))
    return RejectionCount(order.question, order.subjects, order.sessions, rejected)


def _batches(order: ExperimentOrder) -> Iterator[int]:
    values = max(order.baseline.size, order.effect.size)
    most = max(1, _NUMBERS_AT_ONCE // values)
    for begin in range(0, order.experiments, most):
        yield min(most, order.experiments - begin)


def _rejected(order: ExperimentOrder, count: int, rng: np.random.Generator) -> int:
    first, second = _drawn(order, count, rng)
    if order.test == "permutation":
        p = permutation.p_values(first[..., 0], second[..., 0], order.grouping, order.alpha, rng)
    else:
        p = mixed_model.p_values(first, second, order.grouping)
    return int((p <= order.alpha * (1 + _ROUNDING)).sum())


def _drawn(order: ExperimentOrder, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the values of both conditions in some experiments: [experiments, subjects, columns].

    No subject is twice in an experiment. Without an effect, both groups are of the baseline; within subjects the
    conditions of each subject are exchanged at random, for they need both of them.
    """
    n = order.subjects
    if order.grouping == "within":
        chosen = _chosen(len(order.baseline), n, count, rng)
        first, second = order.baseline[chosen], order.effect[chosen]
        if order.question == "false_alarms":
            exchanged = rng.integers(0, 2, (count, n, 1)) == 1
            first, second = np.where(exchanged, second, first), np.where(exchanged, first, second)
        return first, second
    if order.question == "false_alarms":
        both = order.baseline[_chosen(len(order.baseline), 2 * n, count, rng)]
        return both[:, :n], both[:, n:]
    first = order.baseline[_chosen(len(order.baseline), n, count, rng)]
    return first, order.effect[_chosen(len(order.effect), n, count, rng)]


def _chosen(of: int, n: int, count: int, rng: np.random.Generator) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """Return the places of ``n`` subjects ``of`` all, in random order, for each experiment."""
    return np.asarray(rng.random((count, of)).argsort(axis=1)[:, :n])
