"""The checks of a journal line: its checksum, its head, and the fields and types of its kind.

A journal may come from anywhere, so nothing in it is used before these checks. A line is bounded: at most
``MAX_LINE_BYTES`` long, nested at most ``MAX_NESTING`` deep. Every integer is within 64 bits, every float is finite,
every text is Unicode, and no key occurs twice. Additional fields are allowed within these bounds.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from rig.core.model.columns import COLUMN_KINDS
from rig.core.model.reward import CAUSES, UNITS, RewardStatus
from rig.core.model.rows import TRIAL_TABLE, column_name_error, table_name_error
from rig.core.model.view_fields import MAX_VIEWS, view_from

Line = dict[str, Any]

FORMAT = 2
"""The format that is written and read; a new number whenever a field changes its meaning."""

RESERVED_FIELDS = ("seq", "t", "src", "k", "crc")
"""The fields of every line; no other field may have these names."""

SOURCES = frozenset({b"board", b"host", b"touch", b"camera", b"operator"})

MAX_LINE_BYTES = 1 << 22
"""Writer and reader refuse a longer line; the longest usual line, a carried-over state, is far shorter."""
MAX_FLAT_CHARS = 1 << 16
"""Far more characters than the longest row of texts and numbers has."""
MAX_NESTING = 32
MAX_ORDERS_CHARS = 1 << 16
"""Far more characters than the longest batch of any board has."""
LONGEST_US = 366 * 86_400_000_000
"""The longest session: a year."""
SUBJECT_KINDS = (
    "facts",
    "weighed",
    "given",
    "remark",
    "voided",
    "retired",
    "unretired",
    "renamed",
    "merged",
    "session_moved",
    "torn",
)
"""The kinds of a subject's events."""
CLOCK_TIMED_KINDS = frozenset(SUBJECT_KINDS)
"""Kinds that belong to no session; their ``t`` is the time of day."""
FIRST_YEAR, LAST_YEAR = 1970, 2200
"""The years in which a session may start: adding a session's length to them cannot overflow."""

_MAX_INT = 1 << 63
_MAX_DIGITS = 15
"""The most digits of a line's number; the footer after it may have one more."""
_HEAD = re.compile(rb'\{"seq":(0|[1-9]\d{0,15}),"t":(-?\d{1,16}),"src":"([a-z]+)","k":"([a-z_]+)",')
_CRC, _END = b',"crc":"', b'"}'
_ROOM = 200
"""An upper bound of the fields of every line, in characters."""
_SEAL = len(_CRC) + 8 + len(_END)


class OtherFormatError(ValueError):
    """A header written by another version of this program."""


def add_crc(body: str) -> bytes:
    """Return a finished line; ``body`` is an object without its last brace."""
    raw = body.encode("ascii")
    return b'%b,"crc":"%08x"}\n' % (raw, zlib.crc32(raw))


def check_head(raw: bytes) -> tuple[int, str]:
    """Check the checksum and the head of a line without its newline; return its number and its kind.

    Raises ``ValueError`` with what is wrong.
    """
    # The length first: a line of unknown origin is bounded before it is searched or parsed.
    if len(raw) > MAX_LINE_BYTES:
        raise ValueError(f"it is longer than {MAX_LINE_BYTES} bytes")
    # The checksum before everything else: a damaged line is reported as damaged, not as some wrong field.
    if raw[-_SEAL:-10] != _CRC or raw[-2:] != _END:
        raise ValueError("no checksum at its end")
    if raw[-10:-2] != b"%08x" % zlib.crc32(raw[:-_SEAL]):
        raise ValueError("its checksum does not fit")
    head = _HEAD.match(raw)
    if head is None or head[3] not in SOURCES:
        raise ValueError("it is no line of a journal")
    kind = head[4].decode()
    if abs(int(head[2])) > LONGEST_US and kind not in CLOCK_TIMED_KINDS:
        raise ValueError("no session lasts so long")
    if len(head[1]) > _MAX_DIGITS and kind != "footer":
        raise ValueError("no journal has so many lines")
    return int(head[1]), kind


