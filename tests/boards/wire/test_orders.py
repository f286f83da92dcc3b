import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rig.boards.wire import messages as wire
from rig.boards.wire.orders import OrderWriter, configure, read_orders
from rig.core.errors import OrderRefusedError
from rig.core.model import actions
from rig.core.model.actions import (
    CANCEL,
    NOTHING,
    Arm,
    Code,
    Disarm,
    Load,
    Pulse,
    Ramp,
    RewardAction,
    Set,
    Start,
    Stop,
    Tone,
    Train,
)
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role

NAMES = ("left.beam", "left.light", "left.valve", "speaker.tone")
CHANNELS = {name: number for number, name in enumerate(NAMES)}


def writer(tick_ns: int = 1000) -> OrderWriter:
    return OrderWriter(CHANNELS, tick_ns, lambda t_us: t_us * 1000 // tick_ns & 0xFFFF_FFFF)


# --- the way back, written down once more -------------------------------------------------------------------


def reread(order, tick_us: int = 1):
    """Turn an order as read from the wire into the action it was."""
    code, *fields = order
    name = NAMES[fields[0] & 0x7F] if fields and fields[0] & 0x7F < len(NAMES) else None
    simple = {
        wire.ORDER_NOTHING.code: lambda: NOTHING,
        wire.ORDER_SET.code: lambda: Set(name, bool(fields[0] & 0x80)),
        wire.ORDER_PULSE.code: lambda: Pulse(name, fields[1] * tick_us),
        wire.ORDER_TRAIN.code: lambda: Train(name, fields[1] * tick_us, fields[2] * tick_us, fields[3]),
        wire.ORDER_TONE.code: lambda: Tone(name, fields[1], fields[2] * tick_us),
        wire.ORDER_RAMP.code: lambda: Ramp(name, *fields[1:3], fields[3] * 1000, fields[4] * 1000, fields[5]),
        wire.ORDER_START.code: lambda: Start(*fields),
        wire.ORDER_START_AT.code: lambda: Start(fields[0], fields[1] * tick_us),
        wire.ORDER_STOP.code: lambda: Stop(*fields),
        wire.ORDER_DISARM.code: lambda: Disarm(*fields),
        # The board is told a state; with number -1 a code's state is its seed.
        wire.ORDER_CODE.code: lambda: Code(name, fields[2] * 1000, fields[3] * 1000, fields[4], fields[1], -1),
        wire.ORDER_LOAD.code: lambda: Load(
            fields[0], tuple((delay * tick_us, reread(entry, tick_us)) for delay, entry in fields[2])
        ),
        wire.ORDER_ARM.code: lambda: Arm(
            fields[0],
            fields[2] * tick_us if fields[1] else None,
            tuple((NAMES[place & 0x7F], place >> 7, reread(member, tick_us)) for place, member in fields[4]),
        ),
    }
    return simple[code]()


def stripped(order):
    """What the board is told of an order: a reward's action, and entries in the order in which it does them."""
    if isinstance(order, Load):
        return replace(order, entries=tuple((at, stripped(action)) for at, action in order.in_order))
    if isinstance(order, Arm):
        return replace(order, members=tuple((name, level, stripped(a)) for name, level, a in order.members))
    # On the wire both are one.
    return NOTHING if order == CANCEL else actions.plain_action(order)


# --- orders of every kind -----------------------------------------------------------------------------------

names = st.sampled_from(NAMES)
u8, u16 = st.integers(0, 0xFF), st.integers(0, 0xFFFF)
us = st.integers(0, 0x7FFF_FFFF // 4).map(lambda ticks: ticks * 4)  # whole ticks of every size below
ms_in_us = u16.map(lambda ms: ms * 1000)
pulses = st.builds(Pulse, names, us)
simple = st.one_of(
    st.just(NOTHING),
    st.just(CANCEL),
    st.builds(Set, names, st.booleans()),
    pulses,
    st.builds(Train, names, us, us, u16),
    st.builds(Tone, names, u16, us),
    st.builds(Ramp, names, u16, st.integers(-0x8000, 0x7FFF), ms_in_us, ms_in_us, u16),
    st.builds(Start, u8, st.none() | us),
    st.builds(Stop, u8),
    st.builds(RewardAction, pulses, st.just("left"), st.floats(0, 100)),
)
orders = st.one_of(
    simple,
    st.builds(Disarm, u8),
    st.builds(Code, names, ms_in_us, ms_in_us, u8, st.integers(0, 0xFFFF_FFFF), st.just(-1)),
    st.builds(Load, u8, st.lists(st.tuples(us, simple), max_size=8).map(tuple)),
    st.builds(Arm, u8, st.none() | us, st.lists(st.tuples(names, st.integers(0, 1), simple), max_size=8).map(tuple)),
)
tick_sizes = pytest.mark.parametrize("tick_ns", [500, 1000, 4000])


@tick_sizes
@given(listed=st.lists(orders, max_size=5))
def test_orders_come_back(tick_ns, listed):
    write = writer(tick_ns).write
    payload = b"head" + b"".join(map(write, listed))
    read = read_orders(payload, 4, len(listed))
    assert [reread(order, tick_ns / 1000) for order in read] == list(map(stripped, listed))


@settings(max_examples=30)
@given(st.lists(orders, min_size=1, max_size=4), st.data())
def test_orders_that_were_cut_short_are_none_at_all(listed, data):
    payload = b"".join(map(writer().write, listed))
    for end in range(len(payload)):
        assert read_orders(payload[:end], 0, len(listed)) is None
    assert read_orders(payload + data.draw(st.binary(min_size=1, max_size=4)), 0, len(listed)) is None
    assert read_orders(payload, 0, len(listed) - 1) is None


@given(st.binary(max_size=120), st.integers(0, 255))
def test_rubbish_is_never_an_exception(payload, count):
    read = read_orders(payload, 0, count)
    assert read is None or len(read) == count


@given(st.lists(st.sampled_from([wire.ORDER_ARM.code, wire.ORDER_LOAD.code, 0, 1, 255]), max_size=120))
def test_orders_in_orders_in_orders_are_never_an_exception(codes):
    read_orders(bytes(codes), 0, 1)


def test_no_orders_are_read_from_no_bytes():
    assert read_orders(b"head", 4, 0) == []
    assert read_orders(b"head", 3, 0) is None


@given(st.data())
def test_a_code_that_means_nothing_is_none(data):
    code = data.draw(st.integers(0, 255).filter(lambda code: code not in wire.ORDERS))
    assert read_orders(bytes((code, 0, 0, 0, 0)), 0, 1) is None


# --- what cannot be carried ---------------------------------------------------------------------------------

TOO_MUCH = [
    Pulse("left.valve", 1 << 32),
    Pulse("left.valve", -1),
    Train("left.valve", 1, 1 << 32, 1),
    Train("left.valve", 1, 1, 1 << 16),
    Tone("speaker.tone", 1 << 16, 1000),
    Tone("speaker.tone", -1, 1000),
    Tone("speaker.tone", 440, 1 << 32),
    Ramp("speaker.tone", 440, 1 << 15, 1000, 1000, 1),
    Ramp("speaker.tone", 440, 0, 65_536_000, 1000, 1),
    Ramp("speaker.tone", 440, 0, 1000, 1000, -1),
    Start(256),
    Start(256, 5),
    Stop(-1),
    Code("left.light", 65_536_000, 1000, 8, 1),
    Code("left.light", 1000, 1000, 256, 1),
    Disarm(256),
    Load(256, ()),
    Load(1, ((1 << 32, NOTHING),)),
    Load(1, ((-1, NOTHING),)),
    Load(1, tuple((0, NOTHING) for _ in range(256))),
    Arm(256, None, ()),
    Arm(1, None, tuple(("left.beam", 1, NOTHING) for _ in range(256))),
    Arm(1, None, (("left.beam", 1, Pulse("left.valve", 1 << 32)),)),
    RewardAction(Pulse("left.valve", 1 << 32), "left", 2.5),
]


@pytest.mark.parametrize("times_us", [(5_000_500, 20_000), (5_000_000, 20_500)])
def test_a_sync_code_in_parts_of_a_millisecond_is_refused(times_us):
    with pytest.raises(OrderRefusedError, match="the times of a sync code are whole milliseconds"):
        writer().write(Code("left.light", *times_us, 16, 1))


@pytest.mark.parametrize(
    "inner", [Disarm(1), Load(1, ()), Arm(1, None, ()), Code("left.light", 1000, 1000, 8, 1)], ids=str
)
def test_what_is_no_action_is_read_in_no_group_and_in_no_sequence(inner):
    write = writer().write
    for head in (wire.ORDER_LOAD.pack(1, 1) + bytes(4), wire.ORDER_ARM.pack(1, 0, 0, 1) + bytes(1)):
        assert read_orders(head + write(inner), 0, 1) is None


@pytest.mark.parametrize("order", TOO_MUCH, ids=lambda order: str(order)[:40])
def test_what_the_wire_cannot_carry_is_refused(order):
    with pytest.raises(OrderRefusedError, match="is beyond what the wire can carry"):
        writer().write(order)


@given(
    st.lists(st.tuples(names, st.integers(0, 1), simple), min_size=1, max_size=8, unique_by=lambda member: member[:2]),
    st.data(),
)
def test_the_edge_of_a_member_is_found_in_the_group_that_was_armed_last(members, data):
    armed = writer()
    for group, listed in ((7, members[::-1]), (8, members[::-1]), (7, members)):
        armed.write(Arm(group, None, tuple(listed)))
    place = data.draw(st.integers(0, len(members) - 1))
    name, level, _ = members[place]
    edge = CHANNELS[name] | level * wire.LEVEL
    assert armed.member_of(7, edge) == place
    assert armed.member_of(8, edge) == len(members) - 1 - place


def test_a_group_or_an_edge_that_was_never_armed_has_no_member():
    armed = writer()
    armed.write(Arm(7, None, (("left.beam", 1, NOTHING),)))
    for group, edge in ((8, 128), (7, 0), (7, 129)):
        with pytest.raises((LookupError, ValueError)):
            armed.member_of(group, edge)


def test_a_refusal_names_the_deed_inside_the_reflex():
    order = Arm(1, None, (("left.beam", 1, RewardAction(Pulse("left.valve", 1 << 32), "left", 2.5)),))
    with pytest.raises(OrderRefusedError, match=r"^'pulse left\.valve 4294967296' is beyond"):
        writer().write(order)


@pytest.mark.parametrize(
    "order",
    [
        Set("moon", True),
        Pulse("moon", 5),
        Train("moon", 1, 2, 3),
        Tone("moon", 440, 5),
        Ramp("moon", 440, 1, 1000, 1000, 2),
        Arm(1, None, (("moon", 1, NOTHING),)),
        Arm(1, None, (("left.beam", 1, Set("moon", True)),)),
        Load(1, ((0, Set("moon", False)),)),
    ],
    ids=str,
)
def test_a_channel_that_is_not_there_is_named_with_those_that_are(order):
    with pytest.raises(OrderRefusedError, match=r"no channel 'moon'; it has left\.beam, left\.light"):
        writer().write(order)


def test_a_time_that_the_board_cannot_schedule_is_refused_by_who_knows_its_clock():
    def refuse(t_us: int) -> int:
        raise OrderRefusedError(f"{t_us} is too far ahead")

    far = OrderWriter(CHANNELS, 1000, refuse)
    for order in (Start(1, 5), Arm(1, 5, ()), Arm(1, None, (("left.beam", 1, Start(1, 5)),))):
        with pytest.raises(OrderRefusedError, match="5 is too far ahead"):
            far.write(order)
    assert far.write(Start(1)) + far.write(Arm(1, None, ()))


# --- channels -----------------------------------------------------------------------------------------------


def read_one(payload: bytes):
    (order,) = read_orders(payload, 0, 1)
    return order


def test_an_input_is_configured_with_its_times():
    channel = Input("left", Role.BEAM, 6, debounce_us=5000, confirm_on_us=100, confirm_off_us=7, inverted=True)
    assert read_one(configure(3, channel)) == (wire.ORDER_INPUT.code, 3, 6, wire.INVERTED, 5000, 100, 7)


def test_a_harmless_output_has_no_limit():
    assert read_one(configure(1, Output("left", Role.LIGHT, 10))) == (wire.ORDER_OUTPUT.code, 1, 10, 0, 0)


@pytest.mark.parametrize(("max_on_us", "max_on_ms"), [(1, 1), (1000, 1), (1001, 2), (60_000_000, 60_000)])
def test_a_dangerous_output_has_its_limit_in_whole_milliseconds_and_never_none(max_on_us, max_on_ms):
    channel = Output("left", Role.VALVE, 3, max_on_us=max_on_us, inverted=True)
    flags = wire.INVERTED | wire.DANGEROUS
    assert read_one(configure(0, channel)) == (wire.ORDER_OUTPUT.code, 0, 3, flags, max_on_ms)


@pytest.mark.parametrize(
    "channel",
    [
        Input("odd", Role.LINE, 256),
        Output("odd", Role.LINE, -1),
        Input("odd", Role.LINE, 1, debounce_us=1 << 32),
        Output("odd", Role.LINE, 1, 66_000_000),
    ],
    ids=str,
)
def test_a_channel_that_the_wire_cannot_carry_is_refused_by_name(channel):
    with pytest.raises(OrderRefusedError, match="channel 'odd' is beyond what the wire can carry"):
        configure(0, channel)
