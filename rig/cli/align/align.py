"""``rig align``: align another system's recording with a session, or number a camera's frames."""

from __future__ import annotations

import argparse
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from rig.align.alignment import Alignment, align
from rig.align.document import (
    alignment_folder,
    as_json,
    checked_name,
    document_of,
    frames_table,
    sha256_of,
    write_beside,
)
from rig.align.frames import Frames, frame_edges, number_frames
from rig.align.readers.formats import read_recording
from rig.align.readers.options import ReadOptions
from rig.align.recording import Recording
from rig.align.signal import session_signal
from rig.cli.align.answer import alignment_lines, frames_lines
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.records.alignments.alignment import NAME
from rig.records.journal.read import journal_of
from rig.system.statuses import OK

_NO_PLOT = "no figure: matplotlib is missing (pip install 'behavior-rig[analysis]')"


def run(arguments: argparse.Namespace) -> int:
    """Run the alignment, print it, and write it beside the session. Raises ``ConfigError``, ``RecordError``."""
    session = journal_of(Path(arguments.session)).parent
    source = Path(arguments.file)
    recording = _part(read_recording(source, arguments.format, _options(arguments)), arguments)
    try:
        if arguments.frames is not None:
            _number_frames(session, source, recording, arguments)
        else:
            _align(session, source, recording, arguments)
    except RecordError as error:
        hint = (recording.hint,) if recording.hint else ()
        raise type(error)(f"{source}: {error.lines[0]}", *error.lines[1:], *hint) from error
    return OK


def _options(arguments: argparse.Namespace) -> ReadOptions:
    if arguments.rate is not None and not 0 < arguments.rate < float("inf"):
        raise ConfigError(f"--rate {arguments.rate}: wanted samples in a second, such as 30000")
    return ReadOptions(
        arguments.time,
        arguments.level,
        arguments.number,
        _where(arguments.where),
        arguments.unit,
        arguments.rate,
        arguments.line,
        arguments.stream,
        arguments.series,
        arguments.wrap,
    )


def _where(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    column, sign, value = text.partition("=")
    if not column or not sign:
        raise ConfigError(f"--where {text}: wanted COLUMN=VALUE, such as channel=3")
    return column, value


def _part(recording: Recording, arguments: argparse.Namespace) -> Recording:
    """Return the part of a recording that the options choose. Raises ``ConfigError``."""
    count = len(recording.times_s)
    if arguments.edges is not None:
        numbers = re.fullmatch(r"(\d{1,12})-(\d{1,12})", arguments.edges)
        if numbers is None or not 1 <= int(numbers[1]) <= int(numbers[2]) <= count:
            raise ConfigError(f"--edges {arguments.edges}: wanted FIRST-LAST within 1-{count}")
        recording = recording.part(int(numbers[1]), int(numbers[2]))
    if arguments.from_s is not None or arguments.to_s is not None:
        low = -np.inf if arguments.from_s is None else arguments.from_s
        recording = recording.between(low, np.inf if arguments.to_s is None else arguments.to_s)
        if not len(recording.times_s):
            raise ConfigError("--from, --to: there are no edges of the recording between these times")
    return recording


def _align(session: Path, source: Path, recording: Recording, arguments: argparse.Namespace) -> None:
    name = checked_name(arguments.name or _name_of(source))
    if arguments.plot is not None and Path(arguments.plot).suffix.lower() != ".png":
        # Found before the alignment is written, and never over a recording or a journal.
        raise ConfigError(f"--plot {arguments.plot}: the figure is a PNG: wanted a name that ends in .png")
    path = _free(session, f"{name}.json", arguments)
    signal = session_signal(session, arguments.output)
    found = align(signal, recording, name, arguments.near)
    document = document_of(found, source, recording, sha256_of(source))
    written = [write_beside(session, path.name, as_json(document), force=arguments.force)]
    written += _plot(found, arguments.plot)
    if arguments.json:
        print_json({**document, "written": [str(each) for each in written]})
    else:
        print(*alignment_lines(f"{session}", source.name, found, signal), sep="\n")
        _print_written(written)


def _name_of(source: Path) -> str:
    """Return the name of the file as that of an alignment."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", source.stem if source.is_file() else source.name).strip("._-")
    return name if NAME.fullmatch(name) else "recording"


def _free(session: Path, file: str, arguments: argparse.Namespace) -> Path:
    """Return the path of a new file, before the work begins. Raises ``ConfigError`` if it is there."""
    path = alignment_folder(session) / file
    if path.exists() and not arguments.force:
        raise ConfigError(f"{path}: is there already: --force replaces it, --name gives another name")
    return path


def _plot(found: Alignment, file: str | None) -> list[Path]:
    if file is None:
        return []
    if find_spec("matplotlib") is None:
        print(_NO_PLOT, file=sys.stderr)
        return []
    from rig.align.plot import save_residuals

    return [save_residuals(found, Path(file))]


def _number_frames(session: Path, source: Path, recording: Recording, arguments: argparse.Namespace) -> None:
    channel = str(arguments.frames)
    if not NAME.fullmatch(channel):
        raise ConfigError(f"--frames {channel!r:.80}: wanted an input of the session, such as camera.ttl")
    path = _free(session, f"frames_{channel}.csv", arguments)
    edges_us = frame_edges(session, channel)
    found = number_frames(edges_us, recording, arguments.first_frame, arguments.near)
    table = frames_table(found.numbers.tolist(), found.t_us, found.measured.tolist())
    written = write_beside(session, path.name, table, force=arguments.force)
    if arguments.json:
        print_json({**_frames_document(found), "written": [str(written)]})
    else:
        print(*frames_lines(f"{session}", source.name, channel, found), sep="\n")
        _print_written([written])


def _frames_document(found: Frames) -> dict[str, object]:
    return {
        "kind": "frames",
        "frames": len(found.numbers),
        "edges": found.edges,
        "by": found.how,
        "without_edge": int((~found.measured).sum()),
        "dropped": len(found.dropped_us),
        "dropped_t_us": found.dropped_us.tolist(),
    }


def _print_written(paths: list[Path]) -> None:
    print(*(f"written: {path}" for path in paths), sep="\n")
