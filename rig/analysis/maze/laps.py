"""One session of delay discounting, as arrays of its laps; one that was cut is left out before anything is counted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from rig.analysis.common.arrays import Flags, Floats, Ints, column
from rig.analysis.maze.track import Pass, Path
from rig.core.errors import ConfigError
from rig.importers.laps import RUN, TIMES

UNKNOWN_RATIO = "unknown"


@dataclass(frozen=True, eq=False)
class Laps:
    """Laps in their order; times in seconds, NaN where unknown.

    ``in_force_s`` is the delay that the delayed side had, whichever side was visited. ``idphi`` is how much the rat
    turned at the choice point, in radians, ``pause_s`` how long it stood there; both are NaN where they were not
    tracked. ``paths_cm`` are the ways past the choice point, one a lap; none at all without a track.
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
        """Count the laps."""
        return len(self.lap)

    @property
    def ratio(self) -> float:
        """Divide what the delayed side gives by what the other gives; NaN if that was never seen.

        Both are the most frequent amounts, unless the table says what the large reward was to be.
        """
        large = _usual(self.large_pellets, _usual(self.pellets[self.delayed & self.rewarded]))
        return large / _usual(self.pellets[~self.delayed & self.rewarded], 1.0)

    @property
    def condition(self) -> str:
        """Name the ratio of the rewards, such as 3:1."""
        return UNKNOWN_RATIO if math.isnan(self.ratio) else f"{self.ratio:g}:1"

    @property
    def delayed_left(self) -> bool | None:
        """Whether the left side was the delayed one; None without a lap."""
        return bool(self.left[0] == self.delayed[0]) if self.trials else None

    @property
    def typed(self) -> Flags:
        """Return which laps have a type: those whose previous lap is known, so never the first."""
        return np.append(False, np.diff(self.lap) == 1) if self.trials else np.zeros(0, bool)

    @property
    def adjusted(self) -> Flags:
        """Return which laps went to the side of the lap before (adjustment); other typed laps are alternations."""
        same = np.append(False, self.left[1:] == self.left[:-1]) if self.trials else np.zeros(0, bool)
        return same & self.typed

    @property
    def duration_s(self) -> Floats:
        """Time every lap from the end of the one before."""
        before = np.append(math.nan, self.end_s[:-1]) if self.trials else self.end_s
        return np.where(self.typed, self.end_s - before, math.nan)

    @property
    def fingerprint(self) -> bytes:
        """Return what two sessions have in common only when they are the same one."""
        return b"/".join(part.tobytes() for part in (self.left, self.delayed, self.in_force_s, self.end_s))

    def unturned(self) -> Laps:
        """Forget how much the rat turned: a light on its back does not tell."""
        return replace(self, idphi=np.full(self.trials, np.nan))

    def with_passes(self, passes: Sequence[Pass]) -> Laps:
        """Add what was found on the way past the choice point, one pass a lap."""
        return replace(
            self,
            idphi=np.array([each.idphi for each in passes], float),
            pause_s=np.array([each.pause_s for each in passes], float),
            paths_cm=tuple(each.path_cm for each in passes),
        )


def _usual(pellets: Floats, unseen: float = math.nan) -> float:
    amounts, often = np.unique(pellets[pellets > 0], return_counts=True)
    return float(amounts[np.argmax(often)]) if amounts.size else unseen


def of_rows(name: str, subject: str, rows: Iterable[Mapping[str, Any]]) -> Laps:
    """Build a session of the rows of its lap table. Raises ``ConfigError`` when a row is no lap."""
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
            choice_exit_s=np.fmin(time_s["t_choice_exit"], time_s["t_site_enter"]),
            end_s=time_s["t_lap_end"],
            tracking_ok=np.array([row.get("tracking_ok") in (None, True) for row in done], bool),
            idphi=column(done, "idphi"),
            pause_s=column(done, "pause_s"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{name}: a row of its lap table cannot be understood ({error}): wanted left or right as side, laps from 1 "
            "in their order, and numbers as pellets and delay_before_s"
        ) from None


def _check_order(laps: Sequence[int]) -> None:
    for before, lap in pairwise((0, *laps)):
        if lap <= before:
            raise ValueError(f"lap {lap} comes after lap {before}" if before else f"there is a lap {lap}")