def parse_line(raw: bytes) -> Line:
    """Parse and check one line without its newline. Raises ``ValueError`` with what is wrong."""
    return parse(raw, check_head(raw)[1])


def parse(raw: bytes, kind: str) -> Line:
    """Parse a line whose head is right, and check its fields. Raises ``ValueError``."""
    try:
        text = raw.decode("ascii")
        line: Line
        line, end = _decode(text)
        if end != len(text):
            raise ValueError
        # A cheap test: a text with more keys than the parsed line has one twice, or a text that looks like a key.
        keys = text.count('":')
        if (keys != len(line) and keys != count_keys(line)) or '" ' in text or '"\t' in text or '"\r' in text:
            _decode_once(text)  # only the slow parser tells them apart
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MAX_NESTING}") from None
    except _WrongLineError:
        raise
    except ValueError:
        raise ValueError("it is no line of a journal") from None
    if "\\ud" in text or "\\uD" in text:
        _check_texts(line)
    check_kind(kind, line)
    return line


def check_note(kind: str, fields: str) -> None:
    """Check the fields of a line that a protocol wants to write, as JSON text. Raises ``ValueError``.

    The program's own lines have the required fields; what they hold for a protocol is as bounded as notes.
    """
    if len(fields) > MAX_LINE_BYTES - _ROOM:
        raise ValueError(f"it is longer than {MAX_LINE_BYTES - _ROOM} bytes")
    parse(b"{%b}" % fields[1:].encode("ascii"), kind if kind == "note" else "")


def is_flat(fields: Mapping[str, Any]) -> bool:
    """Whether fields that JSON can hold are texts and numbers within the bounds of a line: `check_note` accepts them.

    Parsing the text of a row, to check it, costs as much as writing it.
    """
    for value in fields.values():
        kind = type(value)
        if kind is int:
            if not -_MAX_INT <= value < _MAX_INT:
                return False
        elif kind is not float and kind not in _BOUNDED:
            return False
    return True


class _WrongLineError(ValueError):
    """An error with the text of what is wrong with a line."""


def refuse_constant(constant: str) -> None:
    """Raise ``ValueError`` for NaN and Infinity, which JSON does not have: other readers would fail at them."""
    raise _WrongLineError(f"it holds {constant}, which is no number")


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        counts = Counter(name for name, _ in pairs)  # a line of unknown origin may have a million keys
        raise _WrongLineError(f"it has '{next(name for name, count in counts.items() if count > 1):.40}' twice")
    return fields


def count_keys(value: Any) -> int:
    """Return how many keys all objects of a parsed object or list have together."""
    is_object = type(value) is dict
    keys = len(value) if is_object else 0
    for inner in value.values() if is_object else value:
        if type(inner) is dict or type(inner) is list:
            keys += count_keys(inner)
    return keys


_decode = json.JSONDecoder(parse_constant=refuse_constant).raw_decode
_decode_once = json.JSONDecoder(object_pairs_hook=_once).raw_decode


def _check_texts(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text in it is no Unicode") from None
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MAX_NESTING}") from None


_BOUNDED = (str, bool, type(None))
"""Types whose values need no further check: the line's length bounds them."""


def check_values(value: Any, deep: int = MAX_NESTING) -> None:
    """Check that a parsed value is within the bounds of a line. Raises ``ValueError``."""
    kind = type(value)
    if kind is int:
        if not -_MAX_INT <= value < _MAX_INT:
            raise ValueError("an integer in it does not fit into 64 bits")
    elif kind is float:
        if not math.isfinite(value):
            raise ValueError("a number in it is too large")
    elif kind is dict or kind is list:
        if not deep:
            raise ValueError(f"it is nested deeper than {MAX_NESTING}")
        for inner in value.values() if kind is dict else value:
            if type(inner) not in _BOUNDED and not (type(inner) is int and -_MAX_INT <= inner < _MAX_INT):
                check_values(inner, deep - 1)


