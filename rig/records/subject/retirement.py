"""Retired subjects: their records stay, and nothing is due to them."""

from __future__ import annotations

from pathlib import Path

from rig.core.errors import ConfigError
from rig.core.journal.kinds import Retired, Unretired
from rig.records.subject_events import read_events


def retirement(folder: Path) -> Retired | None:
    """Return the line that retired a subject; None if it is not retired. Raises ``RecordError``."""
    last = None
    for line in read_events(folder).of_kind(Retired, Unretired):
        last = line if isinstance(line, Retired) else None
    return last


def check_not_retired(folder: Path) -> None:
    """Check that a subject is not retired. Raises ``ConfigError`` and ``RecordError``."""
    if (line := retirement(folder)) is not None:
        raise ConfigError(
            f"{folder.name}: is retired since {line.at[:10]} ({line.by}: {line.reason}). "
            f"If it is back: rig subject unretire {folder.name} --reason WHY"
        )
