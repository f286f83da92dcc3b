"""Division of sessions into training and test sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Ints

TEST_ENDINGS = (2, 5, 8)
TEST_SHARE = 0.3
"""Share of test sessions (Beron et al. 2022: 70 % of the sessions train, 30 % test)."""


@dataclass(frozen=True, eq=False)
class SessionSplit:
    """Indices of training and test sessions; both are all sessions if ``in_sample``."""

    train: Ints
    test: Ints
    in_sample: bool
    rule: str


def split(names: Sequence[str], seed: int | None = None) -> SessionSplit:
    """Return the division of sessions by their sorted names, or at random with a seed.

    If either part would be empty, all sessions are in both parts.
    """
    order = np.argsort(np.array(names), kind="stable")
    # By default no random numbers: two people with the same files get the same likelihoods. Sorted names put the
    # sessions of a subject together, so a subject with four sessions or more has some in each part.
    if seed is None:
        rule = f"names sorted, session i (from 0) is a test session if i mod 10 is one of {_listed(TEST_ENDINGS)}"
        for_test = np.isin(np.arange(len(names)) % 10, TEST_ENDINGS)
    else:
        rule = f"{TEST_SHARE:.0%} of the sessions at random, seed {seed}"
        chosen = np.random.default_rng(seed).permutation(len(names))
        for_test = np.isin(np.arange(len(names)), chosen[: round(TEST_SHARE * len(names))])
    if not for_test.any() or for_test.all():
        everything = np.sort(order)
        return SessionSplit(everything, everything, True, "in sample: too few sessions for a test set")
    return SessionSplit(np.sort(order[~for_test]), np.sort(order[for_test]), False, rule)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
