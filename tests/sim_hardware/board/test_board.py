"""The simulated board: epochs, exactly once, the lease, all-off, and events that are kept until acknowledged."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire import orders as wire_orders
from rig.boards.wire.go_back_n import ROOM_BYTES
from rig.core.model.actions import Arm, Load, Pulse, Set, Start
from rig.core.model.board import Input, Output, PanicInput
from rig.core.model.channels import Role
from rig.core.model.events import WHOLE_BATCH
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.board_bench import LEASE_US, REASONS, BoardBench

ON = Set("light", True)
DROP = Pulse("valve", 1_000)
SET_LIGHT = wire.ORDER_SET.pack(4 | wire.LEVEL)


@pytest.fixture
def bench() -> BoardBench:
    bench = BoardBench()
    bench.open()
    return bench


# --- opening ------------------------------------------------------------------------------------------------


def test_a_board_that_boots_says_so_unasked() -> None:
    bench = BoardBench()
    bench.board.power_on()
    assert bench.last("HELLO")["solicited"] == 0


@pytest.mark.parametrize("kind", ["batch", "heard", "time"])
def test_a_board_that_was_not_opened_obeys_nothing_and_says_that_it_knows_nobody(kind: str) -> None:
    bench = BoardBench()
    if kind == "batch":
        bench.order(ON, epoch=0)
    elif kind == "heard":
        bench.send(wire.EVENT_ACK, 0, 1)
    else:
        bench.send(wire.GET_TIME, 0)
    assert [(m["kind"], m["solicited"]) for m in bench.messages] == [("HELLO", 0)]
    assert bench.trace == []


def test_opening_again_with_the_same_nonce_changes_nothing(bench: BoardBench) -> None:
    first = bench.last("OPENED")
    bench.order(ON)
    bench.run(1_000)
    bench.send(wire.OPEN, 1, 2_000, 20)
    again = bench.last("OPENED")
    assert (again["epoch"], again["stamp"]) == (first["epoch"], first["stamp"])
    assert bench.on() == {"light"}
    assert bench.order(Set("light", False)) == []
    assert bench.on() == set()


def test_nothing_of_the_old_session_is_sent_once_a_new_one_is_open(bench: BoardBench) -> None:
    bench.order(Pulse("valve", 90_000))
    bench.run(1_000)
    before = len(bench.messages)
    bench.open(nonce=2)
    bench.run(1_000_000)
    assert [m["kind"] for m in bench.messages[before:] if m["kind"] not in {"ACK"}] == ["OPENED"]


def test_the_counters_begin_again_with_a_session(bench: BoardBench) -> None:
    bench.order(Set("valve", True))
    bench.board.receive(b"\x03rubbish\x00")
    bench.order(Pulse("light", 10), Pulse("light", 10))
    bench.run(1_000_000)
    bench.send(wire.GET_HEALTH)
    health = bench.last("HEALTH")
    assert [health[name] for name in ("limits", "damaged", "refused")] == [1, 1, 1]
    assert health["resent"] > 0
    bench.open(nonce=2)
    bench.send(wire.GET_HEALTH)
    counters = {name: bench.last("HEALTH")[name] for name, _ in wire.HEALTH.layout}
    assert set(counters.values()) == {0}


# --- batches: exactly once ----------------------------------------------------------------------------------


def test_a_batch_is_executed_once_however_often_it_arrives(bench: BoardBench) -> None:
    bench.order(DROP)
    first = bench.last("ACK")
    for t_us in (500, 5_000, 500_000):
        bench.at(t_us, lambda: bench.order(DROP, number=bench.number))
    bench.run(1_000_000)
    assert bench.levels("valve") == [(0, 1), (1_000, 0)]
    acks = [ack for ack in bench.said("ACK") if ack["number"] == bench.number]
    assert len(acks) == 4
    assert {ack["stamp"] for ack in acks} == {first["stamp"]}


def test_a_batch_that_is_ahead_of_a_lost_one_waits_to_be_repeated(bench: BoardBench) -> None:
    acks = len(bench.said("ACK"))
    bench.order(ON, number=bench.number + 2)
    assert bench.on() == set()
    assert len(bench.said("ACK")) == acks
    bench.order(Set("light", False))
    bench.order(ON)
    assert bench.on() == {"light"}


def test_the_acknowledgements_of_the_latest_four_batches_are_remembered(bench: BoardBench) -> None:
    stamps = {}
    for place in range(6):
        bench.run(1_000 * (place + 1))
        bench.order(ON)
        stamps[bench.number] = bench.last("ACK")["stamp"]
    for back in range(4):
        bench.order(ON, number=bench.number - back)
        assert bench.last("ACK")["number"] == bench.number - back
        assert bench.last("ACK")["stamp"] == stamps[bench.number - back]
    acks = len(bench.said("ACK"))
    bench.order(ON, number=bench.number - 4)
    assert len(bench.said("ACK")) == acks


def test_a_batch_of_another_epoch_is_not_executed(bench: BoardBench) -> None:
    for epoch in {0, bench.epoch - 1 & 0xFF, bench.epoch + 1, 255}:
        bench.order(ON, epoch=epoch, number=bench.number + 1)
    assert bench.on() == set()
    assert bench.order(ON) == []
    assert bench.on() == {"light"}


@pytest.mark.parametrize("junk", [b"", b"\x00", b"\xff" * 500, b"\x05\x03\x01\x01\x01\x00", bytes(range(256))])
def test_rubbish_is_survived_and_counted(bench: BoardBench, junk: bytes) -> None:
    bench.board.receive(junk)
    bench.board.receive(b"\x00")
    assert bench.order(ON) == []
    assert bench.on() == {"light"}


@pytest.mark.parametrize(
    "orders",
    [
        SET_LIGHT,
        SET_LIGHT + SET_LIGHT + b"\x00",
        SET_LIGHT + b"\x77",
        SET_LIGHT + wire.ORDER_PULSE.pack(4, 5)[:3],
        b"",
    ],
    ids=["one too few", "one too many", "no such order", "cut short", "none"],
)
def test_a_batch_that_cannot_be_read_is_refused_whole_and_does_not_block_the_next(
    bench: BoardBench, orders: bytes
) -> None:
    bench.number += 1
    bench.board.receive(frame.encode(wire.BATCH.pack(bench.epoch, bench.number, 0, 0, 2) + orders))
    assert bench.trace == []
    refused = bench.last("REFUSED")
    assert [refused[name] for name in ("cause", "by", "part")] == [0, bench.number, WHOLE_BATCH]
    assert bench.last("ACK")["number"] == bench.number
    assert bench.order(ON) == []
    assert bench.on() == {"light"}


@pytest.mark.parametrize("events", [2, 0x8000, 0xBFFF, 0xC001, 0xFFFF, 0x1_0000, 0x1_0001, 0x1_0005])
def test_an_edge_of_long_ago_is_not_newer_although_its_number_is_near_in_16_bits(
    bench: BoardBench, events: int
) -> None:
    for level in (1, 0, 1, 0):
        bench.run(bench.now_us + 10)
        bench.pin("left", level)
    bench.run(100)
    bench.acknowledge()
    bench.board._count = bench.heard = 4 + events  # so many answers to `time?` later
    arm = Arm(1, None, (("left", 1, DROP), ("left", 0, DROP)))
    assert bench.order(arm) == []
    bench.pin("left", 1)
    bench.run(200)
    assert bench.order(arm) == [(0, "newer_edge")]


def test_arming_is_refused_over_an_edge_that_found_no_room() -> None:
    bench = BoardBench(capacity=Capacity(events=4))
    bench.open()
    for t_us in range(10, 100, 10):
        bench.at(t_us, bench.pin, "right", t_us // 10 % 2)
    bench.at(100, bench.pin, "left", 1)
    bench.run(1_000)
    last = max(number for number, _ in bench.events())
    bench.heard = last
    assert (0, "newer_edge") in bench.order(Arm(1, None, (("left", 1, DROP),)), seen=last)


# --- the lease ----------------------------------------------------------------------------------------------


def test_the_lease_expires_exactly_after_the_last_valid_frame(bench: BoardBench) -> None:
    bench.order(ON)
    bench.at(1_500_000, bench.send, wire.GET_HELLO)
    bench.run(3_499_999)
    assert bench.on() == {"light"}
    bench.run(3_500_000)
    assert bench.on() == set()
    assert bench.last("LEASE")["stamp"] == 3_500_000


def test_a_damaged_frame_renews_nothing(bench: BoardBench) -> None:
    bench.order(ON)
    good = frame.encode(wire.GET_HELLO.pack())
    bench.at(1_500_000, bench.board.receive, good[:-2] + bytes([good[-2] ^ 1]) + b"\x00")
    bench.run(LEASE_US)
    assert bench.on() == set()


@pytest.mark.parametrize(("first_us", "second_us"), [(10_000_000, 500_000), (500_000, 10_000_000)])
def test_a_new_session_has_its_own_lease(first_us: int, second_us: int) -> None:
    bench = BoardBench()
    bench.open(1, first_us)
    bench.run(100_000)
    bench.open(2, second_us)
    bench.order(ON)
    bench.run(100_000 + second_us - 1)
    assert bench.on() == {"light"}
    bench.run(100_000 + second_us)
    assert bench.on() == set()


def test_the_lease_is_counted_by_the_boards_own_clock() -> None:
    bench = BoardBench(ticks={"ppm": 5_000.0, "tick_ns": 4000})
    bench.open()
    bench.order(ON)
    bench.run(round(LEASE_US / 1.005) - 10)
    assert bench.on() == {"light"}
    bench.run(round(LEASE_US / 1.005) + 10)
    assert bench.on() == set()


# --- all off ------------------------------------------------------------------------------------------------


def test_all_off_is_idempotent_and_answers_the_same_again(bench: BoardBench) -> None:
    bench.order(ON, Pulse("valve", 90_000))
    bench.run(10_000)
    for t_us in (10_000, 20_000, 900_000):
        bench.at(t_us, bench.send, wire.ALL_OFF, 5)
    bench.run(1_000_000)
    answers = [{key: value for key, value in m.items() if key != "at_us"} for m in bench.said("ALL_OFF_DONE")]
    assert len(answers) == 3
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["executed"] == bench.number
    assert answers[0]["stamp"] == 10_000


def test_all_off_is_last_nothing_is_executed_behind_it(bench: BoardBench) -> None:
    bench.send(wire.ALL_OFF, 5)
    safe = bench.last("ALL_OFF_DONE")
    for epoch in (bench.epoch, safe["epoch"]):
        for number in (bench.number + 1, 1):
            bench.order(ON, number=number, epoch=epoch)
    bench.run(1_000_000)
    assert bench.trace == []


def test_all_off_may_be_asked_again_by_another_name(bench: BoardBench) -> None:
    bench.send(wire.ALL_OFF, 5)
    bench.run(1_000)
    bench.send(wire.ALL_OFF, 6)
    assert [m["nonce"] for m in bench.said("ALL_OFF_DONE")] == [5, 6]


# --- reset --------------------------------------------------------------------------------------------------


def test_a_board_that_has_reset_can_be_opened_even_under_the_same_nonce(bench: BoardBench) -> None:
    bench.board.reset()
    before = bench.epoch
    bench.open(nonce=1)
    assert bench.epoch != before
    assert bench.order(ON) == []


# --- events are kept until acknowledged ---------------------------------------------------------------------


def edges_of(bench: BoardBench) -> list[tuple[int, int]]:
    return [(m["at_us"], m["number"]) for m in bench.said("EDGE")]


def test_an_event_is_repeated_with_growing_pauses_until_it_is_acknowledged(bench: BoardBench) -> None:
    bench.keep_alive(0)
    bench.at(1_000, bench.pin, "left", 1)
    for t_us in range(0, 5_000_000, 500_000):
        bench.at(t_us, bench.send, wire.EVENT_ACK, 0, 0)
    bench.run(3_000_000)
    times = [t_us for t_us, _ in edges_of(bench)]
    pauses = [later - sooner for sooner, later in pairwise(times)]
    growing = [20_000, 40_000, 80_000, 160_000, 320_000]
    assert [round(pause, -3) for pause in pauses] == [*growing, *[500_000] * 4]
    bench.acknowledge()
    said = len(bench.messages)
    bench.run(4_900_000)
    assert len(bench.messages) == said


def test_after_an_acknowledgement_the_pauses_are_short_again(bench: BoardBench) -> None:
    bench.pin("left", 1)
    bench.run(1_000_000)
    bench.acknowledge()
    bench.run(1_600_000)
    bench.pin("left", 0)
    bench.run(1_650_000)
    assert [t_us for t_us, number in edges_of(bench) if number == 2] == [1_600_000, 1_620_000]


def test_acknowledging_some_keeps_the_others(bench: BoardBench) -> None:
    for t_us in (100, 200, 300, 400):
        bench.at(t_us, bench.pin, "left", t_us // 100 % 2)
    bench.run(500)
    bench.acknowledge(2)
    before = len(bench.messages)
    bench.run(100_000)
    again = [number for _, number in edges_of(bench)][before - len(bench.messages) :]
    assert set(again) == {3, 4}
    assert again[:2] == [3, 4]


@pytest.mark.parametrize("carrier", ["batch", "heard", "time"])
def test_every_message_that_names_an_event_acknowledges_it(bench: BoardBench, carrier: str) -> None:
    bench.pin("left", 1)
    bench.run(10)
    bench.heard = bench.last("EDGE")["number"]
    if carrier == "batch":
        bench.order(ON)
    elif carrier == "heard":
        bench.send(wire.EVENT_ACK, bench.heard, 0)
    else:
        bench.send(wire.GET_TIME, bench.heard)
    bench.run(1_000_000)
    assert len(edges_of(bench)) == 1


def test_acknowledging_what_was_never_sent_discards_nothing(bench: BoardBench) -> None:
    bench.pin("left", 1)
    bench.run(10)
    for wrong in (2, 300, 0x8000, 0xFFFF):
        bench.send(wire.EVENT_ACK, wrong, 0)
    bench.run(1_000_000)
    assert len(edges_of(bench)) > 3


def test_events_are_numbered_and_acknowledged_across_the_wrap(bench: BoardBench) -> None:
    bench.board._count = bench.heard = 0xFFFD
    for t_us in range(1_000, 7_000, 1_000):
        bench.at(t_us, bench.pin, "left", t_us // 1_000 % 2)
    bench.run(6_500)
    assert [number for _, number in edges_of(bench)] == [0xFFFE, 0xFFFF, 0, 1, 2, 3]
    bench.send(wire.EVENT_ACK, 1, 0)
    before = len(bench.messages)
    bench.run(40_000)
    assert [m["number"] for m in bench.messages[before:]] == [2, 3]


def test_a_repetition_that_was_sent_is_counted_once_per_event(bench: BoardBench) -> None:
    for t_us in range(10, 210, 10):
        bench.at(t_us, bench.pin, "left", t_us // 10 % 2)
    bench.run(1_500_000)
    bench.send(wire.GET_HEALTH)
    assert bench.last("HEALTH")["resent"] == len(edges_of(bench)) - 20


# --- overflow -----------------------------------------------------------------------------------------------


CHATTER_US = 200
"""The time between two changes of a chatter: an input that changes more often is muted."""


def chatter(bench: BoardBench, changes: int, start_us: int = 10) -> int:
    for place in range(changes):
        bench.at(start_us + CHATTER_US * place, bench.pin, "left", (place + 1) % 2)
    bench.run(start_us + CHATTER_US * changes)
    return changes


@pytest.mark.parametrize("changes", [10, 15, 16, 17, 60])
def test_what_finds_no_room_is_counted_and_reported_in_its_place(changes: int) -> None:
    bench = BoardBench(capacity=Capacity(events=16))
    bench.open()
    chatter(bench, changes)
    kept = len(bench.events())
    assert kept <= 16
    bench.acknowledge()
    bench.pin("right", 1)
    bench.run(bench.now_us + 10)
    lost = sum(m["lost"] for m in bench.said("OVERFLOW"))
    assert lost == changes - kept
    assert [number for number, _ in bench.events()] == list(range(1, len(bench.events()) + 1))
    bench.send(wire.GET_HEALTH)
    assert bench.last("HEALTH")["lost"] == lost
    if lost:
        assert [kind for _, kind in bench.events()][-2:] == ["OVERFLOW", "EDGE"]


@pytest.mark.parametrize(
    ("order", "effects"),
    [
        (DROP, 1),
        (Set("valve", True), 1),
        (ON, 0),
        (Pulse("valve", 999_000), 1),
        (Arm(1, None, (("left", 1, DROP),)), 1),
    ],
    ids=["pulse", "on", "light", "refused", "newer edge"],
)
def test_what_is_lost_of_an_output_that_went_on_and_of_a_refusal_is_among_the_effects(order: Any, effects: int) -> None:
    bench = BoardBench(capacity=Capacity(events=16))
    bench.open()
    chatter(bench, 20)
    bench.order(order, seen=0)
    bench.run(200_000)
    last = max(number for number, _ in bench.events())
    bench.order(ON)
    bench.acknowledge(last)
    bench.pin("right", 1)
    bench.run(bench.now_us + 10)
    overflow = bench.last("OVERFLOW")
    assert (overflow["effects"], overflow["executed"]) == (effects, bench.number - 1 if effects else 0)


def test_a_refused_entry_is_counted_in_health(bench: BoardBench) -> None:
    bench.order(Load(1, ((1_000, DROP), (0, Pulse("valve", 5_000)), (2_000, DROP))), Start(1))
    bench.run(10_000)
    assert [(m["cause"], m["by"], m["part"]) for m in bench.said("REFUSED")] == [(2, 1, 1), (2, 1, 2)]
    bench.send(wire.GET_HEALTH)
    assert bench.last("HEALTH")["refused"] == 2


def test_an_expired_lease_is_reported_although_there_was_no_room() -> None:
    bench = BoardBench(capacity=Capacity(events=16))
    bench.open()
    chatter(bench, 60)
    bench.run(4_000_000)
    bench.acknowledge()
    bench.run(4_100_000)
    assert [kind for _, kind in bench.events()][-2:] == ["OVERFLOW", "LEASE"]
    bench.epoch, bench.number = bench.last("LEASE")["epoch"], 0
    assert bench.order(ON) == []
    assert bench.on() == {"light"}


# --- under any sequence of copies and losses ----------------------------------------------------------------


@given(st.lists(st.integers(-6, 3), max_size=60))
def test_whatever_is_lost_or_doubled_every_batch_is_executed_once_and_in_order(arriving: list[int]) -> None:
    bench = BoardBench()
    bench.open()
    before, executed = bench.number, 0
    for ahead in arriving:  # where a copy that arrives stands, counted from the latest batch that was executed
        number = max(1, executed + ahead)
        executed += number == executed + 1
        bench.order(Set("light", number % 2 == 1), number=before + number)
        assert [value for _, value in bench.levels("light")] == [place % 2 for place in range(1, executed + 1)]


@pytest.mark.parametrize("payload", [b"\x04\x01", b"\x05\x01\x02\x03", b"\x7f\x01\x02", b"\x91" + bytes(9)])
def test_a_whole_frame_of_no_known_shape_counts_as_damaged(bench: BoardBench, payload: bytes) -> None:
    bench.board.receive(frame.encode(payload))
    bench.send(wire.GET_HEALTH)
    assert bench.last("HEALTH")["damaged"] == 1


def test_a_batch_longer_than_the_board_has_said_it_takes_counts_as_damaged(bench: BoardBench) -> None:
    count = ROOM_BYTES // len(SET_LIGHT) + 1
    bench._batch(SET_LIGHT * count, count, bench.number + 1, bench.epoch)
    assert bench.on() == set()
    bench.send(wire.GET_HEALTH)
    assert bench.last("HEALTH")["damaged"] == 1


def test_a_channel_beyond_the_last_is_refused(bench: BoardBench) -> None:
    for too_far in (Output("far", Role.LINE, 9), Input("far", Role.LINE, 9)):
        bench.number += 1
        bench._batch(wire_orders.configure(40, too_far), 1, bench.number, bench.epoch)
        assert bench.last("REFUSED")["by"] == bench.number
        assert bench.last("REFUSED")["reason"] == wire.CONSTANTS["REASON_NO_ROOM"]


# --- the panic input ----------------------------------------------------------------------------------------

PANIC_PIN = 12


def configure_panic(bench: BoardBench, *others: bytes, pin: int = PANIC_PIN) -> None:
    """Send a batch that configures the panic input, with other orders behind it."""
    bench.number += 1
    written = wire_orders.configure_panic(PanicInput("sim", pin))
    bench._batch(b"".join((*others, written)), 1 + len(others), bench.number, bench.epoch)


def test_a_pressed_button_keeps_the_other_orders_of_its_batch_from_being_executed(bench: BoardBench) -> None:
    bench.open()
    bench.board.chip.inputs.drive(PANIC_PIN, 1)
    light = [channel.name for channel in bench.channels].index("light")
    configure_panic(bench, wire.ORDER_SET.pack(light | wire.LEVEL))
    assert bench.on() == set()
    (panic,) = bench.said("PANIC")
    assert panic["executed"] == bench.number
    assert panic["epoch"] != bench.epoch
    assert not [ack for ack in bench.said("ACK") if ack["number"] == bench.number]


def test_a_pin_that_can_be_no_input_is_unknown() -> None:
    bench = BoardBench(capacity=Capacity(can_be_input=range(12).__contains__))
    bench.open()
    configure_panic(bench)
    assert [(refused["part"], REASONS[refused["reason"]]) for refused in bench.said("REFUSED")] == [(0, "unknown")]


def test_a_board_that_has_reset_has_forgotten_its_panic_input(bench: BoardBench) -> None:
    bench.open()
    configure_panic(bench)
    bench.board.reset()
    bench.board.chip.inputs.drive(PANIC_PIN, 1)
    bench.open(nonce=2)
    assert bench.said("PANIC") == []
    assert not bench.board.chip.panicked
