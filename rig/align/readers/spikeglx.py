"""Read one line of a SpikeGLX recording: a digital line of the NI device or OneBox, or the SYNC input of a probe.

A .bin file is nothing but samples of 16 bits, and its .meta file says which of them are digital. Neither the type of a
probe nor its gains matter here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Flags
from rig.align.readers.options import ReadOptions, chosen
from rig.align.readers.sampled import BLOCK, edges_of_samples
from rig.align.readers.spikeglx_meta import WORD_BITS, Meta, is_meta, read_meta
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import read_errors
from rig.terminal.format import pluralize

SYNC_BIT = 6
"""The bit of the SYNC input in the last word of a probe's samples (SpikeGLX manual, metadata help)."""
_STREAM = re.compile(r".*?(?P<stream>nidq|(?:imec|obx)\d*(?:\.[a-z]+)?)", re.DOTALL)
_MAX_LISTED = 10
Words: TypeAlias = NDArray[np.uint16]
"""Samples, each with its words."""


def read_spikeglx(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of one line, at seconds since the first sample. Raises ``ConfigError``, ``RecordError``.

    ``path`` is the folder of a run, or one of its files; ``stream`` is ``nidq``, ``imec0.ap`` or the like.
    """
    with read_errors(path):
        meta_path = _meta_file(path, options)
        data = _data_of(meta_path)
        meta = read_meta(meta_path, data, options.rate_hz)
        samples = np.memmap(data, dtype="<u2", mode="r", shape=(meta.samples, meta.words))
        word, bit = _word_and_bit(data, samples, meta, options.line)
        edges = edges_of_samples(_levels(samples, word, bit), meta.rate_hz, start_s=0.0, notes=meta.notes)
        if not len(edges.times_s):
            text = f"no edges in {len(samples) / meta.rate_hz:.3f} s; {_lines_with_edges_text(samples, meta)}"
            raise RecordError(f"{data}: {_input_name(meta, word, bit)} has {text}")
    return edges


def _meta_file(path: Path, options: ReadOptions) -> Path:
    """Return the metadata file of the stream that is chosen. Raises ``ConfigError``, ``RecordError``."""
    if not path.is_dir():
        meta = path.with_suffix(".meta")
        if not meta.is_file():
            raise RecordError(f"{path}: its metadata, {meta.name}, is not beside it, and says what the samples are")
        if not is_meta(meta):
            raise RecordError(f"{meta}: is no metadata of SpikeGLX: typeThis is not nidq, imec or obx")
        return meta
    # Files whose names begin with a dot are those that macOS leaves beside the files on another disk.
    files = [meta for meta in sorted(path.rglob("*.meta")) if not meta.name.startswith(".") and meta.is_file()]
    streams: dict[str, list[Path]] = {}
    for meta in filter(is_meta, files):
        streams.setdefault(_stream_name(meta), []).append(meta)
    if not streams:
        there = f"none of its {pluralize(len(files), '.meta file')} is one of SpikeGLX" if files else "no .meta file"
        raise RecordError(f"{path}: has no stream of SpikeGLX, {there}: wanted a folder with .meta and .bin files")
    name = chosen(path, "--stream", options.stream, sorted(streams))
    if len(streams[name]) > 1:
        listed = ", ".join(str(meta.with_suffix(".bin").relative_to(path)) for meta in streams[name][:_MAX_LISTED])
        raise ConfigError(
            f"{path}: has {len(streams[name])} recordings of {name}, by their runs, gates or triggers: "
            f"give the file of one of them: {listed}"
        )
    return streams[name][0]


def _stream_name(meta: Path) -> str:
    """Return what follows the name of the run; a renamed file has its whole name."""
    stem = meta.with_suffix("").name
    after = re.sub(r".*_t(?:\d+|cat)\.", "", stem, count=1)
    match = _STREAM.fullmatch(after)
    return match["stream"] if match else stem


def _data_of(meta: Path) -> Path:
    data = meta.with_suffix(".bin")
    if data.is_file():
        return data
    if meta.with_suffix(".cbin").is_file():
        raise RecordError(f"{meta.with_suffix('.cbin')}: is compressed: decompress it to {data.name} first")
    raise RecordError(f"{data}: the samples that belong to {meta.name} are not there")


def _word_and_bit(data: Path, samples: Words, meta: Meta, line: int | None) -> tuple[int, int]:
    """Return which word of a sample has the line, and at which bit. Raises ``ConfigError``, ``RecordError``.

    Lines are those of the digital words. A probe has none: its lines are the bits of its SYNC word.
    """
    if meta.kind == "nidq" or (meta.kind == "obx" and line is not None):
        if not meta.digital:
            raise RecordError(f"{data}: no digital word was saved: its device recorded no digital line")
        numbers = range(meta.lines) if line is not None else _lines_with_edges(samples, meta)
        if not numbers:
            raise RecordError(f"{data}: none of its {meta.lines} digital lines has an edge")
        names = [str(number) for number in numbers]
        number = int(chosen(data, "--line", None if line is None else str(line), names))
        return meta.digital[number // WORD_BITS], number % WORD_BITS
    if meta.sync is None:
        raise RecordError(f"{data}: the word with the SYNC input was not saved")
    bit = SYNC_BIT if line is None else line
    if not 0 <= bit < WORD_BITS:
        raise ConfigError(f"{data}: --line {line}: wanted a number from 0 to {WORD_BITS - 1}")
    return meta.sync, bit


def _levels(samples: Words, word: int, bit: int) -> Iterator[Flags]:
    for start in range(0, len(samples), BLOCK):
        yield (samples[start : start + BLOCK, word] >> bit & 1).astype(np.bool_)


def _input_name(meta: Meta, word: int, bit: int) -> str:
    if word in meta.digital:
        return f"line {meta.digital.index(word) * WORD_BITS + bit}"
    return f"the SYNC input (bit {bit} of the last word)"


def _lines_with_edges_text(samples: Words, meta: Meta) -> str:
    lines = _lines_with_edges(samples, meta)
    if not lines:
        return "no line has any"
    return f"--line: {pluralize(len(lines), 'line')} with edges: {', '.join(map(str, lines[:_MAX_LISTED]))}"


def _lines_with_edges(samples: Words, meta: Meta) -> list[int]:
    """Return the digital lines that change, and the bits of a probe's SYNC word."""
    words = meta.digital or ([] if meta.sync is None else [meta.sync])
    changed = [(_changed_bits(samples, word) >> np.arange(WORD_BITS)) & 1 for word in words]
    return np.flatnonzero(np.concatenate(changed)).tolist() if changed else []


def _changed_bits(samples: Words, word: int) -> int:
    changed = 0
    for start in range(0, len(samples), BLOCK):
        part = np.asarray(samples[max(0, start - 1) : start + BLOCK, word])
        changed |= int(np.bitwise_or.reduce(part[1:] ^ part[:-1], initial=0))
    return changed