# --- what a field may be ------------------------------------------------------------------------------------------


class FieldType(NamedTuple):
    """The type of a field, as a text and as a test."""

    text: str
    accepts: Callable[[Any], bool]


Fields = Mapping[str, FieldType]


# These tests compare types and do not use ``isinstance``, because ``True`` is an ``int`` in Python.
def _is_whole(value: Any) -> bool:
    return type(value) is int and -_MAX_INT <= value < _MAX_INT


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MAX_INT


def _is_number(value: Any) -> bool:
    return (type(value) is float and math.isfinite(value)) or _is_whole(value)


def _is_text(value: Any) -> bool:
    return type(value) is str


def _list_of(item: FieldType) -> FieldType:
    return FieldType(f"a list, of {item.text}s", lambda value: type(value) is list and all(map(item.accepts, value)))


def _map_of(item: FieldType) -> FieldType:
    return FieldType(
        f"names, each with {item.text}", lambda value: type(value) is dict and all(map(item.accepts, value.values()))
    )


def _or_null(wanted: FieldType) -> FieldType:
    return FieldType(f"{wanted.text}, or null", lambda value: value is None or wanted.accepts(value))


def _object(required: Fields, optional: Fields = MappingProxyType({})) -> FieldType:
    text = f"an object with {', '.join(f'{name} ({wanted.text})' for name, wanted in required.items())}"
    return FieldType(
        text,
        lambda value: (
            type(value) is dict
            and all(name in value and wanted.accepts(value[name]) for name, wanted in required.items())
            and all(name not in value or wanted.accepts(value[name]) for name, wanted in optional.items())
        ),
    )


def _is_start(value: Any) -> bool:
    try:
        return FIRST_YEAR <= datetime.fromisoformat(value).year <= LAST_YEAR
    except (TypeError, ValueError):
        return False


def _is_columns(value: Any, *, further: bool = False) -> bool:
    return _TEXTS.accepts(value) and not column_name_error(value, further=further)


def _is_tables(value: Any) -> bool:
    return type(value) is dict and all(
        not table_name_error(name) and _is_columns(columns, further=True) for name, columns in value.items()
    )


def _is_views(value: Any) -> bool:
    try:
        return type(value) is list and len(value) <= MAX_VIEWS and all(map(view_from, value))
    except ValueError:
        return False


