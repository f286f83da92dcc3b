"""Ways to spoil a journal, with valid checksums: what a person would write who knows the format and means harm."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

Line = dict[str, Any]
Lines = list[Line]
"""The lines of a journal as JSON, which no program has checked yet."""

_RAW = {
    "@deep": "[" * 10_000 + "]" * 10_000,
    "@deeper": '{"a":' * 5_000 + "1" + "}" * 5_000,
    "@below": "[" * 30 + "]" * 30,
    "@digits": "9" * 400,
    "@minus": "-" + "9" * 400,
    "@toomany": "9" * 5_000,
    "@large": "1e999",
    "@lone": '"\\ud800"',
    "@long": '"' + "x" * 100_000 + '"',
    "@lists": "[" + "[]," * 60_000 + "[]]",
}
"""What no encoder writes."""

PATHS = (
    *(
        "../../M2/2026-11-21/001/trials",
        "/tmp/rig_spoilt",
        "../evil",
        "./evil.py:Evil",
        "evil.py",
        "evil.py:Evil",
        "evil",
    ),
    *(
        "config/x/evil.py:Evil",
        "/etc/passwd",
        "~/evil",
        "C:\\evil",
        "con",
        "..",
        ".",
        "",
        "\x00",
        "a" * 300,
        "os:system",
    ),
)
TEXTS = (
    *PATHS,
    *(
        "\x1b[2J\x1b]0;evil\x07",
        "\r\n\t\x9b31m",
        "\u202eevil",
        "=cmd|'/C calc'!A0",
        "@SUM(1)",
        "two_armed_bandit",
        "nan",
    ),
    *("1e999", "[red]x[/red]", "%s%s%n", "{0}", "{header}", "2026-11-21T09:00:00", "9999-12-31T23:59:59+23:59", "left"),
)
NUMBERS = (0, 1, -1, 2, 3, 255, 256, 1 << 31, 1 << 53, (1 << 63) - 1, -(1 << 63), 0.5, -0.0, 1e-300, 1e300, 1e15)
ODD = (None, True, False, [], {}, [None], {"": None}, [[]], [1, "a"], {"a": {"b": []}}, *_RAW)
_YEAR_US = 366 * 86_400_000_000
_PULSE = {"do": "pulse", "output": "left.valve", "us": 40_000}
ORDERS = (
    *({"do": "x"}, {"do": ""}, {"do": 1}, {}, "arm 1", None, {"do": "\x1b[2J"}, {"do": "show", "scene": "\x1b[2J"}),
    {"do": "reward", "action": _PULSE, "source": "left", "ul": 2.5},
    {"do": "reward", "action": _PULSE, "source": "left", "ul": 1e12, "pellets": 1 << 60, "access_s": 1e12},
    {"do": "reward", "action": {**_PULSE, "us": 1}, "source": "left", "ul": 1e300},
    {"do": "train", "output": "left.light", "on_us": 1, "period_us": 2, "count": 65_535},
    {"do": "train", "output": "left.light", "on_us": _YEAR_US, "period_us": _YEAR_US, "count": 65_535},
    {"do": "tone", "output": "speaker.tone", "hz": 0, "us": _YEAR_US},
    {"do": "ramp", "output": "speaker.tone", "hz": 1, "step_hz": -5, "tone_us": 1, "period_us": 2, "count": 65_535},
    {"do": "code", "output": "sync.out", "period_us": 1_000, "bit_us": 1_000, "bits": 32, "seed": 1 << 60},
    {"do": "start", "sequence": 1, "at_us": -(1 << 63)},
    {"do": "arm", "group": 1, "until_us": None, "members": [["left.beam", 1, {"do": "nothing"}]]},
    {"do": "arm", "group": 1, "until_us": -1, "members": [["\x1b[2J", 0, {"do": "start", "sequence": 1}]] * 255},
    {"do": "load", "sequence": 1, "entries": [[0, {"do": "start", "sequence": 1}]] * 255},
    {"do": "load", "sequence": 1, "entries": [[0, {"do": "start", "sequence": 1}]] * 500},
    {"do": "arm", "members": "@below"},
    {"do": "load", "entries": "@deeper"},
    {"do": "reward", "action": {"do": "pulse", "output": 1, "us": "@digits"}, "source": None, "ul": "@large"},
    {"do": ["arm"]},
    {"do": None, "group": "1"},
    "@lists",
)
REWARDS = (
    {"id": 1, "source": "left", "amount": 2.5, "unit": "ul", "status": "pending"},
    {"id": 1 << 40, "source": "\x1b[2J", "amount": 1e12, "unit": "pellets", "status": "delivered"},
    {"id": 0, "source": "", "amount": 1e-300, "unit": "access_s", "status": "unconfirmed"},
    {"id": 2, "source": "left", "amount": -1, "unit": "ul", "status": "delivered"},
    {"id": 2, "source": "left", "amount": 1, "unit": "gallons", "status": "maybe"},
    {"id": "1", "source": None, "amount": "2.5", "unit": ["ul"], "status": {}},
    {"id": True, "source": ["left"], "amount": True, "unit": None, "status": 1},
    {"id": "@digits", "source": "@lone", "amount": "@large", "unit": "@deep", "status": "@lists"},
)
HISTORIES = (
    ("delivered", "cancelled"),
    ("delivered", "pending", "refused"),
    ("delivered", "pending"),
    ("unconfirmed", "refused"),
    ("pending", "pending", "delivered", "delivered"),
    ("cancelled", "delivered", "pending"),
    ("pending", "cancelled", "refused", "cancelled"),
)
"""What the program never writes of one reward, and what it does."""
FARTHEST = 10**16 - 1
"""No line has a higher number."""
AMOUNTS = (0, 0.1, 2.5, 5, 1e-300, 1e12, 999_999_999_999.9)
KINDS = (
    *(
        "header",
        "footer",
        "edge",
        "touch",
        "key",
        "frame_shown",
        "hover",
        "zone",
        "request",
        "sequence_started",
        "output_on",
        "time",
        "fault",
        "lease_expired",
        "panic",
        "overflow",
        "flood",
        "refused",
        "entry_refused",
        "continued",
        "state",
        "pause",
        "resume",
        "params",
        "trial",
    ),
    *(
        "row",
        "command",
        "batch_done",
        "output_done",
        "all_off",
        "all_off_done",
        "openings",
        "correction",
        "note",
        "operator_note",
        "health",
        "scene",
        "positions",
        "samples",
        "given",
        "allowance",
        "reward",
        "unheard_of",
    ),
)
_NUMBER = None
"""Stands for a number in a fault."""
_FAULTS: tuple[Line, ...] = (
    {"k": "lease_expired", "board_epoch": 1, "executed": _NUMBER, "number": _NUMBER},
    {"k": "overflow", "lost": _NUMBER, "effects": _NUMBER, "executed": _NUMBER, "number": _NUMBER},
    {"k": "flood", "channel": "\x1b[2J", "edges_per_s": _NUMBER, "number": _NUMBER},
    {"k": "refused", "reason": "\x1b[2J", "batch": _NUMBER, "order": _NUMBER, "number": _NUMBER},
    {"k": "entry_refused", "reason": "\x1b[2J", "sequence": _NUMBER, "entry": _NUMBER, "number": _NUMBER},
    {"k": "panic", "board": "\x1b[2J", "pin": 1, "executed": _NUMBER, "number": _NUMBER},
    *({"k": "fault", "what": what, "detail": "\x1b[2J"} for what in ("disconnected", "link_lost", "reset", "\x1b[2J")),
)
NOTES = (
    *(
        "stuck",
        "idle",
        "reward_withheld",
        "camera_lost",
        "hopper_not_entered",
        "pellet_missing",
        "assignment",
        "payment",
    ),
    *("condition", "consent", "tones", "screen", "timing", "reward_outside_trial"),
)


def anything(random: Random) -> Any:
    """Choose a value that may be anything."""
    # Copied, here and below: a later way changes what is inside, and must not change what the next journal gets.
    return deepcopy(random.choice((random.choice(TEXTS), random.choice(NUMBERS), random.choice(ODD))))


def alike(random: Random, value: Any) -> Any:
    """Choose another value of the same type, so that the line is still what it must be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice([number for number in NUMBERS if isinstance(number, int)] + [value + 1, value - 1])
    if isinstance(value, float):
        return random.choice(NUMBERS)
    if isinstance(value, str):
        return random.choice((*TEXTS, value[::-1], value * 2))
    if isinstance(value, list):
        return random.choice(([], value * 3, value[::-1], [*value, anything(random)]))
    if isinstance(value, dict):
        return random.choice(({}, {**value, random.choice(TEXTS): anything(random)}))
    return random.choice((*TEXTS, *NUMBERS))


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List every place in a value."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for name, each in below for leaf in _leaves(each, (*path, name)))]


