"""Data that every recorded session has: trials with times and outcomes, and amounts delivered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Flags, Floats
from rig.core.model.microseconds import to_s
from rig.core.model.rows import TRIAL_TABLE
from rig.records.recorded_session import RecordedSession

AMOUNTS = {"ul": "µl", "pellets": "pellets", "access_s": "s of access"}
"""Unit of each amount in the footer, by field."""


@dataclass(frozen=True, eq=False)
class SessionRecord:
    """One session; ``end_s`` is the time at which each trial's row was complete.

    ``rewarded`` is None if the table does not have it. ``given`` has amounts by the fields of ``AMOUNTS``; it is empty
    for a session without a footer.
    """

    name: str
    subject: str
    protocol: str
    start: str
    reason: str
    duration_s: float
    end_s: Floats
    outcome: tuple[str, ...]
    rewarded: Flags | None
    rewards: int
    given: dict[str, float]

    @property
    def trials(self) -> int:
        """Return the number of rows of the trial table."""
        return len(self.end_s)

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal for two sessions only if start, times and outcomes are equal."""
        return b"/".join((self.start.encode(), self.end_s.tobytes(), "".join(self.outcome).encode()))

    @property
    def outcomes(self) -> dict[str, int]:
        """Return the number of trials by outcome, the most frequent first."""
        return dict(Counter(outcome for outcome in self.outcome if outcome).most_common())

    @property
    def rewarded_trials(self) -> int:
        """Return the number of rewarded trials."""
        return 0 if self.rewarded is None else int(self.rewarded.sum())


def of_session(session: RecordedSession) -> SessionRecord:
    """Return the trials and the amounts of a session."""
    footer, rows = session.footer, session.rows()
    end_s = np.array([to_s(t_us) for t_us in session.recorded_tables[TRIAL_TABLE].times_us], float)
    given = {} if footer is None else {name: float(getattr(footer, name)) for name in AMOUNTS}
    return SessionRecord(
        name=session.full_name,
        subject=session.subject_label,
        protocol=session.header.protocol_name,
        start=session.header.start or "",
        reason="" if footer is None else footer.reason,
        # A session that crashed has no footer; its last row is the last time known.
        duration_s=float(end_s.max(initial=0.0)) if footer is None else to_s(footer.t_us),
        end_s=end_s,
        outcome=tuple(str(row.get("outcome", "")) for row in rows),
        rewarded=_rewarded(rows),
        rewards=0 if footer is None else footer.rewards,
        given={name: amount for name, amount in given.items() if amount},
    )


def _rewarded(rows: list[dict[str, object]]) -> Flags | None:
    """Return a mask of rewarded trials, from a column ``rewarded`` or from the outcome; None without either."""
    if rows and all("rewarded" in row for row in rows):
        return np.array([bool(row["rewarded"]) for row in rows], bool)
    outcomes = [row.get("outcome") for row in rows]
    return np.array([outcome == "rewarded" for outcome in outcomes], bool) if "rewarded" in outcomes else None
