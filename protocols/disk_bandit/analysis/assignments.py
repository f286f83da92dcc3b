"""Assignment of VIs to locations: from the journal, or inferred from the pecks, which name only the disks pecked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from protocols.disk_bandit.analysis.pecks import BLOCK_S, DiskSchedules, ParticipantVisit, Pecks
from protocols.disk_bandit.tables.pecks import MOST_BLOCKS, PLACES
from rig.analysis.common.arrays import Flags, Floats
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.kinds import Note

PAYS = ("vi_s", "p_reward")
KEPT = ("vi_s", "prev_vi_s", "p_reward")


NOTE = "assignment"
"""Name of the journal's note with the assignment."""


def of_journal(visit: ParticipantVisit, header: Header, notes: Sequence[Note]) -> ParticipantVisit:
    """Return the visit with its journal's assignments, planned blocks and hopper time; the last note counts.

    Raises ``ConfigError``.
    """
    facts = notes[-1].fields if notes else {}
    block_s, blocks = _planned(visit.name, header)
    hopper_s = _hopper_s(header)
    try:
        sessions = [told(pecks, _of_session(facts, pecks.number)) for pecks in visit.sessions]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{visit.name}: its note of the assignment cannot be read ({error}): wanted lists of up to {PLACES} "
            "numbers, by location"
        ) from None
    # The plan is needed besides the pecks: a session that ended early has fewer blocks than were planned.
    planned = (replace(pecks, block_s=block_s, blocks=blocks, hopper_s=hopper_s) for pecks in sessions)
    return replace(visit, sessions=tuple(planned))


def _hopper_s(header: Header) -> float:
    """Return the planned hopper time in seconds; NaN if the header has none."""
    value = header.params.get("hopper_s")
    return float(value) if isinstance(value, int | float) and 0 < value < math.inf else math.nan


def _planned(name: str, header: Header) -> tuple[float, int]:
    """Return length in seconds and number of the planned blocks. Raises ``ConfigError``."""
    params = header.params
    block_s = params.get("block_s", BLOCK_S)
    session_s = params.get("session_s") or header.stop.get("session_s") or 0
    if not all(isinstance(value, int | float) for value in (block_s, session_s)) or not (
        block_s > 0 and 0 <= session_s / block_s <= MOST_BLOCKS
    ):
        raise ConfigError(
            f"{name}: its header names blocks of {block_s!r:.40} s in a session of {session_s!r:.40} s: "
            f"wanted up to {MOST_BLOCKS} blocks"
        )
    return float(block_s), math.ceil(session_s / block_s)


def _of_session(facts: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return one session's part of a note that lists all sessions of a person."""
    orders = facts.get("vi_s")
    if not orders or not isinstance(orders[0], Sequence):
        return facts
    if not 1 <= number <= len(orders):
        return {}
    return {"vi_s": orders[number - 1], "prev_vi_s": orders[number - 2] if number > 1 else None}


def told(pecks: Pecks, facts: Mapping[str, Any]) -> Pecks:
    """Return the session with the assignment of its record, if any: lists by location, None for a dark location."""
    if not facts:
        return pecks
    lists = {name: _by_place(facts.get(name)) for name in KEPT}
    return replace(pecks, assignment=DiskSchedules(**lists), told=True, placed=True)


def _by_place(values: Sequence[float | None] | None) -> Floats:
    found = np.full(PLACES, np.nan)
    if values is not None:
        found[: len(values)] = [np.nan if value is None else value for value in values]
    return found


def complete(sessions: Sequence[Pecks]) -> list[Pecks]:
    """Return the sessions with VIs inferred for disks that were never pecked, where the record has no assignment.

    All such sessions are assumed to have the same VIs (or the same odds), each once: those of any peck in them. A
    single remaining VI belongs to the remaining disk. With two or more it is unknown which belongs to which disk:
    Luce's rule does not need it, but the session is marked (``placed``), because results by location do. A disk that a
    subject never pecked gets the first free location.
    """
    untold = [pecks for pecks in sessions if not pecks.told]
    paid = {name: _paid([pecks.assignment for pecks in untold], name) for name in KEPT}
    shown = {
        subject: _locations([pecks.assignment for pecks in untold if pecks.subject == subject], paid)
        for subject in {pecks.subject for pecks in untold}
    }
    return [pecks if pecks.told else _completed(pecks, paid, shown[pecks.subject]) for pecks in sessions]


def _paid(known: Sequence[DiskSchedules], name: str) -> set[float]:
    return {float(value) for each in known for value in getattr(each, name) if np.isfinite(value)}


def _locations(known: Sequence[DiskSchedules], paid: Mapping[str, set[float]]) -> Flags:
    """Return a mask of the locations with a disk: those pecked, then the first others up to the number of VIs."""
    shown: Flags = np.any([each.shown for each in known], axis=0)
    disks = max((len(paid[name]) for name in PAYS if _paid(known, name)), default=0)
    shown[np.flatnonzero(~shown)[: max(0, disks - int(shown.sum()))]] = True
    return shown


def _completed(pecks: Pecks, paid: Mapping[str, set[float]], shown: Flags) -> Pecks:
    filled, sure = dict[str, Floats](), True
    for name in KEPT:
        values = getattr(pecks.assignment, name).copy()
        if np.isfinite(values).any():
            left = sorted(paid[name] - set(values[np.isfinite(values)].tolist()))
            free = np.flatnonzero(shown & ~np.isfinite(values))
            # Two or more VIs are left: any assignment of them to disks without pecks has the same likelihood.
            if name in PAYS:
                sure = sure and len(left) < 2
            elif len(left) > 1 or len(free) > 1:
                left = []  # the session before may have had other VIs
            values[free[: len(left)]] = left[: len(free)]
        filled[name] = values
    return replace(pecks, assignment=DiskSchedules(**filled), placed=sure)
