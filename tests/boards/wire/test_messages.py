import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import ROOM_BYTES

KINDS = [*wire.TO_BOARD.values(), *wire.TO_HOST.values()]
RANGES = {
    "u8": (0, 0xFF),
    "u16": (0, 0xFFFF),
    "i16": (-0x8000, 0x7FFF),
    "u32": (0, 0xFFFF_FFFF),
    "i32": (-0x8000_0000, 0x7FFF_FFFF),
}

by_name = pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.values], ids=lambda kind: kind.name)
blocks = pytest.mark.parametrize("kind", wire.BLOCKS, ids=lambda kind: kind.name)
any_kind = pytest.mark.parametrize("kind", [*KINDS, *wire.ORDERS.values()], ids=lambda kind: kind.name)


def known(kind: wire.Kind) -> dict[int, wire.Kind]:
    return wire.TO_BOARD if kind.code in wire.TO_BOARD else wire.TO_HOST


@st.composite
def values_of(draw, kind: wire.Kind):
    forms = [form for _, form in kind.layout]
    return [draw(st.integers(*RANGES[form]) if form in RANGES else st.binary(max_size=8)) for form in forms]


def padded(values):
    return tuple(value.ljust(wire.NAME_BYTES, b"\0") if isinstance(value, bytes) else value for value in values)


@by_name
@settings(max_examples=15)
@given(data=st.data())
def test_a_message_comes_back(kind, data):
    values = data.draw(values_of(kind))
    assert wire.unpack(kind.pack(*values), known(kind)) == (kind.code, *padded(values))


@by_name
def test_a_message_of_the_wrong_length_is_refused(kind):
    payload = kind.pack(*(0 if form in RANGES else b"" for _, form in kind.layout))
    for wrong in (payload[:-1], payload[: len(payload) // 2], payload + b"\0"):
        if wrong and kind is not wire.BATCH:
            assert wire.unpack(wrong, known(kind)) is None


def test_what_follows_the_head_of_a_batch_is_left_to_the_orders():
    head = wire.BATCH.pack(1, 2, 3, 4, 1)
    assert wire.unpack(head + b"orders", wire.TO_BOARD) == (wire.BATCH.code, 1, 2, 3, 4, 1)
    assert wire.unpack(head[:-1], wire.TO_BOARD) is None


def test_an_unknown_code_is_refused():
    for code in range(256):
        if code not in wire.TO_BOARD:
            assert wire.unpack(bytes((code, 0, 0)), wire.TO_BOARD) is None
        if code not in wire.TO_HOST:
            assert wire.unpack(bytes((code, 0, 0)), wire.TO_HOST) is None


@any_kind
def test_a_value_that_does_not_fit_its_field_is_refused(kind):
    for place, (_, form) in enumerate(kind.layout):
        for wrong in (RANGES[form][0] - 1, RANGES[form][1] + 1) if form in RANGES else ():
            values = [0 if other in RANGES else b"" for _, other in kind.layout]
            values[place] = wrong
            with pytest.raises(wire.CannotPack):
                kind.pack(*values)


@any_kind
def test_everything_fits_a_frame(kind):
    assert kind.size.size <= frame.LONGEST_PAYLOAD
    code_size = 1 if kind.code <= 0xFF else 2
    assert kind.size.size == code_size + sum(
        {"u8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4}.get(form, 8) for _, form in kind.layout
    )
    assert kind.doc


def test_every_code_means_one_thing():
    assert len({kind.code for kind in KINDS}) == len(KINDS) == len({kind.name for kind in KINDS})
    assert all(code == kind.code for code, kind in {**wire.TO_BOARD, **wire.TO_HOST, **wire.ORDERS}.items())
    assert all(kind.code < 0x80 for kind in wire.TO_BOARD.values())
    assert all(kind.code >= 0x80 for kind in wire.TO_HOST.values())


def test_events_are_the_codes_from_the_first_event_on_and_begin_with_their_number():
    for kind in wire.TO_HOST.values():
        assert (kind in wire.EVENTS) == (kind.code >= wire.FIRST_EVENT)
    assert {kind.layout[0] for kind in wire.EVENTS} == {("number", "u16")}


def test_every_configuration_order_fits_a_frame_of_a_batch():
    assert max(kind.size.size for kind in wire.ORDERS.values()) <= ROOM_BYTES


# --- blocks of samples --------------------------------------------------------------------------------------


def heads():
    return st.tuples(*(st.integers(*RANGES[form]) for _, form in wire.SAMPLES.layout[:-1]))


def longest(kind: wire.Kind) -> int:
    return (frame.LONGEST_PAYLOAD - kind.size.size) // kind.value_bytes


@blocks
@given(data=st.data(), head=heads())
def test_a_block_comes_back_with_its_values(kind, data, head):
    values = data.draw(st.lists(st.integers(*RANGES[kind.values]), min_size=1, max_size=longest(kind)))
    payload = kind.pack_values(*head, values=values)
    assert len(payload) <= frame.LONGEST_PAYLOAD
    assert wire.unpack(payload, wire.TO_HOST) == (kind.code, *head, tuple(values))


@blocks
@given(data=st.data(), head=heads())
def test_a_block_whose_length_is_not_that_of_its_values_is_refused(kind, data, head):
    values = data.draw(st.lists(st.integers(*RANGES[kind.values]), min_size=1, max_size=longest(kind) - 1))
    payload = kind.pack_values(*head, values=values)
    for size in range(1, len(payload)):
        assert wire.unpack(payload[:size], wire.TO_HOST) is None
    assert wire.unpack(payload + b"\0", wire.TO_HOST) is None


@blocks
def test_a_block_without_values_is_refused(kind):
    assert wire.unpack(kind.pack(0, 0, 0, 0, 1, 0), wire.TO_HOST) is None


def test_a_frame_holds_51_samples_or_25_counts():
    assert (longest(wire.SAMPLES), longest(wire.COUNTS)) == (51, 25)


@blocks
def test_a_value_that_does_not_fit_a_block_is_refused(kind):
    for wrong in (RANGES[kind.values][0] - 1, RANGES[kind.values][1] + 1):
        with pytest.raises(wire.CannotPack):
            kind.pack_values(0, 0, 0, 0, 1, values=[wrong])
