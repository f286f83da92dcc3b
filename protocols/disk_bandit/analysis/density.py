"""Density of pecks on the screen (after figure 4 of Racey et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.pecks import Pecks
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Flags, Floats, Ints

ANGLE = 2 * np.pi * np.arange(PLACES) / PLACES
AROUND = np.stack([np.sin(ANGLE), np.cos(ANGLE)], axis=1)
"""Locations of a ring of radius 1 around 0, clockwise from the top."""

RADIUS_CM = 4.0
"""Radius of the paper's ring: opposite disks are "approximately 8 cm apart", taken from center to center."""

DISK = 0.25
"""Radius of a disk relative to the ring: 2 cm in diameter on a ring with a radius of 4 cm."""

REACH = 1.4
STEPS = 84


@dataclass(frozen=True)
class Ring:
    """Ring of disks, fitted to the pecks on them."""

    x_cm: float
    y_cm: float
    radius_cm: float


@dataclass(frozen=True)
class Density:
    """Pecks per square of a grid around a subject's ring; ``count`` is y by x, ``edges_cm`` are of both axes.

    ``shown`` is a mask of the locations that had a disk in any session.
    """

    subject: str
    n: int
    radius_cm: float
    shown: Flags
    edges_cm: Floats
    count: Ints


def ring(pecks: Pecks) -> Ring | None:
    """Fit a ring to the choices by least squares; with fewer than 3 locations its radius is ``RADIUS_CM``."""
    disk = pecks.disk[pecks.chosen]
    if not disk.size:
        return None
    x_cm, y_cm = pecks.x_cm[pecks.chosen], pecks.y_cm[pecks.chosen]
    out = AROUND[disk]
    # Fewer locations determine the radius poorly, or not at all.
    if np.unique(disk).size < 3:
        x, y = np.mean(np.stack([x_cm, y_cm], axis=1) - RADIUS_CM * out, axis=0)
        return Ring(float(x), float(y), RADIUS_CM)
    one, none = np.ones(len(disk)), np.zeros(len(disk))
    design = np.concatenate([np.stack([one, none, out[:, 0]], axis=1), np.stack([none, one, out[:, 1]], axis=1)])
    x, y, radius = np.linalg.lstsq(design, np.concatenate([x_cm, y_cm]), rcond=None)[0]
    return Ring(float(x), float(y), float(radius))


def densities(sessions: Sequence[Pecks]) -> tuple[Density, ...]:
    """Return the density of each subject's choices around the ring of each session; without choices there is none."""
    found = []
    for subject in sorted({pecks.subject for pecks in sessions}):
        own = [(pecks, at) for pecks in sessions if pecks.subject == subject and (at := ring(pecks)) is not None]
        if own:
            found.append(_density(subject, own))
    return tuple(found)


def _density(subject: str, own: Sequence[tuple[Pecks, Ring]]) -> Density:
    radius = float(np.mean([at.radius_cm for _, at in own]))
    edges = np.linspace(-REACH * radius, REACH * radius, STEPS + 1)
    # One ring per session: a screen that was moved between sessions would blur a common one.
    x = np.concatenate([pecks.x_cm[pecks.chosen] - at.x_cm for pecks, at in own])
    y = np.concatenate([pecks.y_cm[pecks.chosen] - at.y_cm for pecks, at in own])
    count = np.histogram2d(y, x, (edges, edges))[0].astype(np.int64)
    shown: Flags = np.any([pecks.assignment.shown for pecks, _ in own], axis=0)
    return Density(subject, len(x), radius, shown, edges, count)
