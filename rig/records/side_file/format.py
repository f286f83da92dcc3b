"""The layout of a file of records beside a journal.

The file begins with its header. All records behind it have one size, little-endian, and each ends in the CRC-32 of its
other bytes. The records of half a second are one append, then one journal line, the index of this block: its ``first``
record, how many (``samples``), and their ``digest``, in hex the CRC-32 of the records without theirs (with them it
would be the same for all). A crash between the two leaves records without a line, and never a line without records.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from rig.core.errors import RecordError

CRC_BYTES = 4
MAX_BYTES = 1 << 30
"""Maximum size of a file that is read: 277 MB are a day at 100 frames a second, or 4.8 hours at 1,000 values."""


@dataclass(frozen=True)
class RecordFormat:
    """One kind of file: ``what`` its records are, its header, and its fields, each with a code of `struct`."""

    what: str
    header: bytes
    fields: tuple[tuple[str, str], ...]

    @cached_property
    def body(self) -> struct.Struct:
        """Return the layout of a record without its checksum."""
        return struct.Struct("<" + "".join(code for _, code in self.fields))

    @cached_property
    def size(self) -> int:
        """Return the bytes of a record."""
        return self.body.size + CRC_BYTES

    def place(self, record: int) -> int:
        """Return where a record begins in the file."""
        return len(self.header) + self.size * record

    def check_header(self, path: Path, head: bytes) -> None:
        """Check the first bytes of a file, which may be torn within its header. Raises ``RecordError``."""
        if not self.header.startswith(head):
            text = self.header.decode().rstrip()
            raise RecordError(f"{path}: does not begin with '{text}': it is no file of {self.what} of this format")


class BlockIndex(Protocol):
    """A line of the journal that names records which were appended together."""

    @property
    def first(self) -> int:
        """Return the number of the first record."""

    @property
    def samples(self) -> int:
        """Return how many records these are."""

    @property
    def digest(self) -> str:
        """Return the digest of the records."""


def digest_of(bodies: Iterable[bytes]) -> str:
    """Return the digest of records without their checksums."""
    digest = 0
    for body in bodies:
        digest = zlib.crc32(body, digest)
    return f"{digest:08x}"