def _put(line: Line, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    holder: Any = line
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = change(holder[path[-1]])


def _change_inside(random: Random, lines: Lines, wanted: str | None, *, kept_type: bool) -> None:
    found = [line for line in lines if wanted in (None, line["k"])]
    if not found:
        return
    line = random.choice(found)
    places = [path for path in _leaves(line) if path and path[0] not in ("seq", "k")]
    _put(line, random.choice(places), lambda was: alike(random, was) if kept_type else anything(random))


def _type(random: Random, lines: Lines) -> None:
    _change_inside(random, lines, None, kept_type=False)


def _value(random: Random, lines: Lines) -> None:
    _change_inside(random, lines, None, kept_type=True)


def _header(random: Random, lines: Lines) -> None:
    _change_inside(random, lines, "header", kept_type=random.random() < 0.7)


def _footer(random: Random, lines: Lines) -> None:
    _change_inside(random, lines, "footer", kept_type=random.random() < 0.7)


def _named(random: Random, lines: Lines) -> None:
    """Change a field of the header that programs take a name or a path from."""
    name = random.choice(
        ("protocol", "task", "subject", "model", "code", "from_records", "tables", "columns", "curriculum")
    )
    made: Any = random.choice(TEXTS)
    if name == "tables":
        made = {
            random.choice((*PATHS, "days", "trials", "positions")): random.choice(
                (["a"], [], lines[0]["columns"], ["=1"])
            )
        }
    elif name == "columns":
        made = random.choice(([], lines[0].get("columns", [])[1:], [*lines[0].get("columns", []), "=1"], ["a"], 3))
    elif name == "code":
        made = {random.choice(PATHS): "0" * 64}
    elif name == "curriculum":
        stage = random.choice(("water", "blocks", "center", *TEXTS))
        facts = {"stage": stage, "from": random.choice((None, stage)), "why": random.choice(TEXTS), "sessions": []}
        made = {
            "name": random.choice(("two_armed_bandit", *TEXTS)),
            **facts,
            "override": random.choice((None, "why not")),
        }
    lines[0][name] = made


def _drop_field(random: Random, lines: Lines) -> None:
    line = random.choice(lines)
    names = [name for name in line if name not in ("seq", "k")]
    if names:
        del line[random.choice(names)]


def _add_field(random: Random, lines: Lines) -> None:
    random.choice(lines)[random.choice((*TEXTS, "what", "table", "batch", "number", "damaged", "k", "t", "crc"))] = (
        anything(random)
    )


def _kind(random: Random, lines: Lines) -> None:
    random.choice(lines)["k"] = random.choice(KINDS)


def _swap_kinds(random: Random, lines: Lines) -> None:
    one, other = random.choice(lines), random.choice(lines)
    one["k"], other["k"] = other["k"], one["k"]


def _order(random: Random, lines: Lines) -> None:
    commands = [line for line in lines if line["k"] == "command"]
    if commands:
        random.choice(commands)["orders"] = [deepcopy(random.choice(ORDERS)) for _ in range(random.choice((1, 3, 300)))]


def _reward(random: Random, lines: Lines) -> None:
    of = {"delivered_by": random.choice(("board", "host", "operator", "mouse")), "cause": random.choice(("order", "x"))}
    _insert(random, lines, {"k": "reward", **deepcopy(random.choice(REWARDS)), **of})


def _history(random: Random, lines: Lines) -> None:
    """Tell of rewards whose numbers run backwards or come again, each in another order than there is."""
    unit = random.choice(("ul", "ul", "pellets", "access_s"))
    fields = {"k": "reward", "source": "left", "unit": unit, "delivered_by": "board", "cause": "order"}
    place = random.randrange(1, len(lines) + 1)
    told = [
        {"t": lines[place - 1].get("t", 0), "id": number, "amount": random.choice(AMOUNTS), "status": status, **fields}
        for number in sorted(random.choices((0, 1, 2, 3, 1 << 40, (1 << 63) - 1), k=4), reverse=True)
        for status in random.choice(HISTORIES)
    ]
    lines[place:place] = [{"seq": 0, **line} for line in told]


def _inside_reward(random: Random, lines: Lines) -> None:
    _change_inside(random, lines, "reward", kept_type=random.random() < 0.7)


def _inside_orders(random: Random, lines: Lines) -> None:
    line = random.choice([line for line in lines if line["k"] == "command" and line["orders"]])
    places = [path for path in _leaves(line["orders"]) if path]
    change = random.choice((alike, lambda random, was: anything(random)))
    _put(line, ("orders", *random.choice(places)), lambda was: change(random, was))


def _reward_status(random: Random, lines: Lines) -> None:
    """Let rewards become what they did not."""
    for line in lines:
        if line["k"] == "reward" and random.random() < 0.3:
            line["status"] = random.choice(("pending", "delivered", "refused", "unconfirmed", "cancelled"))


def _format(random: Random, lines: Lines) -> None:
    lines[0]["format"] = random.choice((1, 2, 2, 0, -1, "1", 1.0, True, None, [1], "@deep", "@below", "@toomany"))


def _far(random: Random, lines: Lines) -> None:
    """Number a last line, or date it, as far on as lines can be."""
    line = random.choice((lines[-1], random.choice(lines)))
    name, far = random.choice((("seq", FARTHEST), ("t", 366 * 86_400_000_000), ("t", -366 * 86_400_000_000)))
    line[name] = far


def _by_the_clock(random: Random, lines: Lines) -> None:
    amount = dict.fromkeys(("ul", "pellets", "access_s"), 1)
    line = {"k": "given", **amount, "by": "me", "reason": "so", "at": "now"}
    _insert(random, lines, {**line, "t": 1_763_000_000_000_000})


def _fault(random: Random, lines: Lines) -> None:
    fault = random.choice(_FAULTS)
    numbers = {name: random.choice((0, 1, 5, 1 << 40)) for name, value in fault.items() if value is _NUMBER}
    _insert(random, lines, {**fault, **numbers})


def _note(random: Random, lines: Lines) -> None:
    names = (
        "channel",
        "since_us",
        "source",
        "hopper",
        "feeder",
        "times",
        "ul",
        "pellets",
        "access_s",
        "vi_s",
        "lap",
        "actual_hz",
    )
    fields = {name: anything(random) for name in names if random.random() < 0.6}
    _insert(random, lines, {"k": "note", "what": random.choice(NOTES), "fields": fields})


def _insert(random: Random, lines: Lines, line: Line) -> None:
    place = random.randrange(1, len(lines) + 1)
    lines.insert(place, {"seq": 0, "t": lines[place - 1].get("t", 0), **line})


def _reorder(random: Random, lines: Lines) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _repeat(random: Random, lines: Lines) -> None:
    lines.insert(random.randrange(len(lines)), dict(random.choice(lines)))


def _lose(random: Random, lines: Lines) -> None:
    start = random.randrange(len(lines))
    del lines[start : start + random.choice((1, 2, 50))]


def _second_end(random: Random, lines: Lines) -> None:
    lines.insert(random.randrange(len(lines)), dict(lines[random.choice((0, -1))]))


def _crash(random: Random, lines: Lines) -> None:
    del lines[random.randrange(1, len(lines) + 1) :]


def _times(random: Random, lines: Lines) -> None:
    for line in lines[random.randrange(len(lines)) :]:
        line["t"] = random.choice((0, -5, 31_000_000_000_000, line.get("t", 0), 10**15, 0.5, None))


def _numbers(random: Random, lines: Lines) -> None:
    for line in lines:
        for name in ("number", "batch", "last_event", "executed", "epoch", "fired", "sequence", "by", "part"):
            if name in line and random.random() < 0.05:
                line[name] = random.choice((0, 1, 2, 7, 1 << 40, -1))


WAYS: tuple[Callable[[Random, Lines], None], ...] = (
    *(
        _type,
        _value,
        _value,
        _value,
        _header,
        _header,
        _header,
        _footer,
        _footer,
        _named,
        _named,
        _drop_field,
        _add_field,
        _kind,
    ),
    *(
        _swap_kinds,
        _order,
        _order,
        _inside_orders,
        _inside_orders,
        _reward,
        _reward,
        _history,
        _history,
        _inside_reward,
        _inside_reward,
        _reward_status,
        _format,
        _far,
        _by_the_clock,
        _fault,
        _note,
        _reorder,
        _repeat,
        _lose,
        _second_end,
        _crash,
        _crash,
        _times,
        _numbers,
    ),
)


def whole(random: Random, journal: Lines) -> bytes:
    """Return a journal as it is, sealed again."""
    return _with_digest(b"".join(_sealed(line) for line in journal))


def spoilt(random: Random, journal: Lines) -> bytes:
    """Spoil a journal in a few ways, and seal its lines again."""
    lines: Lines = json.loads(json.dumps(journal))
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError):  # it is spoilt already
            random.choice(WAYS)(random, lines)
    if random.random() < 0.75:
        for seq, line in enumerate(lines):
            line["seq"] = line["seq"] if line.get("seq") == FARTHEST else seq
    raw = b"".join(_sealed(line, _odd_end(random)) for line in lines)
    if random.random() < 0.5:
        raw = _with_digest(raw)
    return raw if random.random() < 0.95 else raw[: random.randrange(len(raw) + 1)]


def _odd_end(random: Random) -> str:
    return random.choice((',"k":"footer"', ',"t":5', ',"a":1,"a":2', ' ,"b" : 1', ',"x":NaN')) * (
        random.random() < 0.01
    )


def _sealed(line: Line, end: str = "") -> bytes:
    head = {name: line[name] for name in ("seq", "k") if name in line}
    fields = {name: value for name, value in line.items() if name != "crc"}
    text = json.dumps({**head, **fields}, separators=(",", ":"))[:-1]
    for mark, written in _RAW.items():
        if f'"{mark}"' in text:
            text = text.replace(f'"{mark}"', written)
    raw = (text + end).encode("ascii", "replace")
    return b'%b,"crc":"%08x"}\n' % (raw, zlib.crc32(raw))


def _with_digest(raw: bytes) -> bytes:
    """Let the footer's digest fit, where there is one at the end."""
    *before, last = raw.splitlines(keepends=True) or [b""]
    if b'"k":"footer"' not in last or b'"digest"' not in last:
        return raw
    try:
        footer = json.loads(last)
    except (ValueError, RecursionError):
        return raw
    footer["digest"] = f"{zlib.crc32(b''.join(before)):08x}"
    return b"".join([*before, _sealed(footer)])
