"""Confusion matrices: is a model as unsure, word by word, as the animal is (Beron et al. 2022)?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.stack import Stack
from rig.analysis.bandit.words import LENGTH, averages, spelled
from rig.analysis.common.arrays import Floats, Ints, ratio


@dataclass(frozen=True)
class Confusion:
    """Rows are what happened, columns what the model predicts; every row adds up to 1.

    ``expected`` is the matrix of a model with the animal's own probabilities, ``delta`` the distance from it.
    """

    labels: tuple[str, str]
    n: int
    matrix: Floats
    expected: Floats
    delta: Floats


def table(n: Ints, happened: Floats, predicted: Floats) -> Floats:
    """Cross what happened after each word with what was predicted, each word by how often it came.

    [[sum N (1-a)(1-b), sum N (1-a) b], [sum N a (1-b), sum N a b]], rows divided by their sums, where a is the
    probability of the second label after a word and b the model's (Beron et al. 2022, code of the models).
    """
    known = n > 0
    a, b, weight = happened[known], predicted[known], n[known]
    matrix = np.array([[weight @ (x * y) for y in (1 - b, b)] for x in (1 - a, a)])
    return ratio(matrix, matrix.sum(axis=1, keepdims=True))


def of_switches(stack: Stack, p_switch: Floats) -> Confusion:
    """Compare switches with the probabilities (sessions x trials) that a model gives them, by symmetric words."""
    return _compare(("repeat", "switch"), spelled(stack), 2 * 4 ** (LENGTH - 1), stack.switched.astype(float), p_switch)


def of_sides(stack: Stack, p_left: Floats) -> Confusion:
    """Compare choices with the probabilities (sessions x trials) that a model gives them, by words of sides."""
    numbers = spelled(stack, sides=True)
    return _compare(("right", "left"), numbers, 4**LENGTH, (stack.choice > 0).astype(float), p_left)


def _compare(labels: tuple[str, str], numbers: Ints, size: int, happened: Floats, predicted: Floats) -> Confusion:
    n, a = averages(numbers, happened, size)
    _, b = averages(numbers, predicted, size)
    matrix, expected = table(n, a, b), table(n, a, a)
    return Confusion(labels, int(n.sum()), matrix, expected, np.abs(matrix - expected))
