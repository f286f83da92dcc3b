"""The formats of other systems, by name; and which one a path probably has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rig.align.readers.csv_file import read_csv
from rig.align.readers.nwb import read_nwb
from rig.align.readers.open_ephys import read_open_ephys
from rig.align.readers.options import ReadOptions
from rig.align.readers.spikeglx import read_spikeglx
from rig.align.recording import Recording
from rig.core.errors import ConfigError

CSV, OPEN_EPHYS, SPIKEGLX, NWB = "csv", "open-ephys", "spikeglx", "nwb"
FORMATS: dict[str, Callable[[Path, ReadOptions], Recording]] = {
    CSV: read_csv,
    OPEN_EPHYS: read_open_ephys,
    SPIKEGLX: read_spikeglx,
    NWB: read_nwb,
}
_SUFFIXES = {".csv": CSV, ".tsv": CSV, ".txt": CSV, ".nwb": NWB, ".meta": SPIKEGLX, ".bin": SPIKEGLX}


def format_of(path: Path) -> str:
    """Return the format that a path has by its name or its files. Raises ``ConfigError`` if it shows none."""
    if path.is_file():
        found = _SUFFIXES.get(path.suffix.lower())
    elif any(folder.name.startswith("Record Node") for folder in (path, *path.parents, *path.glob("*"))):
        found = OPEN_EPHYS
    else:
        found = SPIKEGLX if next(path.rglob("*.meta"), None) is not None else None
    if found is None:
        raise ConfigError(f"{path}: of which format? --format one of: {', '.join(FORMATS)}")
    return found


def read_recording(path: Path, form: str | None, options: ReadOptions) -> Recording:
    """Read the edges of a file or folder. Raises ``ConfigError`` and ``RecordError``."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file or folder")
    return FORMATS[form or format_of(path)](path, options)
