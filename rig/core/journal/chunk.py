"""The checks of many journal lines at once: quicker than one by one, for journals that are long already.

They accept nothing that `lines.parse_line` refuses. What they do not accept may be right all the same.
"""

from __future__ import annotations

import json
import re
import zlib

from rig.core.journal.lines import (
    CLOCK_TIMED_KINDS,
    LONGEST_US,
    MAX_LINE_BYTES,
    SOURCES,
    Line,
    check_kind,
    count_keys,
    refuse_constant,
)

_LINE = re.compile(
    rb'^\{"seq":(?:0|[1-9]\d{0,14}),"t":-?\d{1,16},"src":"(?:%b)","k":"[a-z_]+",(?:.*,)?"crc":"([0-9a-f]{8})"\}$'
    % b"|".join(sorted(SOURCES)),
    re.MULTILINE,
)
"""A line with the right head and end; its checksum is the group."""
_SEAL = len(b',"crc":"12345678"}')
_decode = json.JSONDecoder(parse_constant=refuse_constant).raw_decode


def parse_all(chunk: bytes) -> list[Line] | None:
    """Parse and check lines, each with its newline; None if one of them needs the checks of a single line."""
    raws = chunk.split(b"\n")
    if raws.pop() or len(chunk) > MAX_LINE_BYTES or _is_odd(chunk):
        return None
    # As many matches as lines: each line has one, because none goes beyond a line.
    if _LINE.findall(chunk) != [b"%08x" % zlib.crc32(raw[:-_SEAL]) for raw in raws]:
        return None
    try:
        return _parsed(chunk.decode("ascii"), raws)
    except (ValueError, RecursionError):
        return None


def _is_odd(chunk: bytes) -> bool:
    """Whether there may be a space behind a key, or half of a character: only the checks of a single line tell."""
    # One byte is found much faster than two, and most chunks have none of these.
    if b"\t" in chunk or b"\r" in chunk or (b" " in chunk and b'" ' in chunk):
        return True
    return b"\\" in chunk and (b"\\ud" in chunk or b"\\uD" in chunk)


def _parsed(text: str, raws: list[bytes]) -> list[Line] | None:
    """Parse the lines of a text in their places; raises an error of the parser for one that is no object."""
    lines: list[Line] = []
    start = 0
    for raw in raws:
        line, end = _decode(text, start)
        start += len(raw) + 1
        keys = raw.count(b'":')
        # An object may go on in the next line, and a key may occur twice.
        if end != start - 1 or (keys != len(line) and keys != count_keys(line)):
            return None
        kind = line["k"]
        if kind in CLOCK_TIMED_KINDS or abs(line["t"]) > LONGEST_US:
            return None
        check_kind(kind, line)
        lines.append(line)
    return lines
