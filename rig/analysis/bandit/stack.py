"""Many sessions side by side: one row each, as long as the longest, so that a model walks through all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.sessions import Session
from rig.analysis.common.arrays import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Stack:
    """Sessions x trials; beyond a session's end everything is 0, and no window ever leaves a row.

    ``choice`` is +1 for left and -1 for right, ``high`` likewise and 0 where both ports pay alike, ``reward`` 1 or 0.
    ``skipped`` trials of each session came before its first here.
    """

    choice: Floats
    reward: Floats
    high: Floats
    lengths: Ints
    skipped: Ints

    @classmethod
    def of(cls, sessions: Sequence[Session]) -> Stack:
        """Put sessions side by side."""
        lengths = np.array([session.trials for session in sessions], np.int64)
        shape = (len(sessions), int(lengths.max(initial=0)))
        choice, reward, high = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for row, session in enumerate(sessions):
            choice[row, : session.trials] = session.choice
            reward[row, : session.trials] = session.reward
            high[row, : session.trials] = session.high
        return cls(choice, reward, high, lengths, np.array([session.skipped for session in sessions], np.int64))

    def rows(self, wanted: Ints) -> Stack:
        """Take some of the sessions."""
        longest = int(self.lengths[wanted].max(initial=0))
        choice, reward, high = (each[wanted, :longest] for each in (self.choice, self.reward, self.high))
        return Stack(choice, reward, high, self.lengths[wanted], self.skipped[wanted])

    @property
    def sessions(self) -> int:
        """Count the sessions."""
        return len(self.lengths)

    @property
    def longest(self) -> int:
        """Count the trials of the longest session."""
        return int(self.choice.shape[1])

    def from_trial(self, first: int) -> Flags:
        """Mark the trials of every session from its ``first``, counted from 1, to its last."""
        trial = np.arange(1, self.longest + 1)
        return (trial >= first) & (trial <= self.lengths[:, None])

    @property
    def switched(self) -> Flags:
        """Mark the trials whose choice differs from the one before; never a session's first."""
        found = np.zeros(self.choice.shape, bool)
        found[:, 1:] = self.choice[:, 1:] * self.choice[:, :-1] < 0
        return found

    @property
    def flipped(self) -> Flags:
        """Mark the first trial of every block but a session's first."""
        found = np.zeros(self.choice.shape, bool)
        found[:, 1:] = self.high[:, 1:] * self.high[:, :-1] < 0
        return found
