"""Table of all laps of all sessions, with type, phase and turning of each lap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from protocols.delay_discounting.analysis.delays import dd_getdelays
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.phases import PHASES, phases
from protocols.delay_discounting.analysis.vte import zidphi
from rig.core.journal.cells import csv_text, escape_formula

COLUMNS = (
    *(
        "session",
        "subject",
        "lap",
        "side",
        "is_delayed_side",
        "delay_before_s",
        "dd_getdelays_s",
        "rewarded",
        "pellets",
    ),
    *("type", "phase", "phase_binned", "lap_s", "choice_s", "pause_s", "idphi", "zidphi"),
)


def lap_table(sessions: Sequence[Laps]) -> str:
    """Return the table as CSV; unknown cells are empty, and ``zidphi`` of laps excluded from the passes."""
    return csv_text([COLUMNS, *(_cells(row) for laps in sessions for row in _rows(laps))])


def _rows(laps: Laps) -> Iterator[tuple[object, ...]]:
    sides = np.where(laps.left, "left", "right")
    types = np.where(laps.adjusted, "adjustment", np.where(laps.typed, "alternation", ""))
    names = np.array(PHASES)
    columns = (
        *(laps.lap, sides, laps.delayed, laps.in_force_s, dd_getdelays(laps), laps.rewarded, laps.pellets, types),
        *(names[phases(laps, "sliding")], names[phases(laps, "binned")], laps.duration_s),
        *(laps.choice_exit_s - laps.choice_enter_s, laps.pause_s, laps.idphi, zidphi(laps)),
    )
    return ((laps.name, laps.subject, *row) for row in zip(*(column.tolist() for column in columns), strict=True))


def _cells(row: tuple[object, ...]) -> list[str]:
    return [_cell(value) for value in row]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return escape_formula(value) if isinstance(value, str) else str(value)
