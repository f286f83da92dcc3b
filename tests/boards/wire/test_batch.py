"""Batches of several frames: how they are cut, and what the simulated board makes of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.boards.wire import messages as wire
from rig.boards.wire.batch import write_batch
from rig.boards.wire.go_back_n import ROOM_BYTES
from rig.boards.wire.orders import OrderWriter, read_orders
from rig.core.errors import OrderRefusedError
from rig.core.model.actions import NOTHING, Arm, Code, Disarm, Load, Pulse, Set, Start, Stop, Tone, split_into_batches
from rig.core.model.board import Output
from rig.core.model.channels import Role
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.chip_bench import ChipBench

NUMBERS = {"left": 0, "right": 1, "valve": 2, "other_valve": 3, "light": 4, "speaker": 5}
WRITER = OrderWriter(NUMBERS, 1000, lambda t_us: t_us)
PARTED = ("MEMBERS", "ARM")
LIGHT = Set("light", True)


def frames_of(orders, writer=WRITER):
    frames = write_batch(orders, writer)
    assert all(len(data) <= ROOM_BYTES for data, _ in frames)
    parsed = [read_orders(data, 0, count) for data, count in frames]
    assert None not in parsed
    return parsed


def names(frames):
    return [[wire.ORDERS[order[0]].name for order in frame] for frame in frames]


def test_a_batch_that_fits_is_one_frame_byte_for_byte():
    orders = [Disarm(1), LIGHT, Pulse("valve", 5)]
    assert write_batch(orders, WRITER) == [(b"".join(map(WRITER.write, orders)), 3)]


def test_the_last_frame_has_as_much_as_it_can_because_the_board_defers_the_others():
    assert [len(frame) for frame in frames_of([LIGHT] * 20)] == [2, 18]


def test_members_travel_ahead_of_their_group_and_behind_what_it_replaces():
    arm = Arm(7, None, tuple((name, level, Pulse("valve", 9)) for name in NUMBERS for level in (0, 1))[:11])
    frames = frames_of([Disarm(3), arm, LIGHT])
    assert names(frames) == [["DISARM", "MEMBERS"], ["MEMBERS"], ["ARM", "SET"]]
    assert [len(order[-1]) for frame in frames for order in frame if wire.ORDERS[order[0]].name in PARTED] == [4, 4, 3]


def test_the_entries_of_a_long_sequence_travel_in_the_order_of_their_delays():
    load = Load(2, tuple((1000 * at, Pulse("valve", 9)) for at in reversed(range(24))))
    frames = frames_of([load])
    assert names(frames) == [*[["ENTRIES"]] * 7, ["LOAD"]]
    assert [at for frame in frames for at, _ in frame[0][-1]] == [1000 * at for at in range(24)]


def test_more_orders_than_a_board_takes_are_refused():
    assert len(write_batch([LIGHT] * wire.MAX_ORDERS, WRITER)) == 3
    with pytest.raises(OrderRefusedError, match="49 orders of one instant, and a board takes at most 48 at once"):
        write_batch([LIGHT] * (wire.MAX_ORDERS + 1), WRITER)


def test_a_sync_code_is_not_cut_apart():
    with pytest.raises(OrderRefusedError, match="a sync code"):
        write_batch([Code("light", 2000, 1000, 0, 1), *[LIGHT] * 20], WRITER)


actions = st.one_of(
    st.just(NOTHING),
    st.builds(Set, st.sampled_from(("light", "valve")), st.booleans()),
    st.builds(Pulse, st.sampled_from(("light", "valve", "other_valve")), st.integers(1, 500)),
    st.builds(Tone, st.just("speaker"), st.integers(100, 9000), st.integers(1, 500)),
    st.builds(Start, st.integers(1, 4)),
    st.builds(Stop, st.integers(1, 4)),
)
members = st.lists(
    st.tuples(st.sampled_from(("left", "right")), st.integers(0, 1), actions), max_size=4, unique_by=lambda m: m[:2]
)
orders = st.lists(
    st.one_of(
        actions,
        st.builds(Disarm, st.integers(1, 4)),
        st.builds(Arm, st.integers(1, 4), st.none() | st.integers(0, 3000), members.map(tuple)),
        st.builds(Load, st.integers(1, 4), st.lists(st.tuples(st.integers(0, 800), actions), max_size=12).map(tuple)),
    ),
    max_size=30,
)
batches = st.lists(orders, max_size=4)
edges = st.lists(st.tuples(st.sampled_from(("left", "right")), st.integers(1, 900)), max_size=6)
WIDE = Capacity(entries=255)


def run(batches, edges, *, is_cut):
    """Execute batches on a chip, each in several frames or in one; return its events and the changes of its pins."""
    bench = ChipBench(capacity=WIDE)
    for orders in batches:
        bench.batches += 1
        if is_cut:
            *early, last = (read_orders(data, 0, count) for data, count in write_batch(orders, bench._writer))
            for frame in early:
                bench.chip.prepare(frame, bench.batches & 0xFF)
        else:
            written = b"".join(map(bench._writer.write, orders))
            last = read_orders(written, 0, len(orders))
        bench.chip.execute(last, bench.count, bench.batches & 0xFF)
        level = {"left": 0, "right": 0}
        start = round(bench.clock.time() * 1e6)
        for name, after_us in sorted(edges, key=lambda edge: edge[1]):
            bench.clock.run((start + after_us) / 1e6)
            level[name] ^= 1
            bench.chip.inputs.drive(bench._pins[name], level[name])
        bench.clock.run((start + 1000) / 1e6)
    return bench.events, bench.trace


def first_of_each(orders):
    """Return orders with only the first arming of each group and load of each sequence, as the engine sends them."""
    kept, taken = [], set()
    for order in orders:
        key = (type(order), order.group if isinstance(order, Arm) else getattr(order, "sequence", None))
        if isinstance(order, Arm | Load) and key in taken:
            continue
        taken.add(key)
        kept.append(order)
    return kept


@given(batches, edges)
@settings(deadline=None)
def test_a_batch_in_several_frames_does_the_same_as_in_one(batches, edges):
    batches = [[order for batch in split_into_batches(first_of_each(orders)) for order in batch] for orders in batches]
    assert run(batches, edges, is_cut=True) == run(batches, edges, is_cut=False)


def test_everything_is_switched_off_however_full_the_tables_are():
    lights = [Output(f"light{pin}", Role.LINE, pin) for pin in range(30)]
    bench = ChipBench(*lights, capacity=Capacity(entries=2))
    bench.order(Load(1, ((0, NOTHING), (1, NOTHING))))
    for light in lights:
        bench.order(Set(light.name, True))
    frames = frames_of([Set(light.name, False) for light in lights], bench._writer)
    assert len(frames) == 2
    bench.chip.prepare(frames[0], 1)
    bench.chip.execute(frames[1], bench.count, 1)
    assert bench.said("refused") == []
    assert [level for _, _, level in bench.trace][-30:] == [0] * 30
