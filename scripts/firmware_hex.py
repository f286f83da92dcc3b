"""Builds the firmware for every chip and puts it where the wheel takes it from.

python scripts/firmware_hex.py           build and keep
python scripts/firmware_hex.py --check   exit with 1 when what is kept is not what the sources say
"""

import shutil
import sys

from rig.boards.firmware import AVRDUDE, FirmwareBuilder, compiler, hash_of_sources


def main(check: bool) -> int:
    """Build and keep, or compare."""
    workshop = FirmwareBuilder()
    place, noted = workshop.shipped, workshop.shipped / "sources.sha256"
    now = hash_of_sources(workshop.sources)
    if check:
        is_fresh = noted.is_file() and noted.read_text(encoding="ascii").strip() == now
        there = all((place / f"{chip}.hex").is_file() for chip in AVRDUDE)
        return 0 if is_fresh and there else 1
    for chip in AVRDUDE:
        image = workshop.image(chip)
        if image.path.parent == place:
            sys.stderr.write("there is no compiler here, or no sources\n")
            return 1
        shutil.copyfile(image.path, place / f"{chip}.hex")
        sys.stdout.write(f"{chip}.hex  SHA-256 {image.sha256}\n")
    noted.write_text(f"{now}\n", encoding="ascii")
    (place / "compiler.txt").write_text(f"{compiler()}\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
