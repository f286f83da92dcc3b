"""Sessions that were killed before their header was written: no board was opened, and nothing can have been given."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from rig.core.journal.lines import MAX_LINE_BYTES
from rig.records import lost_end
from rig.records.read import JOURNAL

_FILES = frozenset((JOURNAL, "config", ".reserve", lost_end.NAME))
"""All that a session's folder can hold before its header; `rig.session.run` makes them in this order."""
_HEAD = b'{"seq":0,'


def never_began(folder: Path, names: Collection[str] | None = None) -> bool:
    """Whether a session's folder has a journal without even a header, and nothing that is written after it.

    The header of a real session is on the disk before its board is opened, so a power cut leaves it. ``names`` are the
    folder's entries, if they are known. Raises ``OSError``.
    """
    names = os.listdir(folder) if names is None else names
    if JOURNAL not in names or not _FILES.issuperset(names) or not (folder / JOURNAL).is_file():
        return False
    with (folder / JOURNAL).open("rb") as journal:
        start = journal.read(MAX_LINE_BYTES + 1)
    # A torn header has no line break. Zeros, or a line of another kind, are damage of a journal that had more.
    is_torn = start.startswith(_HEAD[: len(start)]) and b"\n" not in start and b"\0" not in start
    return is_torn and len(start) <= MAX_LINE_BYTES
