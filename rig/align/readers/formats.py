"""The formats of other systems, by name; and which one a path probably has."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from rig.align.readers.csv_file import read_csv
from rig.align.readers.format_names import CSV, FORMATS, NWB, OPEN_EPHYS, SPIKEGLX
from rig.align.readers.nwb import read_nwb
from rig.align.readers.open_ephys import read_open_ephys
from rig.align.readers.open_ephys_files import is_ttl_folder
from rig.align.readers.options import ReadOptions
from rig.align.readers.spikeglx import read_spikeglx
from rig.align.recording import Recording
from rig.core.errors import ConfigError

READERS: dict[str, Callable[[Path, ReadOptions], Recording]] = {
    CSV: read_csv,
    OPEN_EPHYS: read_open_ephys,
    SPIKEGLX: read_spikeglx,
    NWB: read_nwb,
}
_OPEN_EPHYS = (".events", ".oebin", ".openephys")
_SUFFIXES = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), CSV),
    ".nwb": NWB,
    **dict.fromkeys((".meta", ".bin"), SPIKEGLX),
    **dict.fromkeys(_OPEN_EPHYS, OPEN_EPHYS),
}
_IN_FOLDERS = {".meta": SPIKEGLX, **dict.fromkeys(_OPEN_EPHYS, OPEN_EPHYS)}
"""Tables, files of NWB and .bin files lie in any folder: they do not say that it is a recording."""
_RECORD_NODE = re.compile(r"record[ _-]?node", re.IGNORECASE)


def format_of(path: Path) -> str:
    """Return the format that a path has by its name or its files. Raises ``ConfigError`` if it shows none, or two."""
    if path.is_file():
        found = {_SUFFIXES.get(path.suffix.lower(), "")} - {""}
    else:
        found = {form for place in (path, *path.rglob("*")) if (form := _shown_by(place))}
    if len(found) == 1:
        return found.pop()
    forms = sorted(found) or FORMATS
    raise ConfigError(f"{path}: of which format? --format one of: {', '.join(forms)}")


def _shown_by(place: Path) -> str | None:
    """Return the format of a folder of recordings that has this file or folder."""
    if is_ttl_folder(place) or _RECORD_NODE.match(place.name):
        return OPEN_EPHYS
    return None if place.name.startswith(".") else _IN_FOLDERS.get(place.suffix.lower())


def read_recording(path: Path, form: str | None, options: ReadOptions) -> Recording:
    """Read the edges of a file or folder. Raises ``ConfigError`` and ``RecordError``."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file or folder")
    return READERS[form or format_of(path)](path, options)
