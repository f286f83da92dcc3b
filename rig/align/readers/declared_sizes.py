"""Check what a file of another system declares against its size, before a library allocates or reads that much."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rig.align.readers.options import load_library
from rig.core.errors import RecordError
from rig.system.atomic_files import read_errors
from rig.terminal.format import pluralize

_MOST_META_BYTES = 16_000_000
"""The metadata of a probe with 384 channels has 30 kB."""
_SAMPLE_BYTES = 2
_WORD_BITS = 16
_SMALL_BYTES = 1_000_000_000
_COMPRESSED = 10_000
"""So many times smaller than its values a file may be: the levels of a line, over hours, by the best filters."""


def check_spikeglx(folder: Path) -> None:
    """Check the channels and lines of all metadata files below a folder. Raises ``RecordError``."""
    with read_errors(folder):
        for meta in folder.rglob("*.meta"):
            data = meta.with_suffix(".bin")
            if data.is_file():
                _check_meta(meta, data.stat().st_size)


def _check_meta(meta: Path, data_bytes: int) -> None:
    if meta.stat().st_size > _MOST_META_BYTES:
        raise RecordError(f"{meta}: has {meta.stat().st_size} bytes: it is no metadata file of SpikeGLX")
    # Lines and numbers are read as the library does: it would allocate what is declared in a form unknown here.
    parts = (line.split("=") for line in meta.read_text(errors="replace").splitlines())
    fields = {each[0]: each[1] for each in parts if len(each) == 2}
    channels = _number(fields.get("nSavedChans", ""))
    # One entry for each channel, after a first one for all.
    room = min(data_bytes // _SAMPLE_BYTES, fields.get("~snsChanMap", "").count(")("))
    if channels > room:
        raise RecordError(
            f"{meta}: declares {pluralize(channels, 'channel')}, and names or has data for {room}: it is damaged"
        )
    lines = max(map(_number, re.split("[:,]", fields.get("niXDChans1", ""))))
    if lines >= _WORD_BITS * max(1, channels):
        raise RecordError(f"{meta}: declares digital line {lines}, and {pluralize(channels, 'channel')}: it is damaged")


def _number(text: str) -> int:
    """Return a number; 0 for what the library will refuse."""
    try:
        return int(text)
    except ValueError:
        return 0


def check_open_ephys(folder: Path) -> None:
    """Check the arrays of events below a folder. Raises ``RecordError``."""
    with read_errors(folder):
        for array in folder.rglob("TTL*/*.npy"):
            _check_array(array)
        for file in folder.rglob("*.nwb"):
            check_hdf5(file)


def _check_array(path: Path) -> None:
    with path.open("rb") as file:
        try:
            major, _ = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
            shape, _, kind = read(file)
        except Exception as error:  # numpy raises what its own code does, on a damaged header
            raise RecordError(f"{path}: its events cannot be read: {type(error).__name__}: {error}") from None
        room = path.stat().st_size - file.tell()
    if math.prod(shape) * kind.itemsize > room:
        raise RecordError(f"{path}: declares {math.prod(shape)} values, and has {room} bytes of them: it is cut off")


def check_hdf5(path: Path) -> None:
    """Check the sizes of all datasets of a file. Raises ``RecordError``, and for a damaged file what h5py does."""
    most = max(_SMALL_BYTES, _COMPRESSED * path.stat().st_size)
    with load_library("h5py", path).File(path, "r") as file:
        for name, size in _datasets(file):
            if size > most:
                raise RecordError(f"{path}: {name} declares {size} bytes, which are not in this file: it is damaged")


def _datasets(file: Any) -> Iterator[tuple[str, int]]:
    """Yield the names and sizes of the datasets whose values are in the file itself."""
    found: list[tuple[str, int]] = []

    def take(name: str, each: Any) -> None:
        if getattr(each, "dtype", None) is not None and each.size and not each.is_virtual and not each.external:
            found.append((name, int(each.size) * int(each.dtype.itemsize)))

    file.visititems(take)
    yield from found
