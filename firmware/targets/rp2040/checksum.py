"""Write the checksum of boot2 into an image of the flash: RP2040 datasheet, 2.8.1.3.1 (CRC32 of 252 bytes)."""

from __future__ import annotations

import sys
from pathlib import Path

BOOT2_BYTES = 252
POLYNOMIAL = 0x04C1_1DB7


def checksum(data: bytes) -> int:
    """Return the CRC-32 of some bytes, with the highest bit first and nothing reflected or inverted at the end."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ POLYNOMIAL if value & 0x8000_0000 else value << 1) & 0xFFFF_FFFF
    return value


def main() -> None:
    """Write the checksum into the file that is named."""
    path = Path(sys.argv[1])
    image = bytearray(path.read_bytes())
    image[BOOT2_BYTES : BOOT2_BYTES + 4] = checksum(image[:BOOT2_BYTES]).to_bytes(4, "little")
    path.write_bytes(image)


if __name__ == "__main__":
    main()
