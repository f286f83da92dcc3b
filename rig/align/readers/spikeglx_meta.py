"""What the .meta file of a SpikeGLX recording says about its .bin file, checked against that file."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.terminal.format import pluralize

WORD_BITS = 16
SAMPLE_BYTES = 2
_MAX_META_BYTES = 16_000_000
"""The metadata of a probe with 384 channels has 30 kB."""
_LENGTH_TOLERANCE = 0.01
"""The length in seconds is that at the nominal rate; a calibrated rate differs from it by less than 1 %."""
_COUNTS = {"nidq": "snsMnMaXaDw", "imec": "snsApLfSy", "obx": "snsXaDwSy"}
_RATES = {"nidq": "niSampRate", "imec": "imSampRate", "obx": "obSampRate"}
_OTHER_PARTS = {"nidq": (), "imec": ("snsLfSy", "snsApSy"), "obx": ()}
"""Keys with fewer counts; the last one is that of the SYNC words, too."""


@dataclass(frozen=True)
class Meta:
    """The kind of a stream, the words of a sample and which of them are digital, and how many samples there are.

    ``digital`` are the words of the digital lines, ``sync`` is the word with the SYNC input, None without one.
    ``lines`` is how many digital lines there are.
    """

    kind: str
    words: int
    digital: range
    sync: int | None
    lines: int
    samples: int
    rate_hz: float
    notes: tuple[str, ...]


def is_meta(path: Path) -> bool:
    """Whether a file is the metadata of a SpikeGLX stream."""
    return path.stat().st_size <= _MAX_META_BYTES and _fields(path).get("typeThis") in _COUNTS


def read_meta(path: Path, data: Path, rate_hz: float | None) -> Meta:
    """Return what a metadata file says of its data. Raises ``RecordError`` if both do not belong together."""
    fields = _fields(path)
    kind = fields["typeThis"]
    counts = _counts(path, kind, fields)
    words = _number(path, fields, "nSavedChans")
    if words < 1 or sum(counts) != words:
        parts = " + ".join(map(str, counts))
        raise RecordError(f"{path}: declares {words} channels, and {parts} of them by their kinds: it is damaged")
    rate_hz = rate_hz or _rate(path, kind, fields)
    sync = words - 1 if kind != "nidq" and counts[-1] else None
    dw = {"nidq": counts[-1], "obx": counts[-2]}.get(kind, 0)
    first = words - dw - (counts[-1] if kind == "obx" else 0)
    samples, notes = _samples(path, data, words, rate_hz, fields)
    return Meta(kind, words, range(first, first + dw), sync, _lines(path, fields, dw), samples, rate_hz, notes)


def _fields(path: Path) -> dict[str, str]:
    # Some programs mark UTF-8 by three bytes at the start.
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    parts = [line.partition("=") for line in lines]
    return {key.strip(): value.strip() for key, sign, value in parts if sign}


def _counts(path: Path, kind: str, fields: dict[str, str]) -> list[int]:
    """Return how many words of each kind a sample has."""
    key = next((key for key in (_COUNTS[kind], *_OTHER_PARTS[kind]) if key in fields), _COUNTS[kind])
    text = fields.get(key, "")
    # A word is one of a few thousand at most: longer numbers are damage.
    if not re.fullmatch(r"\d{1,6}( *, *\d{1,6})+", text) or (
        key == _COUNTS[kind] and text.count(",") != len(re.findall("[A-Z]", key)) - 1
    ):
        raise RecordError(f"{path}: {key}={text:.40}: wanted the saved channels of each kind, such as 0,0,2,1")
    return [int(part) for part in text.split(",")]


def _number(path: Path, fields: dict[str, str], key: str) -> int:
    text = fields.get(key, "")
    if not re.fullmatch(r"\d{1,18}", text):
        raise RecordError(f"{path}: {key}={text:.40}: wanted a whole number: it is damaged")
    return int(text)


def _rate(path: Path, kind: str, fields: dict[str, str]) -> float:
    text = fields.get(_RATES[kind], "")
    try:
        rate_hz = float(text)
    except ValueError:
        rate_hz = math.nan
    if not (0 < rate_hz < math.inf):
        raise ConfigError(f"{path}: {_RATES[kind]}={text:.40}: does not say the rate of the samples: --rate HZ")
    return rate_hz


def _lines(path: Path, fields: dict[str, str], words: int) -> int:
    """Return how many digital lines there are: the devices save whole bytes of lines, one device after the other."""
    if not words:
        return 0
    count = 8 * sum(_number(path, fields, key) for key in ("niXDBytes1", "niXDBytes2") if key in fields)
    if count > WORD_BITS * words:
        raise RecordError(f"{path}: declares {pluralize(count, 'digital line')}, and {words} words for them")
    return count or WORD_BITS * words


def _samples(path: Path, data: Path, words: int, rate_hz: float, fields: dict[str, str]) -> tuple[int, tuple[str, ...]]:
    """Return how many whole samples the data has, and what is missing of it."""
    size, sample_bytes = data.stat().st_size, SAMPLE_BYTES * words
    samples = size // sample_bytes
    if not samples:
        raise RecordError(f"{data}: has {size} bytes, and not one sample of {pluralize(words, 'channel')}")
    if "fileSizeBytes" not in fields:
        # SpikeGLX writes it when the run ends.
        return samples, (f"{path.name} does not say the size of the file: the run was not ended",)
    declared = _number(path, fields, "fileSizeBytes")
    if size > declared or declared % sample_bytes:
        raise RecordError(
            f"{data}: has {size} bytes, and {path.name} declares {declared}, in samples of {sample_bytes}: "
            "they do not belong together"
        )
    _check_length(path, declared // sample_bytes / rate_hz, fields)
    if size == declared:
        return samples, ()
    missing_s = (declared // sample_bytes - samples) / rate_hz
    return samples, (
        f"{data.name} is shorter than declared: {missing_s:.3f} s are missing, and were taken for the last ones",
    )


def _check_length(path: Path, seconds: float, fields: dict[str, str]) -> None:
    """Check the number of samples and their rate by the length in seconds. Raises ``RecordError``."""
    try:
        declared_s = float(fields["fileTimeSecs"])
    except (KeyError, ValueError):
        return
    if not abs(seconds - declared_s) <= _LENGTH_TOLERANCE * max(seconds, 1.0):
        raise RecordError(
            f"{path}: fileTimeSecs={declared_s:g}, and its samples and their rate make {seconds:g} s: it is damaged, "
            "or the rate is another one (--rate HZ)"
        )
