"""Lines as bytes: a JSON object in UTF-8, its number first and its checksum last.

``{"seq":5,"k":"state","t":1200,"name":"ready","crc":"5f1c0b7a"}``: ``seq`` counts the lines from 0, ``k`` is the kind,
``t`` the time in microseconds, and ``crc`` the CRC-32 of all bytes before ``,"crc"``.

A journal may come from anywhere, so nothing in it is used before it is checked. A line is bounded: at most
``MAX_LINE_BYTES`` long, and its values as in `values`. It has the fields of its kind and no other, and none twice.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from rig.core.journal.header import FORMAT
from rig.core.journal.kinds import SessionLine, SubjectEvent, SubjectLine, Torn
from rig.core.journal.values import once

MAX_LINE_BYTES = 1 << 22
"""Writer and reader refuse a longer line; the longest usual line, a carried-over state, is far shorter."""
_MAX_DIGITS = 15
"""The most digits of a line's number; the footer after it may have one more."""

_SEALED = b',"crc":"%08x"}'
_SEAL = len(_SEALED % 0)
_HEAD = re.compile(rb'\{"seq":(0|[1-9]\d{0,15}),"k":"([a-z_]+)",')
_SEQ = len(b'{"seq":')

encode = Encoder().encode
decode = Decoder(SessionLine).decode
_decode_subject = Decoder(SubjectLine).decode


class OtherFormatError(ValueError):
    """A header written by another version of this program."""


# --- the seal: a checksum at the end of any line --------------------------------------------------------------


def sealed(body: bytes) -> bytes:
    """Return a finished line; ``body`` is an object without its last brace."""
    return b"%b%b\n" % (body, _SEALED % zlib.crc32(body))


def unsealed(raw: bytes) -> bytes:
    """Check the length and the checksum of a line without its newline, and return it without its end.

    Raises ``ValueError`` with what is wrong.
    """
    raw = raw.removesuffix(b"\r")  # a copy as text, such as a checkout of git on Windows, ends lines so
    # The length first: a line of unknown origin is bounded before it is searched or parsed.
    if len(raw) > MAX_LINE_BYTES:
        raise ValueError(f"it is longer than {MAX_LINE_BYTES} bytes")
    # The checksum before everything else: a damaged line is reported as damaged, not as some wrong field.
    body, seal = raw[:-_SEAL], raw[-_SEAL:]
    if seal != _SEALED % zlib.crc32(body):
        has_seal = seal[:8] == _SEALED[:8] and seal[-2:] == _SEALED[-2:]
        raise ValueError("its checksum does not fit" if has_seal else "no checksum at its end")
    return body


# --- the lines of a session -----------------------------------------------------------------------------------


def line_bytes(seq: int, body: bytes) -> bytes:
    """Return a finished line of a journal from its number and its encoded fields."""
    return sealed(b'{"seq":%d,%b' % (seq, body[1:-1]))


def usual_line(raw: bytes, seq: int) -> SessionLine | None:
    """Return a line without its newline, number ``seq``, if it is spelled as the writer spells it; else None.

    Nearly all lines of a journal are. Only `parse_line` says what is wrong with another one, if anything is.
    """
    body, head = raw[:-_SEAL], b'{"seq":%d,' % seq
    if len(raw) > MAX_LINE_BYTES or raw[-_SEAL:] != _SEALED % zlib.crc32(body) or not body.startswith(head):
        return None
    fields = b"{%b}" % body[len(head) :]
    try:
        line = decode(fields)
        return line if encode(line) == fields else None
    except (ValueError, RecursionError):
        return None


def head_of(body: bytes) -> tuple[int, str]:
    """Return number and kind of a line whose checksum is right. Raises ``ValueError``."""
    head = _HEAD.match(body)
    if head is None:
        _check_format(body)
        raise ValueError("it is no line of a journal")
    kind = head[2].decode()
    if len(head[1]) > _MAX_DIGITS and kind != "footer":
        raise ValueError("its number is larger than that of any line")
    return int(head[1]), kind


def session_line(body: bytes) -> SessionLine:
    """Return what a line with a good head says. Raises ``ValueError``, and ``OtherFormatError`` of a header."""
    fields = b"{%b}" % body[body.index(b",", _SEQ) + 1 :]
    try:
        line = decode(fields)
    except (ValidationError, DecodeError, RecursionError) as error:
        _check_format(body)
        raise ValueError(_plain_error(error)) from None
    # What is spelled as the writer spells it has no key twice.
    if encode(line) != fields:
        _check_keys(fields)
    return line


def parse_line(raw: bytes) -> tuple[int, SessionLine]:
    """Return number and content of a line of a journal, without its newline. Raises ``ValueError``."""
    body = unsealed(raw)
    seq, _ = head_of(body)
    return seq, session_line(body)


# --- the events of a subject ----------------------------------------------------------------------------------


def subject_bytes(event: SubjectEvent) -> bytes:
    """Return the finished line of a subject's event."""
    return sealed(encode(event)[:-1])


def parse_event(raw: bytes) -> SubjectLine:
    """Return the event of a line of a subject's file, without its newline. Raises ``ValueError``."""
    fields = unsealed(raw) + b"}"
    try:
        event = _decode_subject(fields)
    except (ValidationError, DecodeError, RecursionError) as error:
        raise ValueError(_plain_error(error, "event of a subject")) from None
    if encode(event) != fields:
        _check_keys(fields)
    if not event.at or not (event.by or isinstance(event, Torn)):
        raise ValueError("it does not say who recorded it, and when")
    return event


# --- what is wrong --------------------------------------------------------------------------------------------


class _Format(Struct):
    """Kind and format of a line that may be a header."""

    k: str = ""
    format: Any = FORMAT


_decode_format = Decoder(_Format).decode


def _check_format(body: bytes) -> None:
    # Before all other checks: another format would fail them with a message about some field.
    try:
        header = _decode_format(body + b"}")
    except (ValidationError, DecodeError, RecursionError):
        return
    if header.k == "header" and header.format != FORMAT:
        raise OtherFormatError(
            f"the journal's format is {header.format!r:.40}, this program reads {FORMAT}: "
            "use the version that wrote it, which environment.json names"
        )


def _plain_error(error: Exception, wanted: str = "line of a journal") -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    text = str(error)
    return f"it is no {wanted}: {text[:1].lower()}{text[1:200]}"


_decode_once = json.JSONDecoder(object_pairs_hook=once).decode


def _check_keys(fields: bytes) -> None:
    """Check that no object in a line has a key twice. Raises ``ValueError``."""
    try:
        _decode_once(fields.decode())
    except RecursionError:
        raise ValueError("it is nested too deep") from None
