"""Small recordings of one signal in the formats of other systems, and ways to damage their files."""

from __future__ import annotations

import datetime
import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

RATE_HZ = 1000
_WIDTHS = np.random.default_rng(7).integers(20, 90, 39)
SAMPLES = 120 + np.concatenate([[0], np.cumsum(_WIDTHS)])
"""Samples at which the signal changes; it is off before the first one."""
LEVELS = np.tile([1, 0], 20)
COUNT = int(SAMPLES[-1]) + 150
Damage = Callable[[Path], None]


def signal() -> np.ndarray:
    """The level of each sample."""
    changes = np.zeros(COUNT, np.int64)
    changes[SAMPLES] = np.where(LEVELS == 1, 1, -1)
    return np.cumsum(changes)


def put(path: Path, content: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


# --- SpikeGLX


def spikeglx(stream: str = "nidq", name: str = "run_g0_t0", line: int = 2, beside: int | None = None) -> Damage:
    """A recording whose signal is at a line of the digital word, or at the SYNC input of a probe.

    The line ``beside`` has it too.
    """

    def make(folder: Path) -> None:
        quiet = np.full(COUNT, 7, "<u2")
        level = signal().astype("<u2")
        lines = level << line | (0 if beside is None else level << beside)
        kind = stream[:4] if stream.startswith("imec") else stream[:3] if stream.startswith("obx") else stream
        words, more = {
            "nidq": ([quiet, lines], {"niSampRate": RATE_HZ, "niXDBytes1": 1, "snsMnMaXaDw": "0,0,1,1"}),
            "imec": ([quiet, level << 6], {"imSampRate": RATE_HZ, "imDatPrb_pn": "NP9999", "snsApLfSy": "1,0,1"}),
            "obx": ([quiet, lines, 0 * quiet], {"obSampRate": RATE_HZ, "snsXaDwSy": "1,1,1"}),
        }[kind]
        raw = np.stack(words, axis=1).astype("<u2").tobytes()
        sizes = {"fileSizeBytes": len(raw), "fileTimeSecs": COUNT / RATE_HZ, "nSavedChans": len(words)}
        meta = {"typeThis": kind, "firstSample": 0, "fileName": f"D:/data/{name}.{stream}.bin", **sizes, **more}
        put(folder / f"{name}.{stream}.bin", raw)
        put(folder / f"{name}.{stream}.meta", "".join(f"{key}={value}\n" for key, value in meta.items()))

    return make


def meta(**changes: object) -> Damage:
    """Change fields of all metadata files; None removes one."""

    def damage(folder: Path) -> None:
        for path in folder.rglob("*.meta"):
            fields = dict(line.split("=", 1) for line in path.read_text().splitlines())
            fields |= {key: str(value) for key, value in changes.items()}
            put(path, "".join(f"{key}={value}\n" for key, value in fields.items() if value != "None"))

    return damage


def both(*makes: Damage) -> Damage:
    """Several things, one after the other."""

    def make_all(folder: Path) -> None:
        for make in makes:
            make(folder)

    return make_all


def cut(pattern: str, size: int) -> Damage:
    """Cut files to so many bytes; without so many at their end, if the number is negative."""

    def damage(folder: Path) -> None:
        for path in list(folder.rglob(pattern)):
            put(path, path.read_bytes()[:size])

    return damage


def add(pattern: str, more: str) -> Damage:
    """Append text to files."""

    def damage(folder: Path) -> None:
        for path in list(folder.rglob(pattern)):
            put(path, path.read_bytes() + more.encode())

    return damage


def remove(pattern: str) -> Damage:
    """Remove files."""

    def damage(folder: Path) -> None:
        for path in list(folder.rglob(pattern)):
            path.unlink()

    return damage


def write(name: str, content: bytes | str) -> Damage:
    """Write a file."""
    return lambda folder: put(folder / name, content)


def replace(pattern: str, old: str, new: str) -> Damage:
    """Replace text in files."""

    def damage(folder: Path) -> None:
        for path in list(folder.rglob(pattern)):
            assert old.encode() in path.read_bytes()
            put(path, path.read_bytes().replace(old.encode(), new.encode()))

    return damage


def rename(old: str, new: str) -> Damage:
    """Rename a file or folder."""

    def damage(folder: Path) -> None:
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        (folder / old).rename(folder / new)

    return damage


def link(name: str) -> Damage:
    """Move a file, and leave a link in its place."""

    def damage(folder: Path) -> None:
        (folder / name).rename(folder / "linked")
        (folder / name).symlink_to("linked")

    return damage


# --- Open Ephys

NODE = "Record Node 101"
RECORDING = f"{NODE}/experiment1/recording1"


def binary(
    stream: str = "PXI-100.ProbeA", line: int = 3, at: str = RECORDING, *, rate: bool = False, beside: int | None = None
) -> Damage:
    """A recording in the Binary format of version 0.6; the line ``beside`` has the signal a sample later."""

    def make(folder: Path) -> None:
        recording = folder / at
        ttl = recording / "events" / stream / "TTL"
        ttl.mkdir(parents=True)
        lines = [line] if beside is None else [line, beside]
        states = np.concatenate([[number if level else -number for number in lines] for level in LEVELS])
        samples = np.concatenate([sample + np.arange(len(lines)) for sample in SAMPLES])
        np.save(ttl / "states.npy", states.astype(np.int16))
        np.save(ttl / "sample_numbers.npy", samples.astype(np.int64))
        np.save(ttl / "timestamps.npy", samples / RATE_HZ)
        events = [{"folder_name": f"{stream}/TTL/", "sample_rate": float(RATE_HZ)}] if rate else []
        structure = {"GUI version": "0.6.7", "continuous": [], "events": events, "spikes": []}
        put(recording / "structure.oebin", json.dumps(structure))

    return make


def old_binary() -> Damage:
    """A recording in the Binary format of version 0.5: numbers of samples are called timestamps."""

    def make(folder: Path) -> None:
        ttl = folder / RECORDING / "events" / "Rhythm_FPGA-100.0" / "TTL_1"
        ttl.mkdir(parents=True)
        np.save(ttl / "channel_states.npy", np.where(LEVELS == 1, 3, -3).astype(np.int16))
        np.save(ttl / "timestamps.npy", SAMPLES.astype(np.int64))
        events = [{"folder_name": "Rhythm_FPGA-100.0/TTL_1/", "sample_rate": RATE_HZ}]
        put(folder / RECORDING / "structure.oebin", json.dumps({"GUI version": "0.5.5", "events": events}))

    return make


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "unknown": lambda values: np.full_like(values, -1.0),
    "unknown at first": lambda values: np.where(values < values[5], -1.0, values),
    "unknown now and then": lambda values: np.where(np.arange(len(values)) % 7 == 3, -1.0, values),
    "no number once": lambda values: np.where(values == values[4], np.nan, values),
    "samples": lambda values: SAMPLES,
    "started again": lambda values: (values % (0.7 * values[-1])).astype(values.dtype),
    "16 bits": lambda values: (values * 30).astype(np.int16),
    "shuffled": lambda values: values[np.random.default_rng(3).permutation(len(values))],
    "twice": lambda values: np.repeat(values, 2),
    "three fewer": lambda values: values[:-3],
    "none at all": lambda values: values[:0],
    "two dimensions": lambda values: values[:, None],
    "words": lambda values: values.astype("U2"),
    "fractions": lambda values: values + 0.5,
    "line 0 once": lambda values: values * (np.arange(len(values)) != 5),
    "objects": lambda values: np.array([{} for _ in values]),
}
"""What may happen to the values of an array."""


