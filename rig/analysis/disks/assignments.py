"""Which location had which VI on a day, of tables whose record does not tell: never-pecked disks have no row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rig.analysis.arrays import Flags, Floats
from rig.analysis.disks.pecks import PLACES, Assignment, Pecks

KEPT = ("vi_s", "prev_vi_s", "p_reward")


def told(pecks: Pecks, facts: Mapping[str, Any]) -> Pecks:
    """Take the assignment that the record names: lists by location, with None where it is dark."""
    lists = {name: _by_place(facts.get(name)) for name in KEPT}
    return replace(pecks, assignment=Assignment(**lists), told=True, placed=True)


def _by_place(values: Sequence[float | None] | None) -> Floats:
    found = np.full(PLACES, np.nan)
    if values is not None:
        found[: len(values)] = [np.nan if value is None else value for value in values]
    return found


def complete(sessions: Sequence[Pecks]) -> list[Pecks]:
    """Give the disks that were never pecked what is left for them, where the record does not tell.

    All such sessions of a subject are taken to have shown as many disks, and to have paid by the same VIs or odds, each
    once: those of any peck in them. One that is left over belongs to the disk that is left over. Of two or more it is
    not known which is whose: Luce's rule needs not know, but the session is marked, because what depends on locations
    does. A disk that was pecked on no day at all is given the first location without one.
    """
    by_subject: dict[str, list[Pecks]] = {}
    for pecks in sessions:
        by_subject.setdefault(pecks.subject, []).append(pecks)
    return [pecks if pecks.told else _completed(pecks, _untold(by_subject[pecks.subject])) for pecks in sessions]


def _untold(sessions: Sequence[Pecks]) -> list[Assignment]:
    return [pecks.assignment for pecks in sessions if not pecks.told]


def _completed(pecks: Pecks, known: Sequence[Assignment]) -> Pecks:
    own = pecks.assignment
    shown = _locations(known)
    filled, sure = dict[str, Floats](), True
    for name in KEPT:
        values = getattr(own, name)
        left = sorted(_paid(known, name) - set(values[np.isfinite(values)].tolist()))
        free = np.flatnonzero(shown & ~np.isfinite(values))
        if name == "prev_vi_s":  # the session before may have had others: only what must be is filled in
            left = left if len(left) == len(free) == 1 else []
        elif np.isfinite(values).any() and len(left) > 1:
            sure = False
        filled[name] = values.copy()
        if np.isfinite(values).any():
            filled[name][free[: len(left)]] = left[: len(free)]
    return replace(pecks, assignment=Assignment(**filled), placed=sure)


def _paid(known: Sequence[Assignment], name: str) -> set[float]:
    return {float(value) for each in known for value in getattr(each, name) if np.isfinite(value)}


def _locations(known: Sequence[Assignment]) -> Flags:
    """Tell where disks were pecked, and add the first other locations while there are more VIs (or odds) than these."""
    shown: Flags = np.any([each.shown for each in known], axis=0)
    disks = max(len(_paid(known, "vi_s")), len(_paid(known, "p_reward")))
    shown[np.flatnonzero(~shown)[: max(0, disks - int(shown.sum()))]] = True
    return shown
