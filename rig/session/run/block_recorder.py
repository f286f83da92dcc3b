"""Write the journal of a simulated session that no program follows: many lines in one append.

At full virtual speed a session ends before a reader could show a line, and its rewards count for no subject. One
system call for each line would take 5 % of such a session.
"""

from __future__ import annotations

from pathlib import Path

from rig.core.errors import RecordError
from rig.session.run.journal_file import Recorder

BLOCK_LINES = 256


class BlockRecorder(Recorder):
    """Writer of whole lines in blocks; a crash loses the last block, and leaves no part of a line."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, synced=False)
        self._block: list[bytes] = []

    def append(self, line: bytes) -> None:
        """Add a line to the block, and write a full block. Raises ``RecordError``, and then drops this line only."""
        block = self._block
        block.append(line)
        if len(block) < BLOCK_LINES:
            return
        try:
            self._write_block()
        except RecordError:
            # The caller numbers the next line as this one. The lines before it are tried again with that one.
            block.pop()
            raise

    def _write_block(self) -> None:
        block = self._block
        try:
            super().append(b"".join(block))
        except RecordError:
            # A disk that fills has room for some of them.
            while block:
                super().append(block[0])
                del block[0]
        block.clear()

    def close(self) -> None:
        """Write the last block and close the journal; a second call does nothing. Raises ``RecordError``."""
        try:
            if self._block:
                self._write_block()
        finally:
            super().close()