def arrays(stream: str = "", **changes: str) -> Damage:
    """Change arrays of a recording in the Binary format, by their names; of all streams, or of one."""

    def damage(folder: Path) -> None:
        for name, change in changes.items():
            for path in list((folder / RECORDING / "events" / stream).rglob(f"{name}.npy")):
                np.save(path, CHANGES[change](np.load(path)))

    return damage


def every_array(change: str, stream: str = "") -> Damage:
    """Change all arrays of a recording in the Binary format alike."""
    return arrays(stream, **dict.fromkeys(("states", "sample_numbers", "timestamps"), change))


def events(name: str = "100_Data.events", nodes: tuple[int, ...] = (100,), header: str = "") -> Damage:
    """A recording in the Open Ephys format."""

    def make(folder: Path) -> None:
        usual = f"header.format = 'Open Ephys Data Format';\nheader.version = 0.6;\nheader.sampleRate = {RATE_HZ};\n"
        rows = [
            struct.pack("<qhBBBBH", sample + at, 0, 3, node, level, 2, 0)
            for sample, level in zip(SAMPLES, LEVELS, strict=True)
            for at, node in enumerate(nodes)
        ]
        put(folder / NODE / name, (header or usual).encode().ljust(1024) + b"".join(rows))

    return make


def open_ephys_nwb(*names: str) -> Damage:
    """A recording in the NWB format of Open Ephys."""

    def make(folder: Path) -> None:
        import h5py

        put(folder / NODE / "settings.xml", "<x/>")
        with h5py.File(folder / NODE / "experiment1.nwb", "w") as file:
            for name in names:
                group = file.create_group(f"acquisition/{name}.TTL")
                group["data"] = np.where(LEVELS == 1, 3, -3).astype(np.int8)
                group["sync"], group["timestamps"] = SAMPLES, SAMPLES / RATE_HZ

    return make


