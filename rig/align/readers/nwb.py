"""Read edges from an NWB file: a table of events or intervals, or a time series of levels or of a sampled signal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rig.align.readers.declared_sizes import check_hdf5
from rig.align.readers.nwb_series import channels_of, is_series, recording_of_series
from rig.align.readers.nwb_table import START_COLUMNS, recording_of_table
from rig.align.readers.options import ReadOptions, chosen, load_library
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError

if TYPE_CHECKING:
    from hdmf.common import DynamicTable
    from pynwb import NWBFile, TimeSeries


def read_nwb(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of one object of a file. Raises ``ConfigError``, and ``RecordError`` for a damaged file.

    A row of a table is a rising edge at its time; with a ``duration`` or a ``stop_time`` it has a falling one, too.
    With ``level``, a column of the table says what each row is. Of a signal, ``line`` is the channel, or the bit of
    whole numbers.
    """
    library = load_library("pynwb", path)
    if path.is_dir():
        raise RecordError(f"{path}: is a folder: wanted an NWB file, in HDF5 (not Zarr)")
    try:
        check_hdf5(path)
        with library.NWBHDF5IO(str(path), "r") as source:
            candidates = _candidates(source.read(), options.series)
            if not candidates:
                raise RecordError(f"{path}: has no table with times and no time series of numbers or words")
            name = chosen(path, "--series", options.series, sorted(candidates))
            return _read(path, name, candidates[name], options)
    except (ConfigError, RecordError):
        raise
    except Exception as error:  # pynwb and h5py raise what their own code does, on a damaged file
        raise RecordError(f"{path}: cannot be read as NWB: {type(error).__name__}: {error!s:.200}") from error


def _read(path: Path, name: str, each: TimeSeries | DynamicTable, options: ReadOptions) -> Recording:
    try:
        if getattr(each, "colnames", None) is not None:
            return recording_of_table(path, each, options)
        return recording_of_series(path, each, options)
    except RecordError as error:
        raise RecordError(f"{path}: {name}: {error.lines[0]}", *error.lines[1:]) from error


def _candidates(file: NWBFile, wanted: str | None) -> dict[str, TimeSeries | DynamicTable]:
    """Return the objects that can be read, by name; by path where a name is there twice.

    Series of several channels are recordings and positions, as a rule: they count if one is wanted, or nothing else is
    there.
    """
    found: dict[str, list[TimeSeries | DynamicTable]] = {}
    for each in file.objects.values():
        columns = getattr(each, "colnames", None)
        is_table = columns is not None and any(name in columns for name in START_COLUMNS)
        if is_table or is_series(each):
            found.setdefault(each.name, []).append(each)
    by_name = {
        name if len(all_of_it) == 1 else f"{each.parent.name}/{name}": each
        for name, all_of_it in found.items()
        for each in all_of_it
    }
    single = {name: each for name, each in by_name.items() if hasattr(each, "colnames") or channels_of(each) == 1}
    return single if single and wanted not in by_name.keys() - single.keys() else by_name
