"""One session of a two-armed bandit as arrays over its completed trials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from protocols.two_armed_bandit.tables.decisions import Decision, read_decisions
from rig.analysis.common.arrays import Floats, Signs, column
from rig.core.errors import ConfigError

COMPLETED = ("rewarded", "unrewarded")
"""Outcomes of completed trials. Omissions and aborted trials are excluded first, as in the published tables."""

NEEDED = ("choice", "outcome", "high_side", "p_left", "p_right", "t_center_in", "t_side_in", "latency_s")
"""Columns that a trial table of a two-armed bandit must have."""

MIXED = "mixed"
"""Condition of a session whose probabilities changed by more than a swap."""

BY_DECISION = "decision to decision"
BY_CENTER = "center to center"

_SIGN = {"left": 1, "right": -1, "": 0}


@dataclass(frozen=True, eq=False)
class ChoiceSession:
    """Completed trials in order; times in seconds, NaN where unknown.

    ``choice`` is +1 for left and -1 for right. ``high`` has the same code, and 0 where both ports have the same odds.
    ``reward`` is 1 or 0. ``duration_s`` is from an event of a trial to the same event of the next trial;
    ``duration_from`` names the event. ``odds`` are the high and the low reward probability, None if they changed by
    more than a swap. ``skipped`` trials were dropped before the first.
    """

    name: str
    subject: str
    odds: tuple[float, float] | None
    choice: Signs
    reward: Signs
    high: Signs
    time_s: Floats
    latency_s: Floats
    initiation_s: Floats
    duration_s: Floats
    duration_from: str
    skipped: int = 0

    @property
    def trials(self) -> int:
        """Return the number of completed trials."""
        return len(self.choice)

    @property
    def condition(self) -> str:
        """Return the name of the condition: the two probabilities in percent, such as 80-20, or ``MIXED``."""
        return MIXED if self.odds is None else "-".join(f"{100 * p:g}" for p in self.odds)

    def without_first(self, count: int) -> ChoiceSession:
        """Return the session without its first ``count`` trials; the authors' published table drops ten."""
        return replace(self._between(count, None), skipped=self.skipped + min(count, self.trials))

    def before(self, end_s: float) -> ChoiceSession:
        """Return the trials whose choice was within ``end_s`` of the first choice."""
        return self._between(0, int(np.searchsorted(self.time_s - self.time_s[:1], end_s)))

    def _between(self, first: int, stop: int | None) -> ChoiceSession:
        arrays = ("choice", "reward", "high", "time_s", "latency_s", "initiation_s", "duration_s")
        return replace(self, **{name: getattr(self, name)[first:stop] for name in arrays})

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal for two sessions only if choices, rewards and times are equal."""
        return b"/".join(part.tobytes() for part in (self.choice, self.reward, self.time_s))


def of_file(path: Path) -> ChoiceSession:
    """Read a session in the public format, from a file named SUBJECT_…csv. Raises ``ConfigError``."""
    return of_decisions(path.stem, path.stem.partition("_")[0], read_decisions(path))


def of_decisions(name: str, subject: str, decisions: Sequence[Decision]) -> ChoiceSession:
    """Build a session of a file in the public format; a trial lasts from decision to decision.

    A time of 0 since the last poke in the first row is a placeholder and becomes NaN.
    """
    # The authors' program writes 0 when a session's first poke started its first trial. The smallest true time
    # is 1.015 s: the inter-trial interval is 1 s.
    initiation_s = np.array([row.since_last_poke_s for row in decisions])
    if initiation_s.size and initiation_s[0] == 0:
        initiation_s[0] = np.nan
    time_s = np.array([row.decision_s for row in decisions])
    return ChoiceSession(
        name=name,
        subject=subject,
        odds=_odds((row.p_left, row.p_right) for row in decisions),
        choice=np.array([_SIGN[row.side] for row in decisions], np.int8),
        reward=np.array([row.reward for row in decisions], np.int8),
        high=np.array([np.sign(row.p_left - row.p_right) for row in decisions], np.int8),
        time_s=time_s,
        latency_s=np.array([row.center_to_side_s for row in decisions]),
        initiation_s=initiation_s,
        # Not latency + initiation: ``decision_s`` has five significant digits, so differences below .1 s are rounding.
        duration_s=_until_next(time_s),
        duration_from=BY_DECISION,
    )


def of_rows(name: str, subject: str, rows: Iterable[Mapping[str, Any]]) -> ChoiceSession:
    """Build a session of the rows of its trial table; a trial lasts from center poke to center poke.

    Raises ``ConfigError`` if a row is not of a two-armed bandit.
    """
    done = [row for row in rows if row.get("outcome") in COMPLETED]
    try:
        return ChoiceSession(
            name=name,
            subject=subject,
            odds=_odds((row["p_left"], row["p_right"]) for row in done),
            choice=np.array([_SIGN[row["choice"]] for row in done], np.int8),
            reward=np.array([row["outcome"] == "rewarded" for row in done], np.int8),
            high=np.array([_SIGN[row["high_side"]] for row in done], np.int8),
            time_s=column(done, "t_side_in"),
            latency_s=column(done, "latency_s"),
            initiation_s=column(done, "initiation_s"),
            duration_s=_until_next(column(done, "t_center_in")),
            duration_from=BY_CENTER,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{name}: a row of its trial table cannot be read ({error}): wanted left or right as choice and "
            f"high_side, and numbers as times"
        ) from None


def _until_next(time_s: Floats) -> Floats:
    return np.append(np.diff(time_s), np.nan) if time_s.size else time_s


def _odds(pairs: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    found = {(max(pair), min(pair)) for pair in pairs}
    return found.pop() if len(found) == 1 else None