# --- NWB


def nwb(*fills: Callable[[Any], None]) -> Damage:
    """An NWB file with some objects."""

    def make(folder: Path) -> None:
        import pynwb

        start = datetime.datetime(2026, 11, 25, 9, tzinfo=datetime.UTC)
        file = pynwb.NWBFile(session_description="a session", identifier="1", session_start_time=start)
        for fill in fills:
            fill(file)
        with pynwb.NWBHDF5IO(str(folder / "a.nwb"), "w") as target:
            target.write(file)

    return make


def series(data: Any, name: str = "sync", **how: Any) -> Callable[[Any], None]:
    """A series at a rate, unless it has times."""

    def fill(file: Any) -> None:
        from pynwb import TimeSeries

        timing = how if "timestamps" in how else {"rate": float(RATE_HZ), **how}
        file.add_acquisition(TimeSeries(name=name, data=data, unit="V", **timing))

    return fill


def table(rows: list[dict[str, Any]]) -> Callable[[Any], None]:
    """A table of intervals; a row needs start_time and stop_time."""

    def fill(file: Any) -> None:
        from pynwb.epoch import TimeIntervals

        intervals = TimeIntervals(name="ttl", description="pulses")
        for name in rows[0].keys() - {"start_time", "stop_time"}:
            intervals.add_column(name=name, description="a column")
        for row in rows:
            intervals.add_row(**row)
        file.add_time_intervals(intervals)

    return fill


def hdf5(change: Callable[[Any], None]) -> Damage:
    """Change the values in an HDF5 file."""

    def damage(folder: Path) -> None:
        import h5py

        with h5py.File(folder / "a.nwb", "r+") as file:
            change(file)

    return damage


# --- recordings as data

STEPS: dict[str, Callable[..., Damage]] = {
    step.__name__: step
    for step in (
        *(spikeglx, meta, binary, old_binary, arrays, every_array, events, open_ephys_nwb),
        *(cut, add, remove, write, replace, rename, link),
    )
}


def steps(names: Sequence[Any]) -> Damage:
    """Return what a file of cases makes or damages: names of functions, each alone or with its arguments."""
    return both(*(_step(*((name, []) if isinstance(name, str) else next(iter(name.items())))) for name in names))


def _step(name: str, given: Any) -> Damage:
    arguments = given if isinstance(given, list) else [given]
    values = [value for value in arguments if not isinstance(value, dict)]
    named = {key: value for value in arguments if isinstance(value, dict) for key, value in value.items()}
    return STEPS[name](*values, **named)
