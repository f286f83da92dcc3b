"""UF2, the file format of a Pico's boot ROM: blocks of 512 bytes, each with 256 bytes of the flash and their address.

Sources: the UF2 specification (github.com/microsoft/uf2); RP2040 datasheet, 2.8.4.2. ``firmware/Makefile`` runs this
file as a program, so it imports nothing of ours.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

MAGIC = b"UF2\n"
_SECOND_MAGIC, _LAST_MAGIC = 0x9E5D_5157, 0x0AB1_6F30
_HAS_FAMILY = 0x2000
_RP2040 = 0xE48B_FF56
_FLASH, _FLASH_BYTES = 0x1000_0000, 0x20_0000
_PAGE = 256
# Both magic numbers, flags, address, length of the payload, number of the block, blocks in all, family; the payload.
_BLOCK = struct.Struct("<4s7I476sI")
MOST_BYTES = _FLASH_BYTES // _PAGE * _BLOCK.size
"""The size of a file for the whole flash."""


def to_uf2(image: bytes) -> bytes:
    """Return the UF2 file of a flash's content; zeros fill its last page."""
    pages = [image[start : start + _PAGE] for start in range(0, len(image), _PAGE)]
    return b"".join(_BLOCK.pack(*_head(number, len(pages)), page, _LAST_MAGIC) for number, page in enumerate(pages))


def _head(number: int, blocks: int) -> tuple[bytes, int, int, int, int, int, int, int]:
    return MAGIC, _SECOND_MAGIC, _HAS_FAMILY, _FLASH + number * _PAGE, _PAGE, number, blocks, _RP2040


def from_uf2(data: bytes) -> bytes:
    """Return the content of the flash that a UF2 file has. Raises ``ValueError`` for a file that no Pico starts."""
    return b"".join(_pages(data))


def _pages(data: bytes) -> Iterator[bytes]:
    blocks, rest = divmod(len(data), _BLOCK.size)
    if not data.startswith(MAGIC):
        raise ValueError("is no UF2 file")
    if rest or not 0 < blocks <= _FLASH_BYTES // _PAGE:
        raise ValueError(f"is no complete UF2 file, or larger than the flash: it has {len(data)} bytes")
    for number, (*head, page, last) in enumerate(_BLOCK.iter_unpack(data)):
        *_, family = head
        if head[2] & _HAS_FAMILY and family != _RP2040:
            raise ValueError(f"is a UF2 file for another chip (family {family:#x}; that of a Pico is {_RP2040:#x})")
        if (*head, last) != (*_head(number, blocks), _LAST_MAGIC):
            raise ValueError(f"is a damaged UF2 file, or one that is not for the start of the flash: block {number}")
        yield page[:_PAGE]


def main(image: Path, uf2: Path) -> None:
    """Write the UF2 file of a flash's content."""
    uf2.write_bytes(to_uf2(image.read_bytes()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
