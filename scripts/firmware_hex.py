"""The firmware for every chip, as it is package data of the wheel, and the hash of its sources."""

from collections.abc import Mapping
from pathlib import Path

from rig.boards.chips import AVRS
from rig.boards.firmware import COMPILER, FirmwareBuilder, compiler, hash_of_sources


def pages() -> Mapping[Path, str | bytes]:
    """Build the firmware and return all files. Raises ``LookupError`` without a compiler."""
    builder = FirmwareBuilder()
    folder = builder.shipped
    images = {chip: builder.image(chip).path for chip in AVRS}
    # Without a compiler the builder returns the shipped images themselves.
    if any(path.parent == folder for path in images.values()):
        raise LookupError(f"no {COMPILER}, or no folder firmware")
    files: dict[Path, str | bytes] = {folder / f"{chip}.hex": path.read_bytes() for chip, path in images.items()}
    notes = {"sources.sha256": hash_of_sources(builder.sources), "compiler.txt": compiler()}
    return files | {folder / name: f"{text}\n" for name, text in notes.items()}
