"""What a line must be: nothing that is otherwise comes past the check, and nothing else than ValueError comes of it."""

import json
import zlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import TaskError
from rig.core.journal.journal import Journal, fields_of
from rig.core.journal.lines import (
    KINDS,
    LONGEST_US,
    MAX_LINE_BYTES,
    OtherFormatError,
    Tables,
    add_crc,
    check_note,
    is_flat,
    parse_line,
)
from rig.core.model.events import BoardTime, Edge, FrameShown, Hover, Key, Request, SequenceStarted, Touch
from rig.core.model.rows import column_name_error
from tests.journal_lines import FOOTER, HEADER

STAMP = {"raw_us": 1, "uncertainty_us": 1}
SAID = {"by": "me", "at": "2026-11-21T09:00:00"}
GOOD: dict[str, dict[str, Any]] = {
    "header": HEADER,
    "footer": FOOTER,
    "edge": {"channel": "left.beam", "level": 1, "fired": 0, "number": 1},
    "time": {"executed": 0, "number": 1},
    "sequence_started": {"sequence": 1, "number": 1},
    "command": {"epoch": 0, "batch": 1, "last_event": 0, "orders": [{"do": "set", "output": "left.light", "on": True}]},
    "batch_done": {"batch": 1},
    "output_done": {"output": "left.valve"},
    "all_off_done": {"last_event": 7},
    "state": {"name": "ready"},
    "zone": {"channel": "left.zone", "level": 0, **STAMP},
    "request": {"what": "stop", **STAMP},
    "key": {"key": "x", **STAMP},
    "hover": {"on": "3,7", "x_cm": 1.5, "y_cm": 2, "frame": 1, **STAMP},
    "frame_shown": {"frame": 1, "scene": "00", **STAMP},
    "touch": {
        "phase": "down",
        "contact": 1,
        **dict.fromkeys(("x_cm", "y_cm", "x_px", "y_px"), 1.5),
        "frame": 1,
        "on": "",
        "in_margin": False,
        "peck": True,
        **STAMP,
    },
    "fault": {"what": "link_lost", "detail": "silent"},
    "scene": {"id": "00", "items": [{}], "background": "#000000", "hit_margin_cm": 0.0, "hover": False},
    "positions": {"first": 0, "samples": 1, "lost": 0, "digest": "00000000"},
    "health": {"complete": True, "executed": 3, "crc_errors": 0},
    "note": {"what": "anything"},
    "openings": {
        "uid": "5131",
        "power_ons": 12,
        "epoch": 3,
        "stamp": 17,
        "tick_ns": 4000,
        "channels": ["left.beam", "left.valve"],
        "kept": [{"number": 7, "channel": 1, "epoch": 2, "stamp": 5, "ticks": 10_000, "state": "ended"}],
    },
    "correction": {"uid": "5131", "power_ons": 12, "source": "/dev/ttyACM0", "kept": []},
    "allowance": {"rewards": 3, "ul": 7.5, "pellets": 0, "access_s": 0},
    "given": {"ul": 1.5, "pellets": 0, "access_s": 0, "reason": "so", **SAID},
    "facts": {"facts": {"species": "mouse"}, **SAID},
    "weighed": {"weight_g": 24.1, "when": "before", **SAID},
    **{kind: {"reason": "its last day", **SAID} for kind in ("retired", "unretired")},
    "merged": {"from": "M81", "to": "M18", "upto": 7, "reason": "mistyped", **SAID},
    "voided": {"entry": 3, "reason": "meant M17", **SAID},
    "remark": {"text": "lively", **SAID},
    "renamed": {"from": "M1", "to": "M2", "reason": "so", **SAID},
    "session_moved": {
        "session": "2026-11-21/001",
        "place": "2026-11-21/002",
        "from": "M1",
        "to": "M2",
        "reason": "so",
        **SAID,
    },
    "torn": {"bytes": 3, "of": None, "at": "2026-11-21T09:00:00"},
    "reward": {
        "id": 1,
        "source": "left",
        "amount": 2.5,
        "unit": "ul",
        "delivered_by": "board",
        "status": "pending",
        "cause": "reflex",
        "group": 1,
        "edge": 0,
    },
    "continued": {
        "gap_us": 1,
        "why": "crash",
        "restarted": True,
        "ul": 1.5,
        "pellets": None,
        "access_s": None,
    },
    "pause": {},
    "resume": {"paused_us": 1},
    "params": {"trial": 1, "changed": {"reward_ul": 3.0}},
    "row": {"table": "days", "a": 1},
    "trial": {"a": 1},
}
STRANGE = [None, True, 1.5, -1, 2**63, "text", [], {}, [[]], {"a": []}]


