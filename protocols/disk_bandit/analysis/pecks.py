"""Sessions of the disk bandit as arrays over pecks, or over the clicks of a person."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from protocols.disk_bandit.tables.pecks import MOST_BLOCKS, PLACES
from rig.analysis.common.arrays import Flags, Floats, Ints, column
from rig.core.errors import ConfigError

RESPOND = "respond"
"""Phase in which a disk can be chosen; pecks in other phases are counted and excluded."""

BLOCK_S = 300.0
"""Length of the pigeons' blocks; a group's name gives the length only if it differs."""


@dataclass(frozen=True, eq=False)
class DiskSchedules:
    """Schedule of each location of the ring; NaN where it was dark or the schedule is unknown.

    ``vi_s`` is of this session, ``prev_vi_s`` of the previous one; ``p_reward`` is the reward probability of a peck on
    disks without a VI.
    """

    vi_s: Floats
    prev_vi_s: Floats
    p_reward: Floats

    @property
    def shown(self) -> Flags:
        """Return a mask of the locations with a disk."""
        return np.isfinite(self.vi_s) | np.isfinite(self.p_reward)

    @property
    def pay(self) -> Floats:
        """Return the VI, or the reward probability of a peck where there is no VI."""
        return np.where(np.isfinite(self.vi_s), self.vi_s, self.p_reward)

    @property
    def value(self) -> Floats:
        """Return the value in Luce's rule: ln(1/VI), or ln of the reward probability (minus infinity for 0)."""
        with np.errstate(divide="ignore"):
            return np.where(np.isfinite(self.vi_s), -np.log(self.vi_s), np.log(self.p_reward))

    @property
    def prev_value(self) -> Floats:
        """Return the value of the previous session's VI."""
        return -np.log(self.prev_vi_s)


@dataclass(frozen=True, eq=False)
class Pecks:
    """Pecks of one session in order.

    ``number`` is a person's session within one visit, 1 for a pigeon. ``blocks`` is the number of planned blocks and
    ``block_s`` their length; 0 and NaN if unknown. ``told`` is true if the record has the assignment, ``placed`` if the
    location of every VI is known, from the record or inferred. ``hopper_s`` is the planned hopper time, NaN if unknown.
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
    assignment: DiskSchedules
    blocks: int = 0
    block_s: float = math.nan
    hopper_s: float = math.nan
    told: bool = False
    placed: bool = True

    @cached_property
    def respond(self) -> Flags:
        """Return a mask of the pecks while a disk could be chosen."""
        return np.array([phase == RESPOND for phase in self.phase], bool)

    @cached_property
    def planned(self) -> Flags:
        """Return a mask of the pecks in planned blocks: all, if no plan is known.

        The last peck may come some milliseconds after the planned end. A block of these would be empty in all others.
        """
        return self.block <= (self.blocks or MOST_BLOCKS)

    @cached_property
    def chosen(self) -> Flags:
        """Return a mask of the pecks that are choices among the disks of the ring; all results use these."""
        return self.on_target & self.respond & self.planned & (self.disk >= 0) & (self.disk < PLACES)

    @property
    def left_out(self) -> Counter[str]:
        """Return the number of pecks that are not choices, by reason."""
        kinds = np.where(~self.respond, np.array(self.phase, object), np.where(self.chosen, "", "off target"))
        # The single disk of autoshaping has the number after the ring's; its pecks are no choice among disks.
        kinds = np.where(self.respond & self.on_target & (self.disk == PLACES), "center", kinds)
        kinds = np.where(self.planned, kinds, "after the planned end")
        return Counter(kind for kind in kinds.tolist() if kind)

    @property
    def condition(self) -> str:
        """Return the name of the condition, such as ``8 disks, VI 3-6561 s``; with the block length if not 300 s."""
        shown = int(self.assignment.shown.sum())
        if shown < 2:
            return "one disk" if self.disk.size else "no pecks"
        vi_s = self.assignment.vi_s[np.isfinite(self.assignment.vi_s)]
        p = self.assignment.p_reward[np.isfinite(self.assignment.p_reward)]
        pay = f"VI {vi_s.min():g}-{vi_s.max():g} s" if vi_s.size else f"p {p.min():g}-{p.max():g}"
        usual = math.isnan(self.block_s) or self.block_s == BLOCK_S
        return f"{shown} disks, {pay}" + ("" if usual else f", blocks of {self.block_s:g} s")


@dataclass(frozen=True, eq=False)
class ParticipantVisit:
    """Content of one record: a session, or the sessions of a person in order."""

    name: str
    subject: str
    sessions: tuple[Pecks, ...]

    @property
    def trials(self) -> int:
        """Return the number of pecks of all kinds."""
        return sum(len(pecks.disk) for pecks in self.sessions)

    @property
    def fingerprint(self) -> bytes:
        """Return bytes that are equal for two visits only if times, disks and positions are equal."""
        return b"/".join(part.tobytes() for pecks in self.sessions for part in (pecks.time_s, pecks.disk, pecks.x_cm))

    def named(self) -> list[Pecks]:
        """Return the sessions, named after the visit."""
        if len(self.sessions) == 1:
            return [replace(self.sessions[0], name=self.name)]
        return [replace(pecks, name=f"{self.name} #{pecks.number}") for pecks in self.sessions]


def of_rows(name: str, subject: str, rows: Iterable[Mapping[str, Any]]) -> ParticipantVisit:
    """Build a visit of the rows of its peck table. Raises ``ConfigError`` if a row is not a peck."""
    parts: dict[int, list[Mapping[str, Any]]] = {}
    try:
        for row in rows:
            parts.setdefault(int(row.get("session") or 1), []).append(row)
        sessions = tuple(_session(name, subject, number, own) for number, own in sorted(parts.items() or [(1, [])]))
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{name}: a row of its peck table cannot be read ({error}): wanted disks from -1 to {PLACES}, blocks "
            "from 1, numbers as t, x_cm and y_cm, and one vi_s for each disk of a session"
        ) from None
    return ParticipantVisit(name, subject, sessions)


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
        assignment=DiskSchedules(*(_by_place(on_ring, each) for each in ("vi_s", "prev_vi_s", "p_reward"))),
        placed=False,
    )


def _check(name: str, values: Ints, low: int, high: int) -> None:
    for value in values[(values < low) | (values > high)]:
        raise ValueError(f"there is a {name} {value}")


def _by_place(rows: Sequence[Mapping[str, Any]], name: str) -> Floats:
    """Return the schedule of every location from the pecks on it; NaN for locations without a peck."""
    found = np.full(PLACES, math.nan)
    for row in rows:
        value, place = row.get(name), int(row["disk"])
        if value is None:
            continue
        if np.isfinite(found[place]) and found[place] != value:
            raise ValueError(f"{name} of disk {place} is {found[place]:g} and {value:g} in one session")
        found[place] = float(value)
    return found
