"""The frames of a camera, as `rig align --frames` has numbered them: ``alignment/frames_CHANNEL.csv``."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.records.alignments.alignment import alignment_files
from rig.system.atomic_files import read_errors

PREFIX = "frames_"
MAX_BYTES = 512 << 20
"""Maximum size of a file; a day at 100 frames a second has about 200 MB."""
_HEAD = ["frame", "t_us", "edge"]
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class CameraFrame(NamedTuple):
    """A frame: its number, the time of its edge in the session, and whether the journal has this edge.

    Without an edge the time is that between the neighbors; it is None before the first and after the last edge.
    """

    number: int
    t_us: int | None
    edge: bool


def frame_files(session: Path) -> dict[str, Path]:
    """Return the files of numbered frames of a session's folder, by the input. Raises ``RecordError``."""
    return alignment_files(session, PREFIX, ".csv")


def read_frames(path: Path) -> list[CameraFrame]:
    """Load the numbered frames of one camera. Raises ``RecordError``, which says what is wrong and where."""
    with read_errors(path):
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 20} MB")
        try:
            with path.open(encoding="utf-8", newline="") as file:
                return list(_frames(csv.reader(file, strict=True)))
        except (ValueError, csv.Error) as error:
            raise RecordError(f"{path}: {error}; `rig align --frames ... --force` writes it again") from error


def _frames(rows: Iterator[list[str]]) -> Iterator[CameraFrame]:
    if next(rows, []) != _HEAD:
        raise ValueError(f"line 1: wanted the columns {', '.join(_HEAD)}")
    for place, row in enumerate(rows, start=2):
        match row:
            case [number, "", "0"] if _NUMBER.fullmatch(number):
                yield CameraFrame(int(number), None, False)
            case [number, t_us, "0" | "1" as edge] if _NUMBER.fullmatch(number) and _NUMBER.fullmatch(t_us):
                yield CameraFrame(int(number), int(t_us), edge == "1")
            case _:
                raise ValueError(f"line {place}: wanted a number, a time in microseconds or nothing, and 1 or 0")
