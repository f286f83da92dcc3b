"""How the session's clock maps onto the clocks of other systems, as `rig align` has written it beside the session.

``alignment/NAME.json`` holds one mapping. It consists of straight pieces. Between pieces, and outside them, the mapping
is not known, and gives NaN: a time is never guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rig.core.errors import RecordError
from rig.system.atomic_files import read_errors

FOLDER = "alignment"
FORMAT = 1
KIND = "alignment"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""What an alignment may be called: the name is a file's, too."""
MAX_BYTES = 64 << 20
"""Maximum size of a file of one mapping; that of a session of a day has about 0.1 MB."""
MAX_PIECES = 200_000
MAX_NUMBER = 1e18
"""Far beyond any time of a clock, in seconds or in microseconds."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Piece:
    """A stretch of the session, from ``from_us`` to ``to_us``, in which the other clock runs steadily.

    At ``t_us`` it shows ``offset_s + rate * (t_us - from_us) / 1e6`` seconds.
    """

    from_us: float
    to_us: float
    offset_s: float
    rate: float

    @property
    def end_s(self) -> float:
        """Return what the other clock shows at the end of the piece."""
        return self.offset_s + self.rate * (self.to_us - self.from_us) / 1e6


@dataclass(frozen=True)
class Mapping:
    """The mapping between the session's clock (microseconds) and another system's (seconds), both ways.

    ``uncertainty_us`` bounds the error of the mapping itself: 99 % of the codes or pulses deviate less from it.
    ``pieces`` are in order, and no two of them overlap on either clock. Raises ``ValueError`` for others.
    """

    name: str
    pieces: Sequence[Piece]
    uncertainty_us: float
    source: str = ""
    _from_us: Floats = field(init=False, repr=False, compare=False)
    _to_us: Floats = field(init=False, repr=False, compare=False)
    _from_s: Floats = field(init=False, repr=False, compare=False)
    _to_s: Floats = field(init=False, repr=False, compare=False)
    _rate: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values = {
            "_from_us": [piece.from_us for piece in self.pieces],
            "_to_us": [piece.to_us for piece in self.pieces],
            "_from_s": [piece.offset_s for piece in self.pieces],
            "_to_s": [piece.end_s for piece in self.pieces],
            "_rate": [piece.rate for piece in self.pieces],
        }
        for key, numbers in values.items():
            object.__setattr__(self, key, np.asarray(numbers, dtype=np.float64))
        self._check()

    def to_other(self, t_us: ArrayLike) -> Floats:
        """Convert times of the session, in microseconds, to seconds of the other clock; NaN where it is not known."""
        times = np.asarray(t_us, dtype=np.float64)
        place, known = _pieces_at(times, self._from_us, self._to_us)
        shown_s = self._from_s[place] + self._rate[place] * (times - self._from_us[place]) / 1e6
        return np.where(known, shown_s, np.nan)

    def to_session(self, other_s: ArrayLike) -> Floats:
        """Convert seconds of the other clock to microseconds of the session; NaN where they are not known."""
        times = np.asarray(other_s, dtype=np.float64)
        place, known = _pieces_at(times, self._from_s, self._to_s)
        session_us = self._from_us[place] + (times - self._from_s[place]) * 1e6 / self._rate[place]
        return np.where(known, session_us, np.nan)

    def _check(self) -> None:
        columns = (self._from_us, self._to_us, self._from_s, self._to_s, self._rate)
        if not self.pieces or not all(np.isfinite(column).all() for column in columns):
            raise ValueError("a mapping needs one piece or more, of finite numbers")
        if (self._to_us < self._from_us).any() or (self._rate <= 0).any():
            raise ValueError("a piece must not end before it begins, and its rate must be above 0")
        # The ends of adjacent pieces may differ in the last digit.
        for start, end, slack in ((self._from_us, self._to_us, 0.5), (self._from_s, self._to_s, 0.5e-6)):
            if (start[1:] < end[:-1] - slack).any():
                raise ValueError("two pieces overlap")


def _pieces_at(times: Floats, starts: Floats, ends: Floats) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    place = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, None)
    return place, (times >= starts[place]) & (times <= ends[place])


def alignments_of(session: Path) -> dict[str, Mapping]:
    """Load all mappings of a session's folder, by name; {} without one. Raises ``RecordError`` for a damaged one."""
    return {name: read_alignment(path) for name, path in alignment_files(session, "", ".json").items()}


def alignment_files(session: Path, prefix: str, suffix: str) -> dict[str, Path]:
    """Return the files ``alignment/<prefix>NAME<suffix>`` of a session, by NAME. Raises ``RecordError``."""
    folder = (session if session.is_dir() else session.parent) / FOLDER
    with read_errors(folder):
        paths = sorted(folder.glob(f"{prefix}*{suffix}")) if folder.is_dir() else []
    named = {path.name[len(prefix) : -len(suffix)]: path for path in paths}
    return {name: path for name, path in named.items() if NAME.fullmatch(name)}


def read_alignment(path: Path) -> Mapping:
    """Load one mapping; its name is that of the file. Raises ``RecordError``, which says what is wrong."""
    document = _document(path)
    try:
        if document.get("kind") != KIND or document.get("format") != FORMAT:
            raise ValueError(f"it is no alignment of format {FORMAT}")
        pieces = document["pieces"]
        if not isinstance(pieces, list) or len(pieces) > MAX_PIECES:
            raise ValueError(f"pieces: wanted a list of at most {MAX_PIECES}")
        source = document.get("source", {}).get("file", "")
        return Mapping(path.stem, [_piece(item) for item in pieces], _number(document, "uncertainty_us"), str(source))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise RecordError(f"{path}: {why}; `rig align --force` writes it again") from error


def _document(path: Path) -> dict[str, Any]:
    with read_errors(path):
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 20} MB")
        raw = path.read_bytes()
    try:
        document = json.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: is no JSON: {error}") from error
    if not isinstance(document, dict):
        raise RecordError(f"{path}: is no alignment: wanted a JSON object")
    return document


def _piece(item: dict[str, object]) -> Piece:
    return Piece(*(_number(item, key) for key in ("from_us", "to_us", "offset_s", "rate")))


def _number(item: dict[str, object], key: str) -> float:
    value = item[key]
    # The bound before all else: an integer of JSON may be larger than any float.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_NUMBER:
        raise ValueError(f"{key}: wanted a number from -{MAX_NUMBER:g} to {MAX_NUMBER:g}")
    return float(value)
