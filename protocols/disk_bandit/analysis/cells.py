"""Counts of pecks: one cell per block of a session, one count per location."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from protocols.disk_bandit.analysis.pecks import Pecks
from protocols.disk_bandit.tables.pecks import PLACES
from rig.analysis.common.arrays import Flags, Floats, Ints
from rig.core.journal.cells import csv_text, escape_formula

COLUMNS = (
    *("session", "subject", "number", "block", "disk", "vi_s", "prev_vi_s", "p_reward", "value", "placed"),
    *("pecks", "rewarded"),
)


@dataclass(frozen=True, eq=False)
class Cells:
    """Every block of every session, with or without pecks; the last axis of counts and values is the location.

    ``session`` and ``subject`` are indices of ``sessions`` and ``subjects``. ``pay`` is the VI, or the reward
    probability of a peck; ``value`` is the value in Luce's rule; ``prev_value`` is NaN where it is unknown.
    """

    # Blocks without pecks are kept: a session that ended early counts as zero in the rate, and must not raise it.

    sessions: tuple[str, ...]
    subjects: tuple[str, ...]
    session: Ints
    subject: Ints
    number: Ints
    block: Ints
    count: Ints
    rewarded: Ints
    pay: Floats
    value: Floats
    prev_value: Floats
    shown: Flags
    placed: Flags

    @property
    def n(self) -> Ints:
        """Return the number of pecks in every cell."""
        return np.asarray(self.count.sum(axis=1))

    def by_block(self, values: Floats) -> Floats:
        """Return one feature per block, cells x locations x blocks: the values in that block, 0 in others."""
        own = self.block[:, None] == np.unique(self.block)
        return np.where(own[:, None, :], values[..., None], 0.0)

    def where(self, kept: Flags) -> Cells:
        """Return the cells where ``kept`` is true."""
        named = ("sessions", "subjects")
        rest = {field.name: getattr(self, field.name) for field in fields(self)}
        return Cells(**{name: value if name in named else value[kept] for name, value in rest.items()})


def cells(sessions: Sequence[Pecks]) -> Cells:
    """Return the counts of choices in sessions, in the blocks that ``blocks_of`` counts."""
    blocks = blocks_of(sessions)
    subjects = tuple(sorted({pecks.subject for pecks in sessions}))
    shape = (len(sessions), blocks, PLACES)
    count, rewarded = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for place, pecks in enumerate(sessions):
        at = (pecks.block[pecks.chosen] - 1, pecks.disk[pecks.chosen])
        # add.at, because one index occurs many times; plain indexing would add 1 only once.
        np.add.at(count[place], at, 1)
        np.add.at(rewarded[place], at, pecks.rewarded[pecks.chosen])

    def each_block(values: Sequence[object]) -> np.ndarray:
        return np.repeat(np.array(values), blocks, axis=0)

    return Cells(
        sessions=tuple(pecks.name for pecks in sessions),
        subjects=subjects,
        session=each_block(range(len(sessions))),
        subject=each_block([subjects.index(pecks.subject) for pecks in sessions]),
        number=each_block([pecks.number for pecks in sessions]),
        block=np.tile(np.arange(1, blocks + 1), len(sessions)),
        count=count.reshape(-1, PLACES),
        rewarded=rewarded.reshape(-1, PLACES),
        pay=each_block([pecks.assignment.pay for pecks in sessions]),
        value=each_block([pecks.assignment.value for pecks in sessions]),
        prev_value=each_block([pecks.assignment.prev_value for pecks in sessions]),
        shown=each_block([pecks.assignment.shown for pecks in sessions]),
        placed=each_block([pecks.placed for pecks in sessions]),
    )


def blocks_of(sessions: Sequence[Pecks]) -> int:
    """Return the number of blocks of a session: the largest number planned, or begun where no plan is known."""
    return max(pecks.blocks or int(pecks.block.max(initial=1)) for pecks in sessions)


def cell_table(sessions: Sequence[Pecks]) -> str:
    """Return a CSV row for every disk of every block that has a peck; unknown cells are empty."""
    return csv_text([COLUMNS, *(row for pecks in sessions for row in _rows(pecks))])


def _rows(pecks: Pecks) -> Iterator[list[str]]:
    own, assigned = cells([pecks]), pecks.assignment
    for cell in np.flatnonzero(own.n):
        for disk in np.flatnonzero(own.shown[cell]):
            paid = (assigned.vi_s[disk], assigned.prev_vi_s[disk], assigned.p_reward[disk], own.value[cell, disk])
            found = (pecks.placed, own.count[cell, disk], own.rewarded[cell, disk])
            where = (pecks.number, own.block[cell], disk)
            yield [
                escape_formula(pecks.name),
                escape_formula(pecks.subject),
                *map(str, where),
                *map(_cell, paid),
                *map(str, found),
            ]


def _cell(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else ""
