"""Which sessions a model learns from, and which it is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Ints

TEST_ENDINGS = (2, 5, 8)
TEST_SHARE = 0.3
"""Three sessions of ten are for testing (Beron et al. 2022)."""


@dataclass(frozen=True, eq=False)
class Split:
    """Places of sessions for training and for testing; both are all of them when ``in_sample``."""

    train: Ints
    test: Ints
    in_sample: bool
    rule: str


def split(names: Sequence[str], seed: int | None = None) -> Split:
    """Divide sessions by their sorted names, or at random by a seed; too few to divide are tested in sample."""
    order = np.argsort(np.array(names), kind="stable")
    if seed is None:
        rule = f"names sorted, the i-th (from 0) is for testing when i mod 10 is one of {_listed(TEST_ENDINGS)}"
        for_test = np.isin(np.arange(len(names)) % 10, TEST_ENDINGS)
    else:
        rule = f"{TEST_SHARE:.0%} of the sessions at random, seed {seed}"
        chosen = np.random.default_rng(seed).permutation(len(names))
        for_test = np.isin(np.arange(len(names)), chosen[: round(TEST_SHARE * len(names))])
    if not for_test.any() or for_test.all():
        everything = np.sort(order)
        return Split(everything, everything, True, "in sample: too few sessions to keep some for testing")
    return Split(np.sort(order[~for_test]), np.sort(order[for_test]), False, rule)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