WHOLE = FieldType("a whole number", _is_whole)
COUNT = FieldType("a whole number, not below 0", _is_count)
NUMBER = FieldType("a number", _is_number)
TEXT = FieldType("a text", _is_text)
TRUTH = FieldType("true or false", lambda value: type(value) is bool)
LEVEL = FieldType("0 or 1", lambda value: type(value) is int and value in (0, 1))
AMOUNT = FieldType("a number from 0 to 1e12", lambda value: _is_number(value) and 0 <= value <= 1e12)
SUM = FieldType("a number from 0 to 2**63", lambda value: _is_number(value) and 0 <= value <= _MAX_INT)
"""The bound of a sum over many lines, each with an amount of at most 1e12."""
OBJECT = FieldType("an object", lambda value: type(value) is dict)
_TEXTS = _list_of(TEXT)
_ORDERS = FieldType(
    "a list of objects, each with what it does (do, a text)",
    lambda value: type(value) is list and all(type(order) is dict and type(order.get("do")) is str for order in value),
)
_ONE_OF = {
    "unit": UNITS,
    "delivered_by": ("board", "host", "operator"),
    "status": tuple(RewardStatus),
    "cause": tuple(CAUSES),
}
_STAMP: Fields = {"raw_us": WHOLE, "uncertainty_us": WHOLE}
_STOP = FieldType(
    "limits, none below 0, min_trials among them",
    lambda value: (
        type(value) is dict
        and all(bound is None or AMOUNT.accepts(bound) for bound in value.values())
        and _is_count(value.get("min_trials"))
    ),
)
_DIGEST = re.compile(r"[0-9a-f]{8}")
_SESSION = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{1,9}")
_FARTHEST_MIN = LONGEST_US // 60_000_000 + 1440
"""Uncertain rewards count some minutes after a session's last line."""
_GIVEN = FieldType(
    "row of minute, volume, pellets and seconds of access",
    lambda value: (
        type(value) is list
        and len(value) == 4
        and _is_whole(value[0])
        and abs(value[0]) <= _FARTHEST_MIN
        and type(value[2]) is int
        and all(map(SUM.accepts, value[1:]))
    ),
)
_RIG = _object(
    {"name": TEXT, "board": OBJECT, "devices": _map_of(OBJECT), "calibrations": _map_of(OBJECT)},
    {
        "channels": _map_of(
            _object({"is": FieldType("input or output", lambda value: value in ("input", "output"))}, {"label": TEXT})
        ),
        "kinds": _map_of(_object({"code": _map_of(TEXT)}, {"description": TEXT})),
    },
)
_ITEMS = _list_of(
    FieldType(
        "an item, or the places of kept items",
        lambda value: OBJECT.accepts(value) or (type(value) is list and len(value) == 2 and all(map(_is_count, value))),
    )
)
_KEPT = _list_of(
    _object(
        {
            **dict.fromkeys(("number", "channel", "epoch", "stamp", "ticks"), COUNT),
            "state": FieldType("ended, open or cut", lambda value: value in ("ended", "open", "cut")),
        }
    )
)
_CURRICULUM = _object(
    {
        **dict.fromkeys(("name", "stage", "why"), TEXT),
        **dict.fromkeys(("from", "override"), _or_null(TEXT)),
        "sessions": _TEXTS,
    }
)


def _is_session(value: Any) -> bool:
    return _is_text(value) and bool(_SESSION.fullmatch(value))


_SESSION_NAME = FieldType("a session, such as 2026-11-21/001", _is_session)
_SAID: Fields = {"by": TEXT, "at": TEXT}
"""Who recorded an event of a subject, and the local time at which it was recorded."""


_COLUMN = FieldType(
    "an object with the kind, unit and text of a column, and its possible values if they are known",
    lambda value: (
        type(value) is dict
        and value.get("kind") in COLUMN_KINDS
        and _is_text(value.get("unit"))
        and _is_text(value.get("text"))
        and _TEXTS.accepts(value.get("values", []))
    ),
)

_NUMBERS = _map_of(AMOUNT)
_INPUT_EXPECTATION = FieldType(
    "an object with numbers",
    lambda value: (
        type(value) is dict
        and all(AMOUNT.accepts(bound) or (key == "active_within_min" and bound is None) for key, bound in value.items())
    ),
)
_REWARD_EXPECTATION = FieldType(
    "an object with a channel and numbers",
    lambda value: (
        type(value) is dict
        and all(TEXT.accepts(bound) if key == "channel" else AMOUNT.accepts(bound) for key, bound in value.items())
        and "channel" in value
    ),
)
_EXPECT_PARTS = {"inputs": _map_of(_INPUT_EXPECTATION), "rewards": _map_of(_REWARD_EXPECTATION), "limits": _NUMBERS}
_EXPECT = FieldType(
    "what is normal: an object with inputs and rewards by name, and limits, each with its numbers",
    lambda value: (
        type(value) is dict and all(part.accepts(value[name]) for name, part in _EXPECT_PARTS.items() if name in value)
    ),
)


class LineSchema(NamedTuple):
    """The required and optional fields of a kind; the types of a ``flat`` kind bound its lines by themselves."""

    required: Fields
    optional: Fields = MappingProxyType({})
    flat: bool = False