def line_of(kind: str, fields: dict[str, Any] | str, t_us: int | str = 0, src: str = "host") -> bytes:
    text = fields if isinstance(fields, str) else json.dumps(fields, separators=(",", ":"))[1:-1]
    return add_crc(f'{{"seq":0,"t":{t_us},"src":"{src}","k":"{kind}",{text}'.removesuffix(","))[:-1]


def test_every_kind_that_is_known_has_an_example_here() -> None:
    assert set(GOOD) == set(KINDS)


@pytest.mark.parametrize("kind", GOOD)
def test_a_line_of_each_kind_is_taken_and_so_is_one_with_more_fields(kind: str) -> None:
    assert parse_line(line_of(kind, GOOD[kind])).items() >= GOOD[kind].items()
    assert parse_line(line_of(kind, {**GOOD[kind], "more": [1]}))["more"] == [1]
    with pytest.raises(ValueError, match="64 bits"):
        parse_line(line_of(kind, {**GOOD[kind], "more": [2**63]}))


REQUIRED = [(kind, field) for kind, spec in KINDS.items() for field in spec.required]


@pytest.mark.parametrize(("kind", "field"), REQUIRED)
def test_a_field_that_is_missing_or_of_another_type_is_named(kind: str, field: str) -> None:
    missing = {name: value for name, value in GOOD[kind].items() if name != field}
    with pytest.raises(ValueError, match=f"'{field}'|format"):
        parse_line(line_of(kind, missing))
    refused = 0
    for strange in STRANGE:
        try:
            parse_line(line_of(kind, {**GOOD[kind], field: strange}))
        except ValueError:
            refused += 1
    assert refused >= len(STRANGE) - 3, "a text, a number or a list may be right, and then all others are wrong"


