"""What a subject has been given today, by the journals of the day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rig.core.errors import ConfigError, RecordError
from rig.core.given import gifts
from rig.core.journal import unseal
from rig.session.recorder import JOURNAL


def given_today(subject_folder: Path, date: str) -> float:
    """Sum up the microlitres of a day's sessions, also of those that crashed. Raises ``RecordError``.

    A session that cannot be read may have given much: it is never passed over.
    """
    day = subject_folder / date
    try:
        sessions = sorted(day.iterdir()) if day.exists() else []
        return sum(_given(session / JOURNAL) for session in sessions if session.is_dir())
    except OSError as error:
        raise RecordError(
            f"{error.filename}: cannot be read: {error.strerror}: what was given today is not known without it"
        ) from error


def _given(journal: Path) -> float:
    try:
        lines = list(_lines(journal))
    except FileNotFoundError:  # a session that never began
        return 0
    for line in reversed(lines):
        if line["k"] == "footer":
            return float(line["ul"])
    return sum(gift.ul for gift in gifts(lines))


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    for raw in journal.read_bytes().split(b"\n"):
        with suppress(ValueError):  # a torn or damaged line: `rig recover` says so
            yield unseal(raw)


def check_day(subject_folder: Path, date: str, max_ul: float | None) -> float | None:
    """Tell how much may still be given today. Raises ``ConfigError`` when that is nothing."""
    if max_ul is None:
        return None
    given = given_today(subject_folder, date)
    if given >= max_ul:
        raise ConfigError(
            f"{subject_folder.name} has been given {given:g} ul on {date}, and stop.max_ul_day is {max_ul:g}: "
            "no more today"
        )
    return max_ul - given
