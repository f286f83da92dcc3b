"""The values of a source that a board samples: a file of records beside a journal (`rig.records.side_file`).

``samples.SOURCE.bin`` begins with 28 bytes of header; each record after it has 16 bytes: ``t_us`` (int64, the board's
stamp on the session's axis), ``value`` (int32: what the converter has read, or the steps of an encoder), and CRC-32.
The journal indexes it by lines of the kind ``samples``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rig.core.journal.kinds import SamplesLine
from rig.records.side_file.format import RecordFormat
from rig.records.side_file.write import RecordFile

FORMAT = RecordFormat("samples", b"rig samples, 1: <qi, crc-32\n", (("t_us", "q"), ("value", "i")))
FILES = "samples.*.bin"
"""The names of these files, as a shell writes them."""
_NAME = re.compile(r"samples\.[a-z][a-z0-9_]*\.bin")


def samples_path(folder: Path, source: str) -> Path:
    """Return the file of a source in a session's folder."""
    return folder / f"samples.{source}.bin"


def is_samples_name(name: str) -> bool:
    """Whether a file with this name may have the values of a source."""
    return _NAME.fullmatch(name) is not None


class SamplesFile:
    """Appends the values of one source of a session; see `RecordFile`."""

    def __init__(self, folder: Path, source: str, *, indexed: int | None = None) -> None:
        self._source = source
        self._file = RecordFile(samples_path(folder, source), FORMAT, indexed=indexed)

    def append(self, records: Sequence[tuple[int, int]], lost: int = 0, unsent: int = 0) -> SamplesLine:
        """Write times and values, all or none; return what the journal must say of them, next.

        ``lost`` blocks of the board are missing before or among them, and ``unsent`` of these it could not send.
        """
        block = self._file.append(records)
        return SamplesLine(
            records[-1][0], self._source, block.first, block.samples, block.digest, lost=lost, unsent=unsent
        )
