"""Build the firmware for every chip and copy it into the package data of the wheel.

python scripts/firmware_hex.py           build and copy
python scripts/firmware_hex.py --check   exit with 1 if the copies are not of the present sources
"""

import shutil
import sys

from rig.boards.chips import CHIPS
from rig.boards.firmware import FirmwareBuilder, compiler, hash_of_sources


def main(check: bool) -> int:
    """Build and copy the firmware, or with ``check`` compare the recorded hash of the sources."""
    workshop = FirmwareBuilder()
    place, noted = workshop.shipped, workshop.shipped / "sources.sha256"
    now = hash_of_sources(workshop.sources)
    if check:
        is_fresh = noted.is_file() and noted.read_text(encoding="ascii").strip() == now
        there = all((place / f"{chip}.hex").is_file() for chip in CHIPS)
        return 0 if is_fresh and there else 1
    for chip in CHIPS:
        image = workshop.image(chip)
        # Without a compiler the builder returns the shipped image itself.
        if image.path.parent == place:
            sys.stderr.write("no compiler or no sources found: wanted avr-gcc and firmware/\n")
            return 1
        shutil.copyfile(image.path, place / f"{chip}.hex")
        sys.stdout.write(f"{chip}.hex  SHA-256 {image.sha256}\n")
    noted.write_text(f"{now}\n", encoding="ascii")
    (place / "compiler.txt").write_text(f"{compiler()}\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
