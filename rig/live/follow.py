"""A journal that is still being written: its whole lines, as they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.core.journal import unseal

Line = dict[str, Any]
MOST_BYTES = 1 << 22
"""So much is taken at once: a journal that is long already is caught up with in a few bites."""


class Follower:
    """Reads what has been added to a journal; the file may not be there yet, and is never kept open.

    Only whole lines are taken: half a line is read again when it has become whole, or was taken back. A line whose
    checksum does not fit is counted in ``damaged``.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._offset = 0
        self.damaged = 0

    def read(self) -> list[Line]:
        """Return the lines that have been added since the last time."""
        try:
            with self._journal.open("rb") as file:
                file.seek(self._offset)
                added = file.read(MOST_BYTES)
        except OSError:  # not there yet, or discarded with a session that never began
            return []
        whole = added[: added.rfind(b"\n") + 1]
        self._offset += len(whole)
        return [line for raw in whole.splitlines() if (line := self._checked(raw)) is not None]

    def written_s(self) -> float | None:
        """Tell when the journal was last written to, by the system's clock; None when it is not there."""
        try:
            return self._journal.stat().st_mtime
        except OSError:
            return None

    def _checked(self, raw: bytes) -> Line | None:
        try:
            return unseal(raw)
        except ValueError:
            self.damaged += 1
            return None
