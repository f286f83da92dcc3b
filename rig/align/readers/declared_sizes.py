"""Check what a file of another system declares against its size, before that much is allocated or read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rig.align.readers.options import load_library
from rig.core.errors import RecordError

if TYPE_CHECKING:
    import h5py

_SMALL_BYTES = 1_000_000_000
_COMPRESSED = 10_000
"""So many times smaller than its values a file may be: the levels of a line, over hours, by the best filters."""


def read_array(path: Path) -> NDArray[np.number]:
    """Return a series of numbers that numpy has saved. Raises ``RecordError`` for anything else, or one cut off."""
    with path.open("rb") as file:
        try:
            major, _ = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
            shape, _, kind = read(file)
        except Exception as error:  # numpy raises what its own code does, on a damaged header
            text = f"{type(error).__name__}: {error!s:.200}"
            raise RecordError(f"{path}: its events cannot be read: it is no array of numpy: {text}") from None
        room = path.stat().st_size - file.tell()
        if len(shape) != 1 or kind.kind not in "iuf":
            raise RecordError(f"{path}: has {kind} in the shape {shape}: wanted one series of numbers")
        if shape[0] * kind.itemsize > room:
            raise RecordError(f"{path}: declares {shape[0]} values, and has {room} bytes of them: it is cut off")
        return np.fromfile(file, kind, shape[0])


def check_hdf5(path: Path) -> None:
    """Check the sizes of all datasets of a file. Raises ``RecordError``, and for a damaged file what h5py does."""
    most = max(_SMALL_BYTES, _COMPRESSED * path.stat().st_size)
    with load_library("h5py", path).File(path, "r") as file:
        for name, size in _datasets(file):
            if size > most:
                raise RecordError(f"{path}: {name} declares {size} bytes, which are not in this file: it is damaged")


def _datasets(file: h5py.File) -> Iterator[tuple[str, int]]:
    """Yield the names and sizes of the datasets whose values are in the file itself."""
    sizes: list[tuple[str, int]] = []

    def take(name: str, each: h5py.Dataset | h5py.Group) -> None:
        if getattr(each, "dtype", None) is not None and each.size and not each.is_virtual and not each.external:
            sizes.append((name, int(each.size) * int(each.dtype.itemsize)))

    file.visititems(take)
    yield from sizes