@pytest.mark.parametrize("what", ["flood", "lease_expired", "overflow", "panic", "refused"])
def test_a_fault_of_the_board_has_the_boards_fields(what: str) -> None:
    with pytest.raises(ValueError, match="'fault' has no"):
        parse_line(line_of("fault", {"what": what, "detail": ""}))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ('"a":' + "9" * 400, "64 bits"),
        ('"a":' + "9" * 5000, "no line of a journal"),
        ('"a":' + "[" * 33 + "]" * 33, "nested deeper"),
        ('"a":' + "[" * 10_000 + "]" * 10_000, "nested deeper"),
        ('"a":' + '{"b":' * 10_000 + "1" + "}" * 10_000, "nested deeper"),
        ('"a":1e999', "too large"),
        ('"a":NaN', "no number"),
        ('"a":-Infinity', "no number"),
        ('"a":1,"a":2', "'a' twice"),
        ('"a":1,"\\u0061":2', "'a' twice"),
        ('"a" :1,"a" :2', "'a' twice"),
        ('"k":"trial"', "'k' twice"),
        ('"a":{"b":1,"b":1}', "'b' twice"),
        ('"a":"\\ud800"', "no Unicode"),
        ('"a":["\\uDFFF\\uD800"]', "no Unicode"),
        ('"a":1}', "no line of a journal"),
        ('"a"', "no line of a journal"),
        ('"what":3', "'what'"),
    ],
)
def test_what_is_beyond_the_bounds_of_a_line_is_refused_with_why(fields: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_line(line_of("note", fields))


def test_a_line_that_is_too_long_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(ValueError, match="longer than"):
        parse_line(line_of("note", {"a": "x" * MAX_LINE_BYTES}))


@pytest.mark.parametrize("t_us", [LONGEST_US + 1, -LONGEST_US - 1, "1.5", "true", '"0"', "00", "9" * 30])
def test_a_time_that_no_session_has_is_refused(t_us: int | str) -> None:
    with pytest.raises(ValueError, match=r"no line of a journal|no session lasts"):
        parse_line(line_of("note", {}, t_us))


def test_a_line_of_a_source_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no line of a journal"):
        parse_line(line_of("note", {"a": 1}, src="moon"))


def test_a_text_that_is_not_ascii_is_refused() -> None:
    body = '{"seq":0,"t":0,"src":"host","k":"note","a":"ä"'
    raw = body.encode()
    with pytest.raises(ValueError, match="no line of a journal"):
        parse_line(b'%b,"crc":"%08x"}' % (raw, zlib.crc32(raw)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("columns", 3),
        ("columns", ["a", "a"]),
        ("columns", ["a", ""]),
        ("columns", ["=cmd"]),
        ("columns", ["crc"]),
        ("columns", ["t", "t_"]),
        ("tables", {"../evil": []}),
        ("tables", {"/abs": []}),
        ("tables", {"trials": []}),
        ("tables", {"positions": []}),
        ("tables", {"a\n": []}),
        ("tables", {"a" * 65: []}),
        ("tables", {"con.tables": []}),
        ("tables", {"days": ["table"]}),
        ("tables", {"days": "abc"}),
        ("tables", []),
        ("start", "yesterday"),
        ("start", "9999-12-31T23:59:59"),
        ("start", "0001-01-01"),
        ("start", 5),
        ("stop", {}),
        ("stop", {"min_trials": True}),
        ("stop", {"min_trials": 1, "session_s": "long"}),
        ("rig", {"name": "x", "board": {}, "devices": {"left": 3}, "calibrations": {}}),
        ("curriculum", {"name": "x"}),
        ("curriculum", "x"),
        ("subject", ["M1"]),
        ("task", 3),
        ("from_records", "../evil"),
    ],
)
def test_a_header_says_nothing_that_its_readers_could_stumble_over(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"'{field}'"):
        parse_line(line_of("header", {**HEADER, field: value}))


@pytest.mark.parametrize("form", [0, 1, "2", None, [2], 10**400])
def test_a_header_of_another_format_is_distinguished_from_damage(form: Any) -> None:
    with pytest.raises(OtherFormatError, match="this program reads 2"):
        parse_line(line_of("header", {"format": form}))


def test_rows_have_the_columns_that_the_header_names() -> None:
    tables = Tables(parse_line(line_of("header", {**HEADER, "columns": ["t", "a"], "tables": {"days": ["b"]}})))
    tables.check("trial", parse_line(line_of("trial", {"t_": 1, "a": 2})))
    tables.check("row", parse_line(line_of("row", {"table": "days", "b": 2})))
    for kind, fields in (
        ("trial", {"a": 2}),
        ("trial", {"t_": 1, "a": 2, "b": 3}),
        ("row", {"table": "days"}),
        ("row", {"table": "weeks", "b": 2}),
        ("row", {"table": "trials", "t_": 1, "a": 2}),
    ):
        with pytest.raises(ValueError, match="table"):
            tables.check(kind, parse_line(line_of(kind, fields)))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["\ud800", "\udc00\ud800", "😀", "=1", 2**63 - 1, -(2**63), 2**63]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["note", "trial", "scene", "other"]), st.dictionaries(st.text(), anything, max_size=4))
def test_what_the_journal_writes_is_what_a_reader_takes_and_else_it_refuses(kind: str, fields: dict[str, Any]) -> None:
    raw: list[bytes] = []
    try:
        Journal(raw.append).note(1, kind, **fields)
    except TaskError:
        assert raw == []
        return
    if kind != "scene":
        assert parse_line(raw[0][:-1])["k"] == kind