_HEADER = LineSchema(
    {
        "format": WHOLE,
        "protocol": TEXT,
        "simulated": TRUTH,
        "seed": WHOLE,
        "params": OBJECT,
        "stop": _STOP,
        "rig": _RIG,
        "carry_over": OBJECT,
        "columns": FieldType("a list of the columns' names", _is_columns),
    },
    {
        "variant": TEXT,
        "task": TEXT,
        "code": _map_of(TEXT),
        "about": TEXT,
        "publications": _TEXTS,
        "subject": _or_null(TEXT),
        "start": _or_null(FieldType(f"a moment in ISO format, {FIRST_YEAR} to {LAST_YEAR}", _is_start)),
        "model": _or_null(TEXT),
        "curriculum": _or_null(_CURRICULUM),
        "from_records": FieldType("the name of a session", _is_session),
        "remaining_today": _object(dict.fromkeys(("ul", "pellets", "access_s"), _or_null(NUMBER))),
        "daily_limit": OBJECT,
        "shares": _map_of(_map_of(TEXT)),
        "letter": TEXT,
        "tables": FieldType("names that can be files, each with a list of its columns' names", _is_tables),
        "descriptions": _map_of(_map_of(_COLUMN)),
        "views": FieldType(f"a list of at most {MAX_VIEWS} views", _is_views),
        "box": _TEXTS,
        "expect": _EXPECT,
        "drawn": OBJECT,
        "subject_facts": _map_of(_or_null(NUMBER)),
    },
)
_FOOTER = LineSchema(
    {
        "reason": TEXT,
        "detail": TEXT,
        "counts": _map_of(COUNT),
        "complete": TRUTH,
        "executed": COUNT,
        "last_event": COUNT,
        "unconfirmed_rewards": COUNT,
        "rewards": COUNT,
        "ul": SUM,
        "pellets": COUNT,
        "access_s": SUM,
        "given": _list_of(_GIVEN),
        "trials": COUNT,
        "carry_over": OBJECT,
        "digest": FieldType(
            "a checksum, of 8 hex digits", lambda value: _is_text(value) and bool(_DIGEST.fullmatch(value))
        ),
    },
    {
        "task_started": TRUTH,
        "unacknowledged_batches": _list_of(COUNT),
        "inactive_inputs": _TEXTS,
        "refusals": _map_of(COUNT),
        "refused_orders": COUNT,
        "lease_expirations": COUNT,
        "damaged": COUNT,
        "uncertain_rewards": COUNT,
    },
)

