"""Sessions that were killed before their first order: nothing can have been given, whatever their journal has lost."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.header import Header
from rig.core.journal.kinds import AllowanceLine
from rig.core.model.line import Line
from rig.records.journal import unwritable_reason
from rig.records.journal.read import JOURNAL, DamagedLine, TornLine, iter_lines

CONFIG = "config"
_NEEDED = frozenset((JOURNAL, CONFIG))
_BEFORE_ORDERS = _NEEDED | {".reserve", unwritable_reason.NAME}
"""All that a session's folder can hold before its first order; ``rig.session.run`` makes ``config`` first."""


def never_began(folder: Path, names: Collection[str] | None = None) -> bool:
    """Whether a session cannot have ordered anything: its folder has no file that is written before the first order.

    An empty journal alone proves nothing: it may have lost its lines. But ``environment.json`` is on the disk before
    the first order; a power cut that takes back its renaming, as on Windows, leaves its temporary file. ``names`` are
    the folder's entries, if they are known. Raises ``OSError``.
    """
    names = frozenset(os.listdir(folder) if names is None else names)
    if not _NEEDED <= names <= _BEFORE_ORDERS or not (folder / CONFIG).is_dir():
        return False
    try:
        return all(map(_is_before_orders, iter_lines(folder / JOURNAL)))
    except RecordError:  # of another format, or no file
        return False


def _is_before_orders(line: Line | DamagedLine) -> bool:
    return isinstance(line, (Header, AllowanceLine, TornLine))
