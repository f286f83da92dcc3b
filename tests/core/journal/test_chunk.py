"""Many lines are checked at once just as one after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.chunk import parse_all
from rig.core.journal.lines import add_crc, parse_line

GOOD = (
    'k":"edge","channel":"left.beam","level":1,"fired":0,"number":1',
    'k":"state","name":"ready"',
    'k":"command","epoch":0,"batch":1,"last_event":0,"orders":[{"do":"set","output":"a","on":true},{"do":"stop"}]',
    'k":"trial","trial":1,"why":null,"latency_s":0.25',
    'k":"note","what":"a word","text":"two words \\u00e9"',
    'k":"other"',
)
ODD = (
    'k":"edge","channel":"left.beam","level":2,"fired":0,"number":1',
    'k":"note","what":"a","what":"b"',
    'k":"note","\\u0077hat":"a","what":"b"',
    'k":"note","in":{"a":1,"a":2}',
    'k":"note","in":{"a" :1,"a" :2}',
    'k":"note","in":[{"a":1},{"a":1}]',
    'k":"note","text":"so \\"called\\": it"',
    'k":"note","text":"\\ud800"',
    'k":"note","x":NaN',
    'k":"note","x":1e999',
    'k":"note","x":99999999999999999999',
    'k":"note","x":' + 40 * "[" + 40 * "]",
    'k":"note","x":' + 4000 * '{"a":',
    'k":"note","x":[1',
    'k":"note"}, {"seq":1',
    'k":"weighed","weight_g":1,"when":"before","by":"","at":""',
    'k":"Note"',
)


def line(fields: str, t_us: int = 5, number: int = 0) -> bytes:
    return add_crc(f'{{"seq":{number},"t":{t_us},"src":"host","{fields}')


def one_by_one(chunk: bytes) -> list[object] | None:
    try:
        return [parse_line(raw) for raw in chunk.removesuffix(b"\n").split(b"\n")]
    except ValueError:
        return None


def test_lines_that_are_right_are_parsed() -> None:
    chunk = b"".join(map(line, GOOD))
    assert parse_all(b"") == []
    assert parse_all(chunk) is not None
    assert parse_all(chunk) == one_by_one(chunk)


@pytest.mark.parametrize("fields", ODD)
def test_no_odd_line_is_taken_that_would_be_refused_alone(fields: str) -> None:
    chunk = line(GOOD[0]) + line(fields) + line(GOOD[1])
    assert parse_all(chunk) in (None, one_by_one(chunk))


@pytest.mark.parametrize(
    "chunk",
    [
        line(GOOD[0])[:-1],
        line(GOOD[0]) + line(GOOD[1])[:-1],
        line(GOOD[0]) + b"\n",
        b" " + line(GOOD[0]),
        line(GOOD[0]).replace(b"left", b"lift"),
        line(GOOD[0], t_us=10**16),
        add_crc('{"seq":0,"t":5,"src":"host","k":"note","x":[1') + add_crc('{"seq":1,"t":5,"src":"host","k":"note"}]'),
    ],
)
def test_what_is_no_whole_line_is_left_to_the_checks_of_a_single_line(chunk: bytes) -> None:
    assert parse_all(chunk) in (None, one_by_one(chunk))


def changed(chunk: bytes, place: int, byte: int) -> bytes:
    place %= len(chunk)
    return chunk[:place] + bytes([byte]) + chunk[place + 1 :]


@given(
    st.lists(st.sampled_from(GOOD + ODD), min_size=1, max_size=4), st.integers(0), st.integers(0, 255), st.booleans()
)
def test_no_change_of_a_byte_makes_a_line_right(fields: list[str], place: int, byte: int, is_sealed: bool) -> None:
    lines = list(map(line, fields))
    if is_sealed:  # as an enemy does it
        body = changed(lines[0][: lines[0].rindex(b',"crc"')], place, byte % 128)
        chunk = add_crc(body.decode("ascii")) + b"".join(lines[1:])
    else:
        chunk = changed(b"".join(lines), place, byte)
    assert parse_all(chunk) in (None, one_by_one(chunk))
