"""Lines as bytes: nothing that is otherwise comes past the check, and nothing else than ValueError comes of it."""

import json
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import NODEFAULT
from msgspec.structs import fields as fields_of

from rig.core.journal.codec import (
    MAX_LINE_BYTES,
    OtherFormatError,
    encode,
    line_bytes,
    parse_event,
    parse_line,
    sealed,
    subject_bytes,
    unsealed,
)
from rig.core.journal.kinds import SessionLine, SubjectEvent, SubjectLine
from rig.core.model.line import LONGEST_US, Line, kind_of
from tests.core.journal.examples import SESSION, SUBJECT
from tests.journal_lines import HEADER

STRANGE = [None, True, 1.5, -1, 2**63, "text", [], {}, [[]], {"a": []}]
KINDS: dict[str, type[Line]] = {kind_of(kind): kind for kind in (*get_args(SessionLine), *get_args(SubjectLine))}


def raw(kind: str, fields: dict[str, Any] | str, t_us: int | str = 0, seq: int | str = 0) -> bytes:
    """A sealed line of a session without its newline."""
    text = fields if isinstance(fields, str) else json.dumps(fields, separators=(",", ":"))[1:-1]
    return sealed(f'{{"seq":{seq},"k":"{kind}","t":{t_us},{text}'.removesuffix(",").encode())[:-1]


def parsed(kind: str, fields: dict[str, Any] | str) -> Line:
    """The line of a session or the event of a subject that such fields say."""
    if kind in SESSION:
        return parse_line(raw(kind, fields))[1]
    text = fields if isinstance(fields, str) else json.dumps(fields, separators=(",", ":"))[1:-1]
    return parse_event(sealed(f'{{"k":"{kind}","t":0,{text}'.encode())[:-1])


def test_every_kind_has_an_example() -> None:
    assert {**SESSION, **SUBJECT}.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_of_each_kind_is_written_as_it_is_read(kind: str) -> None:
    line = parsed(kind, {**SESSION, **SUBJECT}[kind])
    assert type(line) is KINDS[kind]
    wanted = {"k": kind, "t": 0, **{**SESSION, **SUBJECT}[kind]}
    got = json.loads(encode(line))
    assert {name: wanted[name] for name in got} == got
    assert parsed(kind, {name: value for name, value in got.items() if name not in ("k", "t")}) == line
    if isinstance(line, SubjectEvent):
        assert parse_event(subject_bytes(line)[:-1]) == line  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_a_kind_does_not_have_is_refused_by_name(kind: str) -> None:
    with pytest.raises(ValueError, match="unknown field `more`"):
        parsed(kind, {**{**SESSION, **SUBJECT}[kind], "more": 1})


REQUIRED = [
    (kind, field.encode_name)
    for kind, cls in KINDS.items()
    for field in fields_of(cls)
    if field.default is NODEFAULT and field.default_factory is NODEFAULT and field.encode_name != "t"
]