KINDS: Mapping[str, LineSchema] = {
    "header": _HEADER,
    "footer": _FOOTER,
    "edge": LineSchema({"channel": TEXT, "level": LEVEL, "fired": COUNT, "number": COUNT}, flat=True),
    "time": LineSchema({"executed": COUNT, "number": COUNT}, flat=True),
    "sequence_started": LineSchema({"sequence": COUNT, "number": COUNT}, flat=True),
    "command": LineSchema({"epoch": COUNT, "batch": COUNT, "last_event": COUNT, "orders": _ORDERS}),
    "batch_done": LineSchema({"batch": COUNT}, flat=True),
    "output_done": LineSchema({}),
    "all_off_done": LineSchema({"last_event": COUNT}, flat=True),
    "reward": LineSchema(
        {
            "id": COUNT,
            "source": TEXT,
            "amount": AMOUNT,
            **{name: FieldType(f"one of {', '.join(words)}", words.__contains__) for name, words in _ONE_OF.items()},
        },
        {name: COUNT for names in CAUSES.values() for name in names},
    ),
    "openings": LineSchema(
        {
            "uid": TEXT,
            "power_ons": COUNT,
            "epoch": COUNT,
            "stamp": COUNT,
            "tick_ns": FieldType("a whole number above 0", lambda value: _is_count(value) and value > 0),
            "channels": _TEXTS,
            "kept": _KEPT,
        }
    ),
    "correction": LineSchema({"uid": TEXT, "power_ons": COUNT, "source": TEXT, "kept": _KEPT}),
    "state": LineSchema({"name": TEXT}, flat=True),
    "pause": LineSchema({}, flat=True),
    "resume": LineSchema({"paused_us": COUNT}, flat=True),
    "params": LineSchema({"trial": COUNT, "changed": OBJECT}),
    "zone": LineSchema({"channel": TEXT, "level": LEVEL, **_STAMP}, flat=True),
    "request": LineSchema({"what": TEXT, **_STAMP}, flat=True),
    "key": LineSchema({"key": TEXT, **_STAMP}, flat=True),
    "frame_shown": LineSchema({"frame": COUNT, "scene": TEXT, **_STAMP}, flat=True),
    "hover": LineSchema({"on": TEXT, **dict.fromkeys(("x_cm", "y_cm"), NUMBER), "frame": COUNT, **_STAMP}, flat=True),
    "touch": LineSchema(
        {
            "phase": FieldType("down, move or up", lambda value: value in ("down", "move", "up")),
            "contact": WHOLE,
            **dict.fromkeys(("x_cm", "y_cm", "x_px", "y_px"), NUMBER),
            "frame": COUNT,
            "on": TEXT,
            **dict.fromkeys(("in_margin", "peck"), TRUTH),
            **_STAMP,
        },
        flat=True,
    ),
    "fault": LineSchema({"what": TEXT}),
    "continued": LineSchema(
        {
            "gap_us": COUNT,
            "why": TEXT,
            "restarted": TRUTH,
            **dict.fromkeys(("ul", "access_s"), _or_null(AMOUNT)),
            "pellets": _or_null(COUNT),
        }
    ),
    "scene": LineSchema(
        {"id": TEXT, "items": _ITEMS, "background": TEXT, "hit_margin_cm": NUMBER, "hover": TRUTH}, {"base": TEXT}
    ),
    "positions": LineSchema(
        {**dict.fromkeys(("first", "samples", "lost"), COUNT), "digest": TEXT}, {"uncertainty_us": WHOLE}
    ),
    "health": LineSchema({"complete": TRUTH, "executed": COUNT}),
    "note": LineSchema({}, {"what": TEXT}),
    "allowance": LineSchema({"rewards": COUNT, "ul": AMOUNT, "pellets": COUNT, "access_s": AMOUNT}, flat=True),
    "given": LineSchema(
        {**dict.fromkeys(("ul", "pellets", "access_s"), AMOUNT), "reason": TEXT, **_SAID},
        {"food_g": AMOUNT, "top_up_for": TEXT},
    ),
    "facts": LineSchema({"facts": OBJECT, **_SAID}),
    "weighed": LineSchema(
        {
            "weight_g": FieldType("a weight in grams, above 0", lambda value: AMOUNT.accepts(value) and value > 0),
            "when": FieldType("before or after", lambda value: value in ("before", "after")),
            **_SAID,
        }
    ),
    "remark": LineSchema({"text": TEXT, **_SAID}),
    "voided": LineSchema({"entry": COUNT, "reason": TEXT, **_SAID}),
    **dict.fromkeys(("retired", "unretired"), LineSchema({"reason": TEXT, **_SAID})),
    "merged": LineSchema({"from": TEXT, "to": TEXT, "upto": COUNT, "reason": TEXT, **_SAID}),
    "renamed": LineSchema({"from": TEXT, "to": TEXT, "reason": TEXT, **_SAID}),
    "session_moved": LineSchema(
        {"session": _SESSION_NAME, "place": _SESSION_NAME, **dict.fromkeys(("from", "to", "reason"), TEXT), **_SAID}
    ),
    "torn": LineSchema({"bytes": COUNT, "of": _or_null(TEXT), "at": TEXT}),
    "row": LineSchema({"table": TEXT}),
    "trial": LineSchema({}),
}
"""The schema of each kind; a line of another kind only has to meet the bounds of every line."""

