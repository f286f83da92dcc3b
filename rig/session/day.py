"""What a subject has been given today, by the journals of the day."""

from __future__ import annotations

import json
from pathlib import Path

from rig.core.errors import ConfigError
from rig.session.recorder import JOURNAL


def given_today(subject_folder: Path, date: str) -> float:
    """Sum up the microlitres of a day's sessions, also of those that crashed."""
    return sum(_given(journal) for journal in sorted((subject_folder / date).glob(f"*/{JOURNAL}")))


def _given(journal: Path) -> float:
    total = 0.0
    for raw in journal.read_bytes().splitlines():
        if b'"k":"trial"' not in raw and b'"k":"footer"' not in raw:
            continue
        try:
            line = json.loads(raw)
        except ValueError:  # a torn line: `rig recover` says so
            continue
        if line["k"] == "footer":
            return float(line["ul"])
        total += float(line.get("reward_ul") or 0.0)
    return total


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
