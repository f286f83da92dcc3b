"""Learners that follow a rule or a table: a coin, win-stay lose-shift, and the words of an n-gram."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from protocols.two_armed_bandit.subjects.learners.base import Learner, logit


class FixedProbability(Learner):
    """Chooses left with a constant probability ``p``, from the first choice on."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self._p = p

    def evidence(self) -> float:
        """Return the log-odds of ``p``."""
        return logit(self._p)

    def p_left(self) -> float:
        """Return ``p``."""
        return self._p

    def update(self, choice: int, reward: int) -> None:
        """Return at once: nothing is learned."""


class WinStayLoseShift(Learner):
    """Repeats what was rewarded, changes after what was not."""

    def __init__(self) -> None:
        super().__init__()
        self._side = 0

    def evidence(self) -> float:
        """Return infinite log-odds once there is a last trial."""
        return self._side * math.inf if self._side else 0.0

    def update(self, choice: int, reward: int) -> None:
        """Set the next side."""
        self._side = choice if reward else -choice


class NgramLearner(Learner):
    """Switches with the probability of a table, given the last ``length`` trials (Beron et al. 2022, history code).

    A letter is a trial: A for the side of the first trial of the word, B for the other one; upper case was rewarded.
    A word that the table does not have, and a history that is too short for a word, have the marginal.
    """

    def __init__(self, length: int, marginal: float, p_switch: Mapping[str, float]) -> None:
        super().__init__()
        self._marginal = marginal
        self._p_switch = dict(p_switch)
        self._past: deque[tuple[int, int]] = deque(maxlen=length)

    def word(self) -> str:
        """Return the word of the last trials; empty while they are too few."""
        if len(self._past) < (self._past.maxlen or 0):
            return ""
        first = self._past[0][0]
        letters = ("A" if choice == first else "B" for choice, _ in self._past)
        return "".join(
            letter if reward else letter.lower() for letter, (_, reward) in zip(letters, self._past, strict=True)
        )

    def p_switch(self) -> float:
        """Return the probability of a change of side now."""
        return self._p_switch.get(self.word(), self._marginal)

    def evidence(self) -> float:
        """Return the log-odds of left for that probability of a switch."""
        return -self._past[-1][0] * logit(self.p_switch()) if self._past else 0.0

    def update(self, choice: int, reward: int) -> None:
        """Add the trial to the history."""
        self._past.append((choice, reward))
