"""Many sessions as one array, one row each, so that a model runs through all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from rig.analysis.common.arrays import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Stack:
    """Arrays of sessions x trials; entries after a session's end are 0, and windows do not cross rows.

    ``choice`` is +1 for left and -1 for right. ``high`` has the same code, and 0 where both ports have the same odds.
    ``reward`` is 1 or 0. ``skipped`` is the number of trials dropped at the start of each session.
    """

    choice: Floats
    reward: Floats
    high: Floats
    lengths: Ints
    skipped: Ints

    @classmethod
    def of(cls, sessions: Sequence[ChoiceSession]) -> Stack:
        """Build the arrays of sessions."""
        lengths = np.array([session.trials for session in sessions], np.int64)
        shape = (len(sessions), int(lengths.max(initial=0)))
        choice, reward, high = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for row, session in enumerate(sessions):
            choice[row, : session.trials] = session.choice
            reward[row, : session.trials] = session.reward
            high[row, : session.trials] = session.high
        return cls(choice, reward, high, lengths, np.array([session.skipped for session in sessions], np.int64))

    def rows(self, wanted: Ints) -> Stack:
        """Return the sessions at the indices ``wanted``, as long as their longest."""
        longest = int(self.lengths[wanted].max(initial=0))
        choice, reward, high = (each[wanted, :longest] for each in (self.choice, self.reward, self.high))
        return Stack(choice, reward, high, self.lengths[wanted], self.skipped[wanted])

    @property
    def sessions(self) -> int:
        """Return the number of sessions."""
        return len(self.lengths)

    @property
    def longest(self) -> int:
        """Return the number of trials of the longest session."""
        return int(self.choice.shape[1])

    def from_trial(self, first: int) -> Flags:
        """Return a mask of the trials of every session from trial ``first``, counted from 1, to its last."""
        trial = np.arange(1, self.longest + 1)
        return (trial >= first) & (trial <= self.lengths[:, None])

    @property
    def switched(self) -> Flags:
        """Return a mask of the trials whose choice differs from the one before; false on a session's first."""
        found = np.zeros(self.choice.shape, bool)
        found[:, 1:] = self.choice[:, 1:] * self.choice[:, :-1] < 0
        return found

    @property
    def flipped(self) -> Flags:
        """Return a mask of the first trial of every block except a session's first block."""
        found = np.zeros(self.choice.shape, bool)
        found[:, 1:] = self.high[:, 1:] * self.high[:, :-1] < 0
        return found
