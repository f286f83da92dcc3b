"""Sessions of the disk bandit, as arrays of their pecks, or of a person's clicks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rig.analysis.common.arrays import Flags, Floats, Ints, column
from rig.core.errors import ConfigError
from rig.importers.pecks import MOST_BLOCKS, PLACES

RESPOND = "respond"
"""The phase in which a disk can be chosen; pecks in any other are counted and left out."""

BLOCK_S = 300.0
"""Blocks of the pigeons, which a group's name leaves unsaid."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """What each location of the ring paid: NaN where it was dark, or where nothing is known.

    ``vi_s`` is today's, ``prev_vi_s`` that of the session before, ``p_reward`` the odds of a peck instead of a VI.
    """

    vi_s: Floats
    prev_vi_s: Floats
    p_reward: Floats

    @property
    def shown(self) -> Flags:
        """Return where there was a disk."""
        return np.isfinite(self.vi_s) | np.isfinite(self.p_reward)

    @property
    def pay(self) -> Floats:
        """Return the VI, or the odds where there is none."""
        return np.where(np.isfinite(self.vi_s), self.vi_s, self.p_reward)

    @property
    def value(self) -> Floats:
        """Return what Luce's rule weighs: ln(1/VI), or the logarithm of the odds (minus infinity of none)."""
        with np.errstate(divide="ignore"):
            return np.where(np.isfinite(self.vi_s), -np.log(self.vi_s), np.log(self.p_reward))

    @property
    def prev_value(self) -> Floats:
        """Return the same of the session before."""
        return -np.log(self.prev_vi_s)


@dataclass(frozen=True, eq=False)
class Pecks:
    """One session's pecks in their order.

    ``number`` is a person's session within one visit, 1 of a pigeon. ``blocks`` were planned, each of ``block_s``; 0
    and NaN if that is not known. ``told``: the assignment is the record's own; ``placed``: every VI's location is
    known, be it told or inferred. ``hopper_s`` is how long the hopper was to be up, NaN without one or if unknown.
    """

    name: str
    subject: str
    number: int
    time_s: Floats
    x_cm: Floats
    y_cm: Floats
    disk: Ints
    on_target: Flags
    rewarded: Flags
    block: Ints
    phase: tuple[str, ...]
    latency_s: Floats
    assignment: Assignment
    blocks: int = 0
    block_s: float = math.nan
    hopper_s: float = math.nan
    told: bool = False
    placed: bool = True

    @cached_property
    def respond(self) -> Flags:
        """Return which pecks came while a disk could be chosen."""
        return np.array([phase == RESPOND for phase in self.phase], bool)

    @cached_property
    def chosen(self) -> Flags:
        """Return which pecks are choices among the ring's disks: all that follows is made of these."""
        return self.on_target & self.respond & (self.disk >= 0) & (self.disk < PLACES)

    @property
    def left_out(self) -> Counter[str]:
        """Count the pecks that are no choices, by why."""
        kinds = np.where(~self.respond, np.array(self.phase, object), np.where(self.chosen, "", "off target"))
        kinds = np.where(self.respond & self.on_target & (self.disk == PLACES), "center", kinds)
        return Counter(kind for kind in kinds.tolist() if kind)

    @property
    def condition(self) -> str:
        """Name what the disks paid, such as ``8 disks, VI 3-6561 s``; blocks are named if they are not of 300 s."""
        shown = int(self.assignment.shown.sum())
        if shown < 2:
            return "one disk" if self.disk.size else "no pecks"
        vi_s = self.assignment.vi_s[np.isfinite(self.assignment.vi_s)]
        p = self.assignment.p_reward[np.isfinite(self.assignment.p_reward)]
        pay = f"VI {vi_s.min():g}-{vi_s.max():g} s" if vi_s.size else f"p {p.min():g}-{p.max():g}"
        usual = math.isnan(self.block_s) or self.block_s == BLOCK_S
        return f"{shown} disks, {pay}" + ("" if usual else f", blocks of {self.block_s:g} s")


@dataclass(frozen=True, eq=False)
class Visit:
    """What one record holds: a session, or the sessions of a person in their order."""

    name: str
    subject: str
    sessions: tuple[Pecks, ...]

    @property
    def trials(self) -> int:
        """Count the pecks, of whatever kind."""
        return sum(len(pecks.disk) for pecks in self.sessions)

    @property
    def fingerprint(self) -> bytes:
        """Return what two visits have in common only when they are the same one."""
        return b"/".join(part.tobytes() for pecks in self.sessions for part in (pecks.time_s, pecks.disk, pecks.x_cm))

    def named(self) -> list[Pecks]:
        """Return the sessions, named after the visit."""
        if len(self.sessions) == 1:
            return [replace(self.sessions[0], name=self.name)]
        return [replace(pecks, name=f"{self.name} #{pecks.number}") for pecks in self.sessions]


def of_rows(name: str, subject: str, rows: Iterable[Mapping[str, Any]]) -> Visit:
    """Build a visit of the rows of its peck table. Raises ``ConfigError`` when a row is no peck."""
    parts: dict[int, list[Mapping[str, Any]]] = {}
    try:
        for row in rows:
            parts.setdefault(int(row.get("session") or 1), []).append(row)
        sessions = tuple(_session(name, subject, number, own) for number, own in sorted(parts.items() or [(1, [])]))
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{name}: a row of its peck table cannot be understood ({error}): wanted disks from -1 to {PLACES}, blocks "
            "from 1, numbers as t, x_cm and y_cm, and one vi_s for each disk of a session"
        ) from None
    return Visit(name, subject, sessions)


def _session(name: str, subject: str, number: int, rows: Sequence[Mapping[str, Any]]) -> Pecks:
    disk = np.array([int(row["disk"]) for row in rows], np.int64)
    block = np.array([int(row["block"]) for row in rows], np.int64)
    _check("disk", disk, -1, PLACES)
    _check("block", block, 1, MOST_BLOCKS)
    on_ring = [row for row in rows if 0 <= int(row["disk"]) < PLACES]
    return Pecks(
        name=name,
        subject=subject,
        number=number,
        time_s=np.array([float(row["t"]) for row in rows]),
        x_cm=column(rows, "x_cm"),
        y_cm=column(rows, "y_cm"),
        disk=disk,
        on_target=np.array([bool(row["on_target"]) for row in rows], bool),
        rewarded=np.array([bool(row["rewarded"]) for row in rows], bool),
        block=block,
        phase=tuple(str(row["phase"]) for row in rows),
        latency_s=column(rows, "latency_s"),
        assignment=Assignment(*(_by_place(on_ring, each) for each in ("vi_s", "prev_vi_s", "p_reward"))),
        placed=False,
    )


def _check(name: str, values: Ints, low: int, high: int) -> None:
    for value in values[(values < low) | (values > high)]:
        raise ValueError(f"there is a {name} {value}")


def _by_place(rows: Sequence[Mapping[str, Any]], name: str) -> Floats:
    """Read off the pecks what every location had; what was never pecked stays unknown."""
    found = np.full(PLACES, math.nan)
    for row in rows:
        value, place = row.get(name), int(row["disk"])
        if value is None:
            continue
        if np.isfinite(found[place]) and found[place] != value:
            raise ValueError(f"{name} of disk {place} is {found[place]:g} and {value:g} in one session")
        found[place] = float(value)
    return found
