"""What `rig align` has found for a session: the clocks of other systems, and the numbered frames of cameras.

The tables of each export get further columns from here: each time, on each of the other clocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from rig.core.errors import RecordError
from rig.core.model.microseconds import US
from rig.records.alignments.alignment import Mapping as Alignment
from rig.records.alignments.alignment import alignment_files, read_alignment
from rig.records.alignments.camera_frames import PREFIX, CameraFrame, frame_files, read_frames
from rig.records.tables.times import LONGEST_S

_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")
_ENDINGS_OF_NWB = ("_time", "_index")
"""In NWB, names that end so mean something else: a time of the session, and the ends of lists."""

_RESERVED = ("shown",)
"""``frames_shown`` are those of the screen."""

_Found = TypeVar("_Found")


class ClockColumn(NamedTuple):
    """A column of times on another clock, in seconds; None where the clocks are not aligned."""

    name: str
    text: str
    values: list[float | None]


class NumberedFrames(NamedTuple):
    """The frames of a camera whose exposures went to ``channel``; ``name`` is that of their table."""

    name: str
    channel: str
    frames: Sequence[CameraFrame]


@dataclass(frozen=True)
class OtherClocks:
    """The clocks by the names of their alignments, and the frames; ``damage`` says which files cannot be read."""

    alignments: Mapping[str, Alignment] = field(default_factory=dict)
    frames: Sequence[NumberedFrames] = ()
    damage: tuple[str, ...] = ()

    def columns(
        self, times: Mapping[str, Sequence[float | None]], taken: Collection[str], ending: str = ""
    ) -> list[ClockColumn]:
        """Return for each column of times, and each clock, a column of the times on this clock.

        ``times`` are columns of session time in seconds, by their names. The new column of ``t_s`` and the clock
        ``probe`` is ``t_probe`` with the ``ending``; underscores make its name differ from those ``taken``.
        """
        names, found = {*taken}, []
        words = self.words
        for column, values in times.items():
            session_us = np.array([_microseconds(value) for value in values], dtype=np.float64)
            for name, alignment in self.alignments.items():
                stem = f"{column.removesuffix('_s')}_{words[name]}"
                while f"{stem}{ending}" in names or f"{stem}{ending}".endswith(_ENDINGS_OF_NWB):
                    stem += "_"
                names.add(f"{stem}{ending}")
                seconds = [None if value != value else value for value in alignment.to_other(session_us).tolist()]
                found.append(ClockColumn(f"{stem}{ending}", _text(column, alignment), seconds))
        return found

    @property
    def words(self) -> dict[str, str]:
        """Return for each alignment the word that stands for it in names of columns: letters, digits, underscores."""
        return _words(self.alignments)


def read_other_clocks(session: Path) -> OtherClocks:
    """Read what `rig align` wrote into a session's folder; a file that cannot be read is named, and left out."""
    damage: list[str] = []
    paths = _readable(partial(alignment_files, session, "", ".json"), damage) or {}
    found = {name: _readable(partial(read_alignment, path), damage) for name, path in paths.items()}
    files = _readable(partial(frame_files, session), damage) or {}
    frames = {channel: _readable(partial(read_frames, path), damage) for channel, path in files.items()}
    words = _words(files, _RESERVED)
    return OtherClocks(
        {name: alignment for name, alignment in found.items() if alignment is not None},
        [NumberedFrames(PREFIX + words[name], name, rows) for name, rows in frames.items() if rows is not None],
        tuple(dict.fromkeys(damage)),
    )


def _readable(read: Callable[[], _Found], damage: list[str]) -> _Found | None:
    try:
        return read()
    except RecordError as error:
        damage += error.lines
        return None


def _words(names: Collection[str], reserved: Collection[str] = ()) -> dict[str, str]:
    """Return different words for different names, none of them reserved."""
    words: dict[str, str] = {}
    for name in names:
        word = _UNSAFE.sub("_", name)
        while word in reserved or word in words.values():
            word += "_"
        words[name] = word
    return words


def _microseconds(seconds: float | None) -> float:
    if seconds is None or not abs(seconds) < LONGEST_S:
        return float("nan")
    return float(round(seconds * US))


def _text(column: str, alignment: Alignment) -> str:
    return (
        f"{column} on the clock of {alignment.name}, {residual_text(alignment)}; missing where the clocks are not "
        "aligned"
    )


def residual_text(alignment: Alignment) -> str:
    """Return how well a mapping is known, in words."""
    return f"residual below {alignment.uncertainty_us:.4g} us for 99 % of the codes or pulses"
