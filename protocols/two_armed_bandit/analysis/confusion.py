"""Confusion matrices: a model's probabilities after each word against the subjects' (Beron et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.history_words import LENGTH, averages, spelled
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats, Ints, ratio


@dataclass(frozen=True)
class Confusion:
    """Matrix of observed choices (rows) against predicted choices (columns); every row adds up to 1.

    ``expected`` is the matrix of a model with the subjects' own probabilities; ``delta`` is |matrix - expected|.
    """

    labels: tuple[str, str]
    n: int
    matrix: Floats
    expected: Floats
    delta: Floats


def table(n: Ints, happened: Floats, predicted: Floats) -> Floats:
    """Return the matrix of observed against predicted choices after each word, weighted by the word's count ``n``.

    [[sum N (1-a)(1-b), sum N (1-a) b], [sum N a (1-b), sum N a b]], rows divided by their sums, where a is the
    probability of the second label after a word and b the model's (Beron et al. 2022, code of the models).
    """
    known = n > 0
    a, b, weight = happened[known], predicted[known], n[known]
    matrix = np.array([[weight @ (x * y) for y in (1 - b, b)] for x in (1 - a, a)])
    return ratio(matrix, matrix.sum(axis=1, keepdims=True))


def of_switches(stack: Stack, p_switch: Floats) -> Confusion:
    """Return the comparison of switches with a model's P(switch), sessions x trials, by symmetric words."""
    return _compare(("repeat", "switch"), spelled(stack), 2 * 4 ** (LENGTH - 1), stack.switched.astype(float), p_switch)


def of_sides(stack: Stack, p_left: Floats) -> Confusion:
    """Return the comparison of choices with a model's P(left), sessions x trials, by words of sides."""
    numbers = spelled(stack, sides=True)
    return _compare(("right", "left"), numbers, 4**LENGTH, (stack.choice > 0).astype(float), p_left)


def _compare(labels: tuple[str, str], numbers: Ints, size: int, happened: Floats, predicted: Floats) -> Confusion:
    n, a = averages(numbers, happened, size)
    _, b = averages(numbers, predicted, size)
    # Even a perfect model is not on the diagonal: choices are random. So the reference is the subjects' own a, not 1.
    matrix, expected = table(n, a, b), table(n, a, a)
    return Confusion(labels, int(n.sum()), matrix, expected, np.abs(matrix - expected))
