"""Words of history: codes of the last trials, and P(switch) on the next (Beron et al. 2022, figure 2D).

In the symmetric code a letter is a trial, oldest first: A for the direction of the word's first choice, B for the other
direction, upper case if rewarded. There are 32 words of length 3. In the code of sides the letters are L and R, and
there are 64 words.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Columns, Floats, Ints, ratio
from rig.analysis.common.intervals import wilson
from rig.core.errors import ConfigError

LENGTH = 3
CLIP = 1e-4
"""Bound of every probability in a likelihood (Beron et al. 2022, code of the non-parametric policy)."""


@dataclass(frozen=True)
class WordTable(Columns):
    """Count of each word, and P(switch) on the next trial.

    ``se`` is the binomial standard error, which is 0 at 0 and 1; ``low`` and ``high`` are the Wilson interval (95 %).
    """

    word: tuple[str, ...]
    n: Ints
    p_switch: Floats
    se: Floats
    low: Floats
    high: Floats


def words(letters: str, length: int = LENGTH) -> tuple[str, ...]:
    """Return all words in the order of their numbers; ``letters`` is ``AB`` (symmetric code) or ``LR`` (sides)."""
    first = letters[0] if letters == "AB" else letters
    kinds = [[case(letter) for letter in first for case in (str.upper, str.lower)]]
    kinds += [[case(letter) for letter in letters for case in (str.upper, str.lower)]] * (length - 1)
    return tuple("".join(word) for word in product(*kinds))


def spelled(stack: Stack, length: int = LENGTH, *, sides: bool = False) -> Ints:
    """Return the number of the word before every trial, sessions x trials; -1 where the session has no such history."""
    numbers = np.full(stack.choice.shape, -1, np.int64)
    width = stack.longest - length
    if width <= 0:
        return numbers
    first = stack.choice[:, :width]
    number = np.zeros(first.shape, np.int64)
    for place in range(length):
        there = slice(place, place + width)
        other = stack.choice[:, there] != (1 if sides else first)
        number = number * 4 + 2 * other + (stack.reward[:, there] == 0)
    numbers[:, length:] = number
    return np.where(stack.from_trial(length + 1), numbers, -1)


def averages(numbers: Ints, values: Floats, size: int) -> tuple[Ints, Floats]:
    """Return number of trials and mean of the values for each word; the mean is NaN without trials."""
    known = numbers >= 0
    n = np.bincount(numbers[known], minlength=size)
    return n, ratio(np.bincount(numbers[known], values[known], size), n)


def switch_table(stack: Stack, length: int = LENGTH) -> WordTable:
    """Return the table of switches after each word of the symmetric code."""
    names = words("AB", length)
    n, p = averages(spelled(stack, length), stack.switched.astype(float), len(names))
    return WordTable(names, n, p, np.sqrt(ratio(p * (1 - p), n)), *wilson(p, n))


def ngram(stack: Stack, length: int = LENGTH) -> dict[str, object]:
    """Return the table in the format of the model ``ngram``. Raises ``ConfigError`` without two trials in a row."""
    table = switch_table(stack, length)
    pairs = int(stack.from_trial(2).sum())
    if not pairs:
        raise ConfigError("a table of history words needs two completed trials in a row; no session has them")
    return {
        "format": 1,
        "kind": "ngram",
        "length": length,
        "p_switch": round(int(stack.switched.sum()) / pairs, 6),
        "words": {
            word: {"n": int(n), "p_switch": round(float(p), 6)}
            for word, n, p in zip(table.word, table.n, table.p_switch, strict=True)
            if n
        },
    }


def side_policy(stack: Stack, length: int = LENGTH) -> Floats:
    """Return P(left) after each word of sides, clipped; one half for words that did not occur."""
    _, p = averages(spelled(stack, length, sides=True), (stack.choice > 0).astype(float), 4**length)
    return np.clip(np.where(np.isnan(p), 0.5, p), CLIP, 1 - CLIP)


def side_log_odds(stack: Stack, policy: Floats, length: int = LENGTH) -> Floats:
    """Return the log-odds of left of a policy of sides on every trial; 0 where the session has no such history."""
    numbers = spelled(stack, length, sides=True)
    return np.where(numbers >= 0, np.log(policy / (1 - policy))[numbers], 0.0)
