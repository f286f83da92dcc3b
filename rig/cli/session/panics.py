"""The subjects whose last session of today was ended by a panic button, which the list shows though none runs."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rig.live.reasons import ended_text
from rig.records.journal.read import read_ends
from rig.records.session.history import journals
from rig.session.subject import NAME, subjects_folder


def panics_of(data: Path, day: datetime.date) -> Iterator[dict[str, Any]]:
    """Yield subject, text and folder of each. Raises ``RecordError``."""
    for simulated in (False, True):
        place = subjects_folder(data, simulated=simulated)
        for subject in sorted(place.iterdir() if place.is_dir() else ()):
            journal = next(journals(subject), None) if NAME.fullmatch(subject.name) else None
            if journal is None or journal.parent.parent.name != day.isoformat():
                continue
            footer = read_ends(journal).footer
            if footer is not None and footer["reason"] == "panic":
                text = ended_text("panic", footer["detail"])
                yield {"subject": subject.name, "reason": "panic", "text": text, "folder": str(journal.parent)}
