"""The digest of a journal: the checksum of its bytes, as the program wrote them.

A copy through an editor or a checkout of git on Windows ends its lines with CR LF. Each line is still whole, as a
reader of one line finds, so the digest does not see these either. No other CR is in a journal: JSON escapes it.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from rig.records.journal.read import JournalEnds

OTHER_LINES = "lines of its journal are missing, added or changed: the digest in its last line does not fit"
_CHUNK = 1 << 20


def plain_ends(raw: bytes) -> bytes:
    """Return bytes with the line ends that the program writes."""
    return raw.replace(b"\r\n", b"\n")


def checksum(path: Path, size: int) -> int:
    """Return the CRC-32 of the first bytes of a file, with the line ends of the program. Raises ``OSError``."""
    crc, last = 0, b""
    with path.open("rb") as file:
        while size > 0 and (chunk := file.read(min(size, _CHUNK))):
            size -= len(chunk)
            chunk = last + chunk
            last = chunk[-1:] if chunk.endswith(b"\r") else b""  # its LF may be the next byte
            crc = zlib.crc32(plain_ends(chunk.removesuffix(last)), crc)
    return zlib.crc32(last, crc)


def digest_fits(path: Path, ends: JournalEnds) -> bool:
    """Whether all lines before the footer are as the program wrote them; True without a footer. Raises ``OSError``."""
    return ends.footer is None or ends.footer.digest == f"{checksum(path, ends.start):08x}"
