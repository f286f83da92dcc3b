"""Read one line of a SpikeGLX recording: a digital line of the NI device, or the SYNC input of a probe.

neo finds and describes the files. The samples are read here, block by block: neo's own reader of events unpacks the
whole recording at once, 2 GB for three hours, knows 8 lines, and none of the probes'.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Flags
from rig.align.readers.declared_sizes import check_spikeglx
from rig.align.readers.options import ReadOptions, chosen, load_library
from rig.align.readers.sampled import BLOCK, edges_of_samples
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import read_errors

SYNC_BIT = 6
"""The bit of the SYNC input in the last word of a probe's samples (SpikeGLX manual, metadata help)."""
_WORD_BITS = 16


def read_spikeglx(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of one line, at seconds of the stream's own sampling. Raises ``ConfigError``, ``RecordError``.

    ``path`` is the folder of a run, or one of its files; ``stream`` is ``nidq``, ``imec0.ap`` or the like.
    """
    library = load_library("neo.rawio", path)
    streams = _streams(library, path)
    name = chosen(path, "--stream", options.stream, sorted(streams))
    info = streams[name]
    word, bit = _word_and_bit(path, info, options.line)
    with read_errors(path):
        shape = (int(info["sample_length"]), int(info["num_chan"]))
        samples = np.memmap(info["bin_file"], dtype="<u2", mode="r", shape=shape, order="C")
        rate_hz = options.rate_hz or float(info["sampling_rate"])
        return edges_of_samples(_levels(samples, word, bit), rate_hz, start_s=0.0)


def _streams(library: Any, path: Path) -> dict[str, Any]:
    folder = path if path.is_dir() else path.parent
    check_spikeglx(folder)
    reader = library.SpikeGLXRawIO(dirname=str(folder))
    try:
        reader.parse_header()
    except Exception as error:  # neo raises what its own code does, on a damaged folder
        raise RecordError(f"{path}: cannot be read as a SpikeGLX recording: {type(error).__name__}: {error}") from error
    described = {key: value for key, value in reader.signals_info_dict.items() if not str(key[1]).endswith("-SYNC")}
    parts = {key[0] for key in described}
    if len(parts) > 1:
        raise RecordError(f"{path}: has {len(parts)} gates or triggers, each with its own clock: give a folder of one")
    found = {str(key[1]): value for key, value in described.items()}
    if not path.is_dir():
        stem = path.with_suffix("").name
        found = {name: value for name, value in found.items() if Path(str(value["bin_file"])).stem == stem}
    if not found:
        raise RecordError(f"{path}: has no stream of SpikeGLX: wanted a folder with .meta and .bin files")
    return found


def _word_and_bit(path: Path, info: Any, line: int | None) -> tuple[int, int]:
    """Return which word of a sample has the line, and at which bit. Raises ``ConfigError``."""
    words = int(info["num_chan"])
    if info["device_kind"] != "nidq":
        return words - 1, SYNC_BIT if line is None else _bounded(path, line, _WORD_BITS - 1)
    analog = len(info["analog_channels"])
    lines = [str(name).removeprefix("XD") for name in info["digital_channels"]]
    if not lines or words <= analog:
        raise RecordError(f"{path}: its NI device has no digital line")
    number = int(chosen(path, "--line", None if line is None else str(line), lines))
    return _bounded(path, analog + number // _WORD_BITS, words - 1), number % _WORD_BITS


def _bounded(path: Path, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise ConfigError(f"{path}: --line {value}: wanted a number from 0 to {most}")
    return value


def _levels(samples: NDArray[np.uint16], word: int, bit: int) -> Iterator[Flags]:
    for start in range(0, len(samples), BLOCK):
        yield (samples[start : start + BLOCK, word] >> bit & 1).astype(np.bool_)
