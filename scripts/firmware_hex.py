"""The firmware for every chip, as it is package data of the wheel, and the hash of its sources."""

from collections.abc import Mapping
from pathlib import Path

from rig.boards.chips import CHIPS
from rig.boards.firmware import ARM_COMPILER, COMPILER, FirmwareBuilder, compiler_version, hash_of_sources

COMPILERS = (COMPILER, ARM_COMPILER)


def compilers() -> str:
    """Return the compilers of this computer, one on a line."""
    return "\n".join(compiler_version(name) for name in COMPILERS)


def pages() -> Mapping[Path, str | bytes]:
    """Build the firmware and return all files. Raises ``LookupError`` without a compiler."""
    builder = FirmwareBuilder()
    folder = builder.shipped
    images = {chip: builder.image(chip).path for chip in CHIPS}
    # Without a compiler the builder returns the shipped images themselves.
    if any(path.parent == folder for path in images.values()):
        raise LookupError(f"no {' or '.join(COMPILERS)}, or no folder firmware")
    files: dict[Path, str | bytes] = {folder / path.name: path.read_bytes() for path in images.values()}
    notes = {"sources.sha256": hash_of_sources(builder.sources), "compiler.txt": compilers()}
    return files | {folder / name: f"{text}\n" for name, text in notes.items()}
