"""Lap files: sessions of delay discounting, one lap per row, with the columns of the protocol's ``trials.csv``.

Columns may be in any order, with others between. A track may be beside the lap file: a CSV of the same name with the
suffix ``.track``.
"""

from __future__ import annotations

import math
import operator
from pathlib import Path

from rig.table_files.read_table import Order, Row, begins_with, is_missing, number_in, read_table, truth_in, whole_in

NEEDED = ("lap", "side", "is_delayed_side", "delay_before_s", "pellets", "outcome")
"""Columns that a lap table must have."""

TIMES = ("t_choice_enter", "t_choice_exit", "t_site_enter", "t_lap_end")
OPTIONAL = ("pellets", "large_pellets", *TIMES, "idphi", "pause_s")
RUN = ("rewarded", "skip", "withheld")
"""Outcomes of laps with a choice: ``skip`` if the rat left before the reward, ``withheld`` over the reward limit."""

INTERRUPTED = "interrupted"
TRACK = ("t_s", "x_cm", "y_cm")
TRACK_SUFFIX = ".track"

_ORDERS: tuple[Order[dict[str, object]], ...] = (
    Order("lap", operator.itemgetter("lap"), strict=True),
    *(Order(name, operator.methodcaller("get", name)) for name in TIMES),
)
_EXAMPLE = "1,left,True,12,3,rewarded"


def is_lap_file(path: Path) -> bool:
    """Whether line 1 of a file has the columns of laps."""
    return begins_with(path, NEEDED)


def read_laps(path: Path) -> list[dict[str, object]]:
    """Read one session, as the rows of its lap table; of a lap that was cut only what is certain.

    Raises ``ConfigError`` that names every line that is not a lap.
    """
    return read_table(path, NEEDED, _lap, "lap", _EXAMPLE, optional=(*OPTIONAL, "tracking_ok"), orders=_ORDERS)


def read_track(path: Path) -> list[tuple[float, float, float]]:
    """Read the track of a lap file; NaN where a position is empty. Raises ``ConfigError``."""
    order = Order[tuple[float, float, float]](TRACK[0], operator.itemgetter(0))
    return read_table(path, TRACK, _position, "position", "1.0167,31.5,12.25", orders=(order,))


def _lap(row: Row) -> dict[str, object]:
    lap = {"lap": whole_in(row, "lap", 1, 1e4), "outcome": _one_of(row, "outcome", (*RUN, INTERRUPTED))}
    # An interrupted lap may lack its side; it keeps its number, so that the lap after it has no type.
    if lap["outcome"] == INTERRUPTED:
        return lap
    return lap | {
        "side": _one_of(row, "side", ("left", "right")),
        "is_delayed_side": truth_in(row, "is_delayed_side"),
        "delay_before_s": number_in(row, "delay_before_s", 0, 1e4),
        **{name: number_in(row, name, 0, 1e6) if not is_missing(row.get(name)) else None for name in OPTIONAL},
        "tracking_ok": is_missing(row.get("tracking_ok")) or truth_in(row, "tracking_ok"),
    }


def _one_of(row: Row, name: str, accepted: tuple[str, ...]) -> str:
    if row[name] not in accepted:
        raise ValueError(f"{name} is {row[name] or 'empty'}, not {', '.join(accepted[:-1])} or {accepted[-1]}")
    return row[name]


def _position(row: Row) -> tuple[float, float, float]:
    x_cm, y_cm = (number_in(row, name, -1e6, 1e6) if not is_missing(row[name]) else math.nan for name in TRACK[1:])
    return number_in(row, "t_s", 0, 1e5), x_cm, y_cm
