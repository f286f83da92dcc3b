"""Sessions in the authors' published formats: one table of all trials, and one file of decisions per session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from protocols.two_armed_bandit.analysis.blocks import since_flip
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.core.journal.cells import csv_text, escape_formula

TABLE = (
    *("Trial", "blockTrial", "Decision", "Switch", "Reward", "Condition", "Target", "blockLength", "Session", "Mouse"),
)
"""Columns of the authors' table (repository of the models, Beron et al. 2022). Decision and Target are 1 for left."""


def trial_table(sessions: Sequence[ChoiceSession]) -> str:
    """Return all trials of all sessions as CSV; the first block numbers its trials from 1, later blocks from 0.

    Switch is empty on a session's first trial. Target is empty while both ports have the same odds.
    """
    return csv_text([TABLE, *(row for session in sessions for row in _rows(session))])


def _rows(session: ChoiceSession) -> Iterator[list[str]]:
    stack = Stack.of([session])
    since = since_flip(stack)[0]
    first = np.arange(1, session.trials + 1) + session.skipped
    # The authors' numbering: their first block starts at 1, because their table counts trials, later ones at the swap.
    block = np.where(since >= 0, since, first)
    lengths = _block_lengths(stack.flipped[0])
    for place in range(session.trials):
        switch = "" if place == 0 else str(int(session.choice[place] != session.choice[place - 1]))
        high = int(session.high[place])
        yield [
            *(str(value) for value in (first[place], block[place], int(session.choice[place] > 0))),
            *(switch, str(int(session.reward[place])), session.condition),
            *("" if high == 0 else str(int(high > 0)), str(lengths[place])),
            *(escape_formula(session.name), escape_formula(session.subject)),
        ]


def _block_lengths(flipped: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[int]:
    block = np.cumsum(flipped)
    return [int(length) for length in np.bincount(block)[block]]


def decision_file(session: ChoiceSession) -> str | None:
    """Return a session as a file of decisions; None where the odds changed by more than a swap.

    The format has one pair of odds per session.
    """
    if session.odds is None:
        return None
    return csv_text([COLUMNS, *(_decision(session, place) for place in range(session.trials))])


def _decision(session: ChoiceSession, place: int) -> list[str]:
    high, low = session.odds or (0.0, 0.0)
    left = session.choice[place] > 0
    p_left, p_right = (high, low) if session.high[place] >= 0 else (low, high)
    times = (session.time_s[place], session.initiation_s[place], session.latency_s[place])
    return [
        # The authors' files write 0 for a missing time: the first trial of a session has no earlier poke.
        *("0" if np.isnan(value) else f"{value:.6g}" for value in times),
        *("2" if left else "1", f"{p_right:g}", f"{p_left:g}", str(int(session.reward[place]))),
    ]