def test_a_lone_surrogate_is_written_so_that_it_can_be_seen() -> None:
    raw: list[bytes] = []
    Journal(raw.append).note(1, "note", text=["\ud800", {"\udc00": "ä😀"}])
    assert parse_line(raw[0][:-1])["text"] == ["\\ud800", {"\\udc00": "ä😀"}]


def test_a_value_nested_too_deeply_to_be_written_is_the_tasks_mistake() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(TaskError, match="cannot be written"):
        Journal(lambda line: None).note(0, "note", deep=deep)


whole = st.integers(0, 2**53)
events = st.one_of(
    st.builds(Edge, st.just("left.beam"), st.integers(0, 1), st.integers(0, LONGEST_US), whole, whole),
    st.builds(BoardTime, st.integers(0, LONGEST_US), whole, whole),
    st.builds(SequenceStarted, st.integers(0, LONGEST_US), whole, whole),
    st.builds(FrameShown, st.integers(0, LONGEST_US), whole, st.text(st.characters()), whole, whole),
    st.builds(Key, st.integers(0, LONGEST_US), st.text(st.characters()), whole, whole),
    st.builds(Hover, st.integers(0, LONGEST_US), st.text(), *[st.floats(-1e4, 1e4)] * 2, whole, whole, whole),
    st.builds(Request, st.integers(0, LONGEST_US), st.text(st.characters()), whole, whole),
    st.builds(
        Touch,
        st.integers(0, LONGEST_US),
        st.sampled_from(("down", "move", "up")),
        whole,
        *[st.floats(-1e4, 1e4)] * 4,
        whole,
        st.text(),
        st.booleans(),
        st.booleans(),
        whole,
        whole,
    ),
)


@given(events)
def test_the_line_of_every_event_is_what_a_reader_takes(event: Any) -> None:
    raw: list[bytes] = []
    Journal(raw.append).event(event)
    parse_line(raw[0][:-1])


@given(st.binary(max_size=200))
def test_whatever_is_sealed_raises_nothing_but_a_value_error(body: bytes) -> None:
    for text in (body, b'{"seq":0,"t":0,"src":"host","k":"note",' + body):
        with suppress(ValueError):
            assert parse_line(b'%b,"crc":"%08x"}' % (text, zlib.crc32(text)))["seq"] == 0


def test_a_line_of_very_many_keys_and_columns_is_checked_all_the_same() -> None:
    """Comparing each name with each other one would take minutes."""
    names = [f"c{number}" for number in range(30_000)]
    assert column_name_error([*names, names[-1]]) == f"a column '{names[-1]}' is there twice"
    keys = ",".join(f'"{name}":0' for name in [*names, names[-1]])
    with pytest.raises(ValueError, match=f"'{names[-1]}' twice"):
        parse_line(add_crc(f'{{"seq":0,"t":0,"src":"host","k":"note",{keys}')[:-1])


FLAT = st.one_of(st.none(), st.booleans(), st.integers(), st.integers(-(1 << 64), 1 << 64), st.floats(), st.text())
OTHER = st.one_of(st.lists(st.integers(), max_size=2), st.just((1,)), st.just(b"no"), st.builds(object))


@given(st.dictionaries(st.text(max_size=5), st.one_of(FLAT, FLAT, OTHER), max_size=4))
def test_flat_fields_that_can_be_written_need_no_further_check(fields: dict[str, Any]) -> None:
    with suppress(TaskError):
        text = fields_of(fields)
        if is_flat(fields):
            check_note("trial", text)


@pytest.mark.parametrize("value", [1 << 63, -(1 << 63) - 1, [], {}, (1,), object()])
def test_what_needs_a_further_check_is_not_flat(value: object) -> None:
    assert not is_flat({"a": 1, "b": value})
    assert is_flat({"a": (1 << 63) - 1, "b": -(1 << 63), "c": 1.5, "d": "text", "e": None, "f": True})
