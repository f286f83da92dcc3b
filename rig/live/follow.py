"""A journal that is still being written: its whole lines, as they come."""

from __future__ import annotations

from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.codec import MAX_LINE_BYTES, OtherFormatError
from rig.core.journal.kinds import SessionLine
from rig.records.journal.read import DamagedLine, JournalReader


class JournalFollower:
    """Reads what has been added to a journal; the file may not be there yet, and is never kept open.

    Only whole lines are taken: half a line is read again when it has become whole, or was taken back. A line that
    cannot be trusted is counted in ``damaged``, and the first is kept. By default so much is taken at once that a
    journal which is long already is caught up with in a few bites; ``bite_bytes`` is about how much, where a reader
    does something else between two bites.
    """

    def __init__(self, journal: Path, bite_bytes: int | None = None) -> None:
        self._journal = journal
        self._bite_bytes = bite_bytes
        self._reader = JournalReader()
        self._offset = 0
        self.damaged = 0
        self.first_damage: DamagedLine | None = None

    def read(self) -> list[SessionLine]:
        """Return the lines that have been added since the last time. Raises ``RecordError`` for another format."""
        try:
            with self._journal.open("rb") as file:
                file.seek(self._offset)
                added = b"" if self._bite_bytes is None else file.read(self._bite_bytes)
                if b"\n" not in added:
                    added += file.read(MAX_LINE_BYTES + 2 - len(added))
        except OSError:  # not there yet, or discarded with a session that never began
            return []
        whole = added[: added.rfind(b"\n") + 1]
        if len(added) > MAX_LINE_BYTES + 1 and not whole:  # the rest of the line is no line either
            whole = added
        self._offset += len(whole)
        return self._checked(whole) if whole else []

    @property
    def share_read(self) -> float:
        """Return how much of the journal has been read, from 0 to 1."""
        try:
            return self._offset / max(1, self._offset, self._journal.stat().st_size)
        except OSError:
            return 1.0

    def written_s(self) -> float | None:
        """Return when the journal was last written to, by the system's clock; None when it is not there."""
        try:
            return self._journal.stat().st_mtime
        except OSError:
            return None

    def _checked(self, whole: bytes) -> list[SessionLine]:
        try:
            lines = [line for raw in whole.removesuffix(b"\n").split(b"\n") for line in self._reader.take(raw)]
        except OtherFormatError as error:
            raise RecordError(f"{self._journal}: {error}") from None
        damage = [line for line in lines if isinstance(line, DamagedLine)]
        self.damaged += len(damage)
        self.first_damage = self.first_damage or next(iter(damage), None)
        return [line for line in lines if not isinstance(line, DamagedLine)]