@pytest.mark.parametrize(("kind", "field"), REQUIRED)
def test_a_field_that_is_missing_or_of_another_type_is_named(kind: str, field: str) -> None:
    right = {**SESSION, **SUBJECT}[kind]
    with pytest.raises(ValueError, match=f"`{field}`"):
        parsed(kind, {name: value for name, value in right.items() if name != field})
    refused = 0
    for strange in STRANGE:
        try:
            parsed(kind, {**right, field: strange})
        except ValueError:
            refused += 1
    assert refused >= len(STRANGE) - 3, "a text, a number or a list may be right, and then all others are wrong"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ('"fields":{"a":' + "9" * 40 + "}", "64 bits"),
        ('"fields":{"a":9223372036854775808}', "64 bits"),
        ('"fields":{"a":' + "9" * 5000 + "}", "out of range"),
        ('"fields":{"a":' + "[" * 33 + "]" * 33 + "}", "nested deeper"),
        ('"fields":{"a":' + "[" * 10_000 + "]" * 10_000 + "}", "nested too deep"),
        ('"fields":{"a":' + '{"b":' * 10_000 + "1" + "}" * 10_000 + "}", "nested too deep"),
        ('"fields":{"a":1e999}', "out of range"),
        ('"fields":{"a":NaN}', "invalid character"),
        ('"fields":{"a":-Infinity}', "invalid"),
        ('"fields":{"a":1,"a":2}', "'a' twice"),
        ('"fields":{"a":1,"\\u0061":2}', "'a' twice"),
        ('"fields":{"a" :1,"a" :2}', "'a' twice"),
        ('"fields":{"a":{"b":1,"b":1}}', "'b' twice"),
        ('"k":"trial"', "no line of a journal"),
        ('"what":"a","what":"b"', "'what' twice"),
        ('"fields":{"a":"\\ud800"}', "truncated|surrogate"),
        ('"fields":{"a":["\\uDFFF\\uD800"]}', "surrogate"),
        ('"fields":{}}', "no line of a journal"),
        ('"fields"', "no line of a journal"),
        ('"what":3', "`what`|what"),
    ],
)
def test_what_is_beyond_the_bounds_of_a_line_is_refused_with_why(fields: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_line(raw("note", fields))


def test_a_line_that_is_too_long_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(ValueError, match="longer than"):
        parse_line(raw("note", {"what": "x" * MAX_LINE_BYTES}))


@pytest.mark.parametrize("t_us", [LONGEST_US + 1, -LONGEST_US - 1, "1.5", "true", '"0"', "00", "9" * 30])
def test_a_time_that_no_session_has_is_refused(t_us: int | str) -> None:
    with pytest.raises(ValueError, match="no line of a journal"):
        parse_line(raw("pause", {}, t_us))


@pytest.mark.parametrize("seq", ["-1", "01", "1.0", '"0"', "9" * 16, "9" * 30])
def test_a_number_that_no_line_has_is_refused(seq: str) -> None:
    with pytest.raises(ValueError, match=r"no line of a journal|larger than that of any line"):
        parse_line(raw("pause", {}, seq=seq))


def test_a_kind_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'moon'"):
        parse_line(raw("moon", {}))


def test_a_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(ValueError, match="no line of a journal"):
        parse_line(sealed(b'{"seq":0,"k":"note","t":0,"what":"\xff"')[:-1])


def test_a_text_in_any_language_is_written_as_it_is() -> None:
    line = parse_line(raw("state", '"name":"wähle 😀"'))[1]
    assert "wähle 😀" in encode(line).decode()


def test_another_spelling_of_the_same_values_is_the_same_line() -> None:
    assert parse_line(raw("note", '"fields": {"a":1.50,"b":"\\u0061"},"what":"x"')) == parse_line(
        raw("note", '"what":"x","fields":{"a":1.5,"b":"a"}')
    )


@pytest.mark.parametrize("at", [0, 5, 30, -3, -12])
def test_a_damaged_byte_is_a_damaged_line(at: int) -> None:
    damaged = bytearray(raw("state", {"name": "ready"}))
    damaged[at] ^= 1
    with pytest.raises(ValueError, match="checksum"):
        parse_line(bytes(damaged))


@pytest.mark.parametrize("form", [0, 2, 4, "3", None, [3], 10**40])
def test_a_header_of_another_format_is_distinguished_from_damage(form: Any) -> None:
    with pytest.raises(OtherFormatError, match="this program reads 3"):
        parse_line(raw("header", {**HEADER, "format": form}))


def test_a_header_as_format_2_had_it_is_distinguished_from_damage() -> None:
    old = b'{"seq":0,"t":0,"src":"host","k":"header","format":2,"protocol":"p","columns":[]'
    with pytest.raises(OtherFormatError, match="format is 2, this program reads 3"):
        parse_line(sealed(old)[:-1])


@given(st.binary(max_size=200))
def test_whatever_is_sealed_raises_nothing_but_a_value_error(body: bytes) -> None:
    for text in (body, b'{"seq":0,"k":"note","t":0,' + body, b'{"seq":0,"k":"' + body):
        with suppress(ValueError):
            seq, line = parse_line(sealed(text)[:-1])
            assert parse_line(line_bytes(seq, encode(line))[:-1]) == (seq, line)


@given(st.sampled_from(sorted(SESSION)), st.data())
def test_a_line_with_a_byte_changed_is_refused_or_reads_as_what_it_says(kind: str, data: st.DataObject) -> None:
    body = bytearray(raw(kind, SESSION[kind])[: -len(b',"crc":"00000000"}')])
    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ValueError):
        seq, line = parse_line(sealed(bytes(body))[:-1])
        assert parse_line(line_bytes(seq, encode(line))[:-1]) == (seq, line)


def test_a_line_of_very_many_keys_is_checked_all_the_same() -> None:
    """Comparing each name with each other one would take minutes."""
    keys = ",".join(f'"c{number}":0' for number in [*range(30_000), 29_999])
    with pytest.raises(ValueError, match="'c29999' twice"):
        parse_line(raw("note", f'"what":"","fields":{{{keys}}}'))


@pytest.mark.parametrize("missing", ["by", "at"])
@pytest.mark.parametrize("kind", sorted(SUBJECT.keys() - {"torn"}))
def test_an_event_of_a_subject_says_who_recorded_it_and_when(kind: str, missing: str) -> None:
    fields = {name: value for name, value in SUBJECT[kind].items() if name != missing}
    with pytest.raises(ValueError, match="who recorded it, and when"):
        parsed(kind, fields)


@pytest.mark.parametrize("twice", ['"text":"a","text":"b"', '"text":"b","by":"you"', '"te\\u0078t":"a","text":"b"'])
def test_an_event_of_a_subject_with_a_key_twice_is_refused(twice: str) -> None:
    said = '"k":"remark","t":0,"seq":3,"by":"me","at":"2026-11-21T09:00:00"'
    with pytest.raises(ValueError, match="twice"):
        parse_event(sealed(f"{{{said},{twice}".encode())[:-1])


def test_a_line_with_the_line_end_of_windows_is_whole() -> None:
    raw = line_bytes(3, b'{"k":"pause","t_us":5}')
    assert unsealed(raw[:-1] + b"\r") == unsealed(raw[:-1])
    with pytest.raises(ValueError, match="no checksum"):
        unsealed(raw[:-1] + b"\r\r")
