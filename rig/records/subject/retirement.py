"""Retired subjects: their records stay, and nothing is due to them."""

from __future__ import annotations

from pathlib import Path

from rig.core.errors import ConfigError
from rig.core.journal.lines import Line
from rig.records.subject_events import read_events


def retirement(folder: Path) -> Line | None:
    """Return the line that retired a subject; None if it is not retired. Raises ``RecordError``."""
    scan = read_events(folder)
    lines = [line for line in scan.lines if line["k"] in ("retired", "unretired") and line["seq"] not in scan.voids]
    return lines[-1] if lines and lines[-1]["k"] == "retired" else None


def check_not_retired(folder: Path) -> None:
    """Check that a subject is not retired. Raises ``ConfigError`` and ``RecordError``."""
    if (line := retirement(folder)) is not None:
        raise ConfigError(
            f"{folder.name}: is retired since {line['at'][:10]} ({line['by']}: {line['reason']}). "
            f"If it is back: rig subject unretire {folder.name} --reason WHY"
        )