_FAULTS: Mapping[str, LineSchema] = {
    "lease_expired": LineSchema(dict.fromkeys(("board_epoch", "executed", "number"), COUNT)),
    "flood": LineSchema({"channel": TEXT, **dict.fromkeys(("edges_per_s", "number"), COUNT)}),
    "overflow": LineSchema(dict.fromkeys(("lost", "executed", "effects", "number"), COUNT)),
    "panic": LineSchema({"board": TEXT, **dict.fromkeys(("pin", "executed", "number"), COUNT)}),
    "refused": LineSchema({**dict.fromkeys(("batch", "order", "number"), COUNT), "reason": TEXT}),
}
_OTHER_FAULT = LineSchema({"detail": TEXT})
_ANY = LineSchema({})


def check_kind(name: str, line: Line) -> None:
    """Check the fields of a parsed line of a kind. Raises ``ValueError``."""
    # Before all other checks: another format would fail them with a message about some field.
    if name == "header" and line.get("format", FORMAT) != FORMAT:
        raise OtherFormatError(
            f"the journal's format is {line.get('format')!r:.40}, this program reads {FORMAT}: "
            "use the version that wrote it, which environment.json names"
        )
    kind = KINDS.get(name, _ANY)
    for field, wanted in kind.required.items():
        if field not in line or not wanted.accepts(line[field]):
            raise ValueError(_field_error(name, field, wanted, line))
    # The fast path of frequent kinds: exact fields with bounded types need no further check.
    if kind.flat and len(line) == len(RESERVED_FIELDS) + len(kind.required):
        return
    check_values(line)
    for field, wanted in kind.optional.items():
        if field in line and not wanted.accepts(line[field]):
            raise ValueError(_field_error(name, field, wanted, line))
    if name == "fault":
        for field, wanted in _FAULTS.get(line["what"], _OTHER_FAULT).required.items():
            if field not in line or not wanted.accepts(line[field]):
                raise ValueError(_field_error(name, field, wanted, line))


def _field_error(kind: str, field: str, wanted: FieldType, line: Line) -> str:
    problem = f"'{field}' of a line of the kind '{kind}' is not {wanted.text}"
    return problem if field in line else f"a line of the kind '{kind}' has no '{field}': wanted {wanted.text}"


# --- what a header says of the lines after it ---------------------------------------------------------------------

_TIME, _TIME_OF_ROW = "t", "t_"
"""A table may have a column ``t``; a line's own ``t`` is the time at which the row was written."""


def fields_of_row(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row's columns under the names that they have in a journal line."""
    return (
        {_TIME_OF_ROW if name == _TIME else name: value for name, value in values.items()}
        if _TIME in values
        else dict(values)
    )


def row_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row that a line holds, by the names of its columns."""
    return {
        _TIME if name == _TIME_OF_ROW else name: value for name, value in line.items() if name not in RESERVED_FIELDS
    }


def tells_time(line: Mapping[str, Any]) -> bool:
    """Whether the session had come to a line's time: an unconfirmed reward has the latest one of its delivery."""
    return bool(line["k"] != "reward")


class Tables:
    """The tables that a header names, with the fields of their rows."""

    def __init__(self, header: Line) -> None:
        named = {TRIAL_TABLE: header["columns"], **header.get("tables", {})}
        self._fields = {
            name: frozenset(
                (*RESERVED_FIELDS, *fields_of_row(dict.fromkeys(columns)), *([] if name == TRIAL_TABLE else ["table"]))
            )
            for name, columns in named.items()
        }

    def check(self, kind: str, line: Line) -> None:
        """Check a row against its table. Raises ``ValueError``."""
        name = TRIAL_TABLE if kind == "trial" else line["table"]
        fields = None if name == TRIAL_TABLE and kind == "row" else self._fields.get(name)
        if fields is None:
            raise ValueError(f"its header names no table '{name:.40}'")
        if line.keys() != fields:
            odd = sorted(fields.symmetric_difference(line))
            raise ValueError(f"it has not the columns of its table: {', '.join(odd)[:80]}")
