"""boot2, the first 256 bytes of a Pico's flash: its boot ROM starts a program only if their last four are a checksum.

Source: RP2040 datasheet, 2.8.1.3.1 (CRC32 of 252 bytes). ``firmware/Makefile`` runs this file as a program, so it
imports nothing of ours.
"""

from __future__ import annotations

import sys
from pathlib import Path

BOOT2_BYTES = 252
"""Without the checksum."""
POLYNOMIAL = 0x04C1_1DB7


def checksum(data: bytes) -> int:
    """Return the CRC-32 of some bytes, with the highest bit first and nothing reflected or inverted at the end."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ POLYNOMIAL if value & 0x8000_0000 else value << 1) & 0xFFFF_FFFF
    return value


def with_checksum(image: bytes) -> bytes:
    """Return the content of a flash with the checksum of its boot2."""
    boot2 = image[:BOOT2_BYTES]
    return boot2 + checksum(boot2).to_bytes(4, "little") + image[BOOT2_BYTES + 4 :]


def can_start(image: bytes) -> bool:
    """Whether the boot ROM starts the program of a flash's content."""
    return image[: BOOT2_BYTES + 4] == with_checksum(image)[: BOOT2_BYTES + 4]


def main(image: Path) -> None:
    """Write the checksum into the file of a flash's content."""
    image.write_bytes(with_checksum(image.read_bytes()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
