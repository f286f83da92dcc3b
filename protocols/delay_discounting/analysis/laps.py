"""One session of delay discounting as arrays over its laps; interrupted laps are excluded first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from protocols.delay_discounting.analysis.track import Pass, Path
from protocols.delay_discounting.tables.laps import RUN, TIMES
from rig.analysis.common.arrays import Flags, Floats, Ints, column
from rig.core.errors import ConfigError

UNKNOWN_RATIO = "unknown"


@dataclass(frozen=True, eq=False)
class Laps:
    """Laps in order; times in seconds, NaN where unknown.

    ``in_force_s`` is the delay of the delayed side, whichever side was visited. ``idphi`` is the turning of the rat at
    the choice point, in radians; ``pause_s`` is the time that it stood there. Both are NaN on laps without tracking.
    ``paths_cm`` are the paths past the choice point, one per lap; empty without a track.
    """

    name: str
    subject: str
    lap: Ints
    left: Flags
    delayed: Flags
    in_force_s: Floats
    rewarded: Flags
    pellets: Floats
    large_pellets: Floats
    choice_enter_s: Floats
    choice_exit_s: Floats
    end_s: Floats
    tracking_ok: Flags
    idphi: Floats
    pause_s: Floats
    paths_cm: tuple[Path, ...] = ()

    @property
    def trials(self) -> int:
        """Return the number of laps."""
        return len(self.lap)

    @property
    def ratio(self) -> float:
        """Return the reward of the delayed side divided by that of the other side; NaN if it is unknown.

        Both are the most frequent numbers of pellets, unless the table has ``large_pellets``.
        """
        # The most frequent number: a feeder that jammed once must not change the ratio of the session.
        large = _usual(self.large_pellets, _usual(self.pellets[self.delayed & self.rewarded]))
        return large / _usual(self.pellets[~self.delayed & self.rewarded], 1.0)

    @property
    def condition(self) -> str:
        """Return the name of the ratio of the rewards, such as 3:1."""
        return UNKNOWN_RATIO if math.isnan(self.ratio) else f"{self.ratio:g}:1"

    @property
    def delayed_left(self) -> bool | None:
        """Whether the left side was the delayed one; None without a lap."""
        return bool(self.left[0] == self.delayed[0]) if self.trials else None

    @property
    def typed(self) -> Flags:
        """Return a mask of the laps that have a type: those whose previous lap is in the table."""
        # An interrupted lap is a gap in the numbers; the side before it is unknown.
        return np.append(False, np.diff(self.lap) == 1) if self.trials else np.zeros(0, bool)

    @property
    def adjusted(self) -> Flags:
        """Return a mask of laps to the side of the previous lap (adjustment); other typed laps are alternations."""
        same = np.append(False, self.left[1:] == self.left[:-1]) if self.trials else np.zeros(0, bool)
        return same & self.typed

    @property
    def duration_s(self) -> Floats:
        """Return the duration of every lap, from the end of the previous lap; NaN for the first."""
        before = np.append(math.nan, self.end_s[:-1]) if self.trials else self.end_s
        return np.where(self.typed, self.end_s - before, math.nan)

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal for two sessions only if sides, delays and times are equal."""
        return b"/".join(part.tobytes() for part in (self.left, self.delayed, self.in_force_s, self.end_s))

    def unturned(self) -> Laps:
        """Return the session without IdPhi, for tracks of a light on the back."""
        return replace(self, idphi=np.full(self.trials, np.nan))

    def with_passes(self, passes: Sequence[Pass]) -> Laps:
        """Return the session with IdPhi, pause and path of each pass; one pass per lap."""
        return replace(
            self,
            idphi=np.array([each.idphi for each in passes], float),
            pause_s=np.array([each.pause_s for each in passes], float),
            paths_cm=tuple(each.path_cm for each in passes),
        )


def _usual(pellets: Floats, default: float = math.nan) -> float:
    amounts, often = np.unique(pellets[pellets > 0], return_counts=True)
    return float(amounts[np.argmax(often)]) if amounts.size else default


def of_rows(name: str, subject: str, rows: Iterable[Mapping[str, Any]]) -> Laps:
    """Build a session of the rows of its lap table. Raises ``ConfigError`` if a row is not a lap."""
    done = [row for row in rows if row.get("outcome") in RUN]
    try:
        _check_order([row["lap"] for row in done])
        time_s = {each: column(done, each) for each in TIMES}
        return Laps(
            name=name,
            subject=subject,
            lap=np.array([row["lap"] for row in done], np.int64),
            left=np.array([("right", "left").index(row["side"]) for row in done], bool),
            delayed=np.array([row["is_delayed_side"] for row in done], bool),
            in_force_s=np.array([float(row["delay_before_s"]) for row in done]),
            rewarded=np.array([row["outcome"] == "rewarded" for row in done], bool),
            pellets=column(done, "pellets"),
            large_pellets=column(done, "large_pellets"),
            choice_enter_s=time_s["t_choice_enter"],
            # The pass ends before the reward site: samples after the countdown starts are excluded, as in the paper.
            choice_exit_s=np.fmin(time_s["t_choice_exit"], time_s["t_site_enter"]),
            end_s=time_s["t_lap_end"],
            tracking_ok=np.array([row.get("tracking_ok") in (None, True) for row in done], bool),
            idphi=column(done, "idphi"),
            pause_s=column(done, "pause_s"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{name}: a row of its lap table cannot be read ({error}): wanted left or right as side, laps from 1 "
            "in order, and numbers as pellets and delay_before_s"
        ) from None


def _check_order(laps: Sequence[int]) -> None:
    for before, lap in pairwise((0, *laps)):
        if lap <= before:
            raise ValueError(f"lap {lap} comes after lap {before}" if before else f"there is a lap {lap}")
