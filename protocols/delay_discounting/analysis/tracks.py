"""Tracks of sessions of delay discounting: ``positions.bin`` beside a journal, or a file beside a lap file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps, of_rows
from protocols.delay_discounting.analysis.track import DerivativeWindow, passes, track
from protocols.delay_discounting.analysis.vte import zidphi
from protocols.delay_discounting.tables.laps import TRACK_SUFFIX, read_track
from rig.analysis.common.arrays import Floats
from rig.core.errors import ConfigError
from rig.core.model.microseconds import US
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.trials import write_trials
from rig.records.track.positions import POSITIONS
from rig.records.track.read import Positions, read_positions

FILLED = ("idphi", "zidphi", "pause_s")
"""Columns of ``trials.csv`` computed after the session: a z-score needs all of its laps."""


def tracked_by_journal(session: RecordedSession, operator: DerivativeWindow) -> tuple[Laps, list[str]]:
    """Return the laps of a session, with the passes if it was tracked, and notes on defects of the track."""
    laps = of_rows(session.full_name, session.subject_label, session.rows())
    path = session.folder / POSITIONS
    if not path.is_file():
        return laps, []
    found = read_positions(path, session.position_blocks)
    records = found.records
    table = np.column_stack([records["t_us"] / US, records["x_cm"], records["y_cm"]])
    return _with_passes(laps, table, operator), list(_notes(found))


def fill_trials(session: Path, laps: Laps) -> Path:
    """Write ``trials.csv`` of a recorded session from its journal, with IdPhi, zIdPhi and pause; return its path.

    Raises ``ConfigError`` if the session has no such columns or is a lap file, and ``RecordError``.
    """
    if session.suffix == ".csv":
        raise ConfigError(
            f"--fill: {session} is not a session recorded by rig; only their trials.csv can be written from a journal"
        )
    recorded = read_session(session)
    values = zip(laps.lap, laps.idphi, zidphi(laps), laps.pause_s, strict=True)
    found = {
        int(lap): {"tracking_ok": int(math.isfinite(idphi))}
        | {name: _known(value) for name, value in zip(FILLED, (idphi, z, pause_s), strict=True)}
        for lap, idphi, z, pause_s in values
    }
    columns = recorded.header.columns
    # Journals of other protocols have positions too, but no columns for the turning.
    if not set(FILLED) <= set(columns):
        raise ConfigError(
            f"--fill: {recorded.journal}: its trials have no columns {', '.join(FILLED)}; nothing to fill"
        )
    return write_trials(recorded.folder, columns, [row | _filled(row["lap"], found) for row in recorded.rows()])


def _filled(lap: Any, found: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    return found.get(lap, {}) if isinstance(lap, int) else {}


def fill_session(folder: Path, operator: DerivativeWindow) -> None:
    """Write the turning into ``trials.csv`` of a tracked session. Raises ``ConfigError`` and ``RecordError``."""
    fill_trials(folder, tracked_by_journal(read_session(folder), operator)[0])


def _known(value: float) -> float | None:
    return round(float(value), 6) if math.isfinite(value) else None


def tracked_by_file(laps: Laps, path: Path, operator: DerivativeWindow) -> Laps:
    """Return the laps of a file with their passes, if its track is beside it."""
    beside = path.with_suffix(TRACK_SUFFIX)
    return _with_passes(laps, np.array(read_track(beside), float), operator) if beside.is_file() else laps


def _with_passes(laps: Laps, table: Floats, operator: DerivativeWindow) -> Laps:
    t_s, x_cm, y_cm = table.reshape(-1, 3).T
    return laps.with_passes(passes(track(t_s, x_cm, y_cm), laps.choice_enter_s, laps.choice_exit_s, operator))


def _notes(found: Positions) -> Iterator[str]:
    """Yield notes on missing positions; records that no journal line names are complete and are used."""
    if found.damaged:
        yield f"{found.damaged} damaged positions are excluded"
    if found.missing:
        yield f"{found.missing} positions that its journal names are not in {POSITIONS}"
    if found.torn_bytes:
        yield f"{POSITIONS} ends in an incomplete record ({found.torn_bytes} bytes), which is excluded"
