"""A board with StandardFirmata on it: a session runs, timed and paid by the host, and says so."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from protocols.free_water.task import FreeWater
from rig.boards.firmata.board import BOUND_US, FirmataBoard
from rig.boards.transport import QUIET_S
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError, OrderRefusedError, RecordError
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, HealthLine, Note, OutputDone
from rig.core.model.actions import Load, Pulse, Set, Tone, Train
from rig.core.model.board import Board, Input, Output, PanicInput, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import BoardTime, Edge, Fault, OutputOn, Refused
from rig.core.model.rig_spec import BoardSpec, RigSpec
from rig.diagnostics.io_test import AutoOperator, check_channels
from rig.records.journal.read import of_kind, rows_of
from rig.session.run.session import Session
from sim_hardware.link_model import CableTransport, LinkFaults
from tests.boards.firmata.firmata_bench import (
    BEAM,
    LIGHT,
    OTHER,
    VALVE,
    WIRING,
    FirmataBench,
    make_bench,
    opened_bench,
)
from tests.journal_lines import read_line
from tests.recording_observer import RecordingObserver
from tests.session_specs import DROP_US, task_spec

# --- opening ----------------------------------------------------------------------------------------------------


async def test_a_board_is_known_by_its_sketch() -> None:
    bench = make_bench()
    opened = await bench.open()
    assert (opened.name, opened.firmware, opened.limits.groups) == ("StandardFirmata", "2.5", 0)


async def test_a_board_that_boots_slowly_is_waited_for() -> None:
    bench = make_bench()
    bench.sketch.mute = True
    asyncio.get_running_loop().call_later(4, lambda: (setattr(bench.sketch, "mute", False), bench.sketch.boot()))
    await bench.open()


async def test_a_board_that_speaks_something_else_is_not_found() -> None:
    bench = make_bench()
    bench.cable.to_board.deliver = lambda data: bench.cable.to_host.send(b"\x05\xf0hello?\xff\x93")
    with pytest.raises(BoardNotFoundError, match="nothing that speaks Firmata answered in 8 s"):
        await bench.open()


@pytest.mark.parametrize("boots_at_s", [0.9, 10.0])
async def test_on_a_port_that_resets_its_board_firmata_speaks_first_or_is_asked_after_2_s(boots_at_s: float) -> None:
    bench = make_bench()
    asked: list[float] = []
    transport = CableTransport(bench.cable)
    transport.quiet_s = QUIET_S
    receive = bench.sketch.receive
    bench.cable.to_board.deliver = lambda data: (asked.append(running().time()), receive(data))
    running().call_later(boots_at_s, bench.sketch.boot)
    bench.board = FirmataBoard(transport, running(), bench.inbox)
    await bench.open()
    assert min(asked) == pytest.approx(min(boots_at_s, QUIET_S), abs=0.01)
    assert running().time() < QUIET_S + 0.5


async def test_what_a_bootloader_babbles_is_no_obstacle() -> None:
    bench = make_bench()
    bench.cable.to_host.send(bytes(range(256)) + b"\x93\xf0\x79\xf7")
    await bench.open()


@pytest.mark.parametrize(
    ("channel", "text"),
    [
        (Input("left", Role.BEAM, 1), "left.beam: this board has no pin 1 for devices"),
        (Output("far", Role.LIGHT, 40), "far.light: this board has no pin 40 for devices"),
        (Output("left", Role.VALVE, 3, max_on_us=1000, inverted=True), "low, which Firmata makes every output"),
    ],
)
async def test_a_wiring_that_it_cannot_serve_safely_is_refused(channel: Any, text: str) -> None:
    bench = make_bench()
    with pytest.raises(OrderRefusedError, match=text):
        await bench.open(Wiring((channel,)))


async def test_a_panic_button_is_refused() -> None:
    bench = make_bench()
    with pytest.raises(OrderRefusedError, match="a Firmata board has no panic input"):
        await bench.open(replace(WIRING, panic=PanicInput("uno", 12)))


async def test_the_journal_says_that_the_host_keeps_the_time() -> None:
    bench = await opened_bench()
    (note,) = [line for line in bench.lines if isinstance(line, Note)]
    assert (note.what, note.fields) == ("timing", {"stamps": "host", "deadline": "host", "bound_us": BOUND_US})


# --- inputs -----------------------------------------------------------------------------------------------------


async def edges_of(*changes: tuple[float, int], wiring: Wiring = WIRING) -> list[tuple[int, int]]:
    """Level and stamp, in ms, of the edges that changes of the beam (in s) are reported as."""
    bench = make_bench()
    await bench.open(wiring)
    for at_s, level in changes:
        asyncio.get_running_loop().call_at(bench.zero_s + at_s, bench.sketch.drive, BEAM, level)
    await asyncio.sleep(2)
    return [(edge.level, edge.t_us // 1000) for edge in bench.events(Edge)]


async def test_edges_are_stamped_when_they_arrive() -> None:
    assert await edges_of((0.1, 1), (0.2, 0)) == [(1, 100), (0, 200)]


async def test_a_beam_that_bounces_is_one_edge_and_its_last_level_counts() -> None:
    assert await edges_of((0.1, 1), (0.102, 0), (0.103, 1)) == [(1, 100)]
    assert await edges_of((0.1, 1), (0.103, 0)) == [(1, 100), (0, 103)]


async def test_what_does_not_last_is_not_confirmed() -> None:
    slow = Wiring((Input("left", Role.BEAM, BEAM, debounce_us=0, confirm_on_us=50_000),))
    assert await edges_of((0.1, 1), (0.12, 0), wiring=slow) == []
    assert await edges_of((0.1, 1), (0.3, 0), wiring=slow) == [(1, 100), (0, 300)]


async def test_an_inverted_beam_that_is_clear_is_silent() -> None:
    inverted = Wiring((Input("left", Role.BEAM, BEAM, inverted=True),))
    edges = await edges_of((0.0, 1), (0.5, 0), (0.6, 1), wiring=inverted)
    assert edges[-2:] == [(1, 500), (0, 600)]


async def test_the_time_is_not_past_an_edge_that_is_still_being_confirmed() -> None:
    slow = Wiring((Input("left", Role.BEAM, BEAM, confirm_on_us=500_000),))
    bench = make_bench()
    await bench.open(slow)
    bench.sketch.drive(BEAM, 1)
    await asyncio.sleep(0.1)
    bench.board.ask_time(0)
    await asyncio.sleep(0.1)
    (answer,) = bench.events(BoardTime)
    await asyncio.sleep(1)
    (edge,) = bench.events(Edge)
    assert answer.t_us < edge.t_us


# --- outputs ----------------------------------------------------------------------------------------------------


async def did(
    *orders: Any, for_s: float = 2.0, then: Callable[[FirmataBench], object] = lambda bench: None
) -> FirmataBench:
    bench = await opened_bench()
    for order in orders:
        bench.order(order)
    await asyncio.sleep(for_s / 2)
    then(bench)
    await asyncio.sleep(for_s / 2)
    return bench


async def test_a_pulse_is_timed_by_the_host() -> None:
    (pulse,) = (await did(Pulse("left.valve", 40_000))).pulses(VALVE)
    assert pulse[1] == 40_000


async def test_a_train_is_given_whole() -> None:
    pulses = (await did(Train("left.valve", 20_000, 50_000, 3))).pulses(VALVE)
    assert [lasted for _, lasted in pulses] == [20_000] * 3
    assert [after[0] - before[0] for before, after in pairwise(pulses)] == [50_000] * 2


async def test_a_train_without_gaps_that_is_within_the_limit_as_a_whole_is_one_pulse() -> None:
    assert [lasted for _, lasted in (await did(Train("left.valve", 25_000, 25_000, 4))).pulses(VALVE)] == [100_000]
    assert [lasted for _, lasted in (await did(Train("left.valve", 100_000, 1, 1))).pulses(VALVE)] == [100_000]


async def test_what_is_dangerous_ends_at_its_limit() -> None:
    bench = await did(Set("left.valve", True))
    assert [lasted for _, lasted in bench.pulses(VALVE)] == [100_000]
    assert [(line.output, line.why) for line in of_kind(bench.lines, OutputDone)] == [("left.valve", "limit")]


async def test_a_further_on_does_not_move_the_limit() -> None:
    bench = await opened_bench()
    bench.order(Set("left.valve", True))
    await asyncio.sleep(0.05)
    bench.order(Set("left.valve", True))
    await asyncio.sleep(1)
    assert [lasted for _, lasted in bench.pulses(VALVE)] == [100_000]


@pytest.mark.parametrize(
    ("orders", "reason"),
    [
        ((Pulse("left.valve", 50_000), Pulse("left.valve", 50_000)), "busy"),
        ((Pulse("left.valve", 50_000), Set("left.valve", True)), "busy"),
        ((Pulse("left.valve", 50_000), Pulse("right.valve", 50_000)), "interlock"),
        ((Pulse("left.valve", 50_000), Set("right.valve", True)), "interlock"),
        ((Set("left.light", False), Pulse("left.valve", 100_001)), "too_long"),
        ((Set("left.light", False), Train("left.valve", 100_001, 200_000, 2)), "too_long"),
        ((Set("left.light", False), Train("left.valve", 100_000, 100_000, 50)), "too_long"),
        ((Set("left.light", False), Train("left.valve", 50_001, 1, 2)), "too_long"),
        ((Set("left.light", False), Pulse("nowhere", 1)), "unknown"),
    ],
)
async def test_what_would_harm_is_refused_and_reported(orders: Sequence[Any], reason: str) -> None:
    bench = await did(*orders)
    (refused,) = bench.events(Refused)
    assert (refused.reason, refused.batch, refused.order) == (reason, 2, 0)
    assert len(bench.pulses(VALVE)) + len(bench.pulses(OTHER)) <= 1


@pytest.mark.parametrize(
    "order",
    [Pulse("left.valve", 40_000), Train("left.valve", 20_000, 50_000, 3), Set("left.valve", True)],
    ids=["pulse", "train", "on"],
)
async def test_what_goes_on_is_reported_once_when_the_board_has_confirmed_its_batch(order: Any) -> None:
    bench = await did(Set("left.light", True), order)
    (on,) = bench.events(OutputOn)
    assert (on.output, on.cause, on.by, on.part) == ("left.valve", "order", 2, 0)
    kinds = [type(line) for line in bench.lines if isinstance(line, BatchDone | OutputOn)]
    assert kinds == [BatchDone, BatchDone, OutputOn]
    # The host times it: the line has the time at which the order left, and is written when it has arrived.
    done = [line.t_us for line in of_kind(bench.lines, BatchDone) if line.batch == 2]
    assert on.t_us <= bench.pulses(VALVE)[0][0] <= done[0]


async def test_of_a_batch_each_order_that_switches_on_what_is_dangerous_is_reported_with_its_place() -> None:
    bench = await opened_bench()
    bench.order(Set("left.light", True), Set("left.valve", True), Set("left.valve", True), Pulse("right.valve", 9_000))
    bench.order(Set("left.valve", False), Pulse("left.light", 9_000), Pulse("right.valve", 9_000))
    await asyncio.sleep(0.1)
    assert [(on.output, on.by, on.part) for on in bench.events(OutputOn)] == [
        ("left.valve", 1, 1),
        ("right.valve", 2, 2),
    ]
    assert [(each.batch, each.order) for each in bench.events(Refused)] == [(1, 3), (2, 1)]


async def test_what_the_board_never_confirmed_is_not_reported_to_have_gone_on() -> None:
    bench = await opened_bench()
    bench.sketch.mute = True
    bench.order(Pulse("left.valve", 40_000))
    await asyncio.sleep(1.0)
    assert bench.events(OutputOn) == []


@pytest.mark.parametrize("order", [Tone("left.light", 440, 1000), Load(1, ((0, Pulse("left.valve", 1000)),))])
async def test_what_needs_a_chip_is_refused_before_it_is_sent(order: Any) -> None:
    with pytest.raises(OrderRefusedError, match="no tones, no sequences and no sync codes"):
        await did(order)


async def test_all_off_ends_whatever_runs() -> None:
    bench = await did(
        Train("left.valve", 90_000, 100_000, 50), Set("left.light", True), then=lambda b: b.board.all_off()
    )
    assert (bench.sketch.outputs[VALVE], bench.sketch.outputs[LIGHT]) == (0, 0)
    assert max(on for on, _ in bench.pulses(VALVE)) < 1_100_000


async def test_an_off_is_sent_even_if_the_output_was_last_set_off() -> None:
    bench = await opened_bench()
    bench.sketch.outputs[VALVE] = 1  # a damaged byte did it
    bench.board.all_off()
    await asyncio.sleep(0.1)
    assert bench.sketch.outputs[VALVE] == 0


# --- time, silence, the end -------------------------------------------------------------------------------------


async def test_what_was_ordered_before_a_question_has_been_done_when_it_is_answered() -> None:
    bench = await opened_bench()
    bench.order(Set("left.light", True))
    bench.board.ask_time(0)
    await asyncio.sleep(0.1)
    assert bench.events(BoardTime)[-1].executed == 1
    assert bench.sketch.outputs[LIGHT] == 1


async def test_the_time_is_asked_for_when_a_deadline_has_passed() -> None:
    bench = await opened_bench()
    bench.board.ask_time(500_000)
    await asyncio.sleep(0.4)
    assert bench.events(BoardTime) == []
    await asyncio.sleep(0.2)
    (answer,) = bench.events(BoardTime)
    assert 500_000 < answer.t_us < 500_000 + BOUND_US


async def test_a_question_that_comes_while_another_is_on_its_way_is_asked_after_it() -> None:
    bench = await opened_bench()
    bench.board.ask_time(0)
    bench.order(Set("left.light", True))
    bench.board.ask_time(0)
    await asyncio.sleep(0.1)
    assert [answer.executed for answer in bench.events(BoardTime)] == [0, 1]


async def test_a_board_that_falls_silent_is_gone() -> None:
    bench = await opened_bench()
    bench.sketch.mute = True
    await asyncio.sleep(12)
    (fault,) = bench.events(Fault)
    assert (fault.what, fault.detail) == ("link_lost", "the board has been silent for 10 s")


async def test_a_board_that_resets_ends_the_session() -> None:
    bench = await did(then=lambda bench: bench.sketch.boot())
    assert [fault.what for fault in bench.events(Fault)] == ["reset"]


async def test_a_pulled_cable_is_reported_at_once() -> None:
    bench = await did(then=lambda bench: bench.cable.disconnect())
    assert [fault.detail for fault in bench.events(Fault)] == ["the cable was pulled"]


async def test_a_close_waits_until_everything_is_off() -> None:
    bench = await opened_bench()
    bench.order(Set("left.light", True))
    health = await bench.board.close()
    assert bench.sketch.outputs[LIGHT] == 0
    assert (health.complete, health.executed, health.unacknowledged_batches) == (True, 1, ())
    assert bench.events(BoardTime)[-1].executed == 1


async def test_a_close_that_nobody_answers_leaves_its_orders_in_doubt() -> None:
    bench = await opened_bench()
    bench.sketch.mute = True
    bench.order(Set("left.light", True))
    health = await bench.board.close()
    assert (health.complete, health.unacknowledged_batches) == (False, (1,))


async def test_a_line_slower_than_the_bound_is_counted() -> None:
    bench = await opened_bench(faults=LinkFaults(latency_s=0.02))
    health = await bench.board.close()
    assert health.counters["late"] >= 1
    assert health.counters["longest_trip_us"] == 40_000


async def test_a_full_disk_turns_everything_off() -> None:
    bench = await opened_bench()
    bench.order(Set("left.light", True))
    await asyncio.sleep(0.1)
    bench.inbox.journal._sink = full
    bench.sketch.drive(BEAM, 1)
    await asyncio.sleep(0.1)
    assert bench.sketch.outputs[LIGHT] == 0
    assert isinstance(bench.inbox.failure, RecordError)


def full(raw: bytes) -> None:
    raise RecordError("the disk is full")


# --- a session --------------------------------------------------------------------------------------------------


async def session(*visits: tuple[float, int], arrange: Callable[[FirmataBench], object] = lambda bench: None) -> Any:
    """Run free_water for 20 s; visits are (seconds, pin of the beam), each for 0.3 s."""
    bench = make_bench()
    script = task_spec(FreeWater, {"pause_s": 1.0})

    def board(inbox: Inbox) -> Board:
        bench.board = FirmataBoard(CableTransport(bench.cable), running(), inbox)
        return bench.board

    def begin(opened: Any) -> None:
        bench.zero_s = bench.board._zero_s
        for at_s, pin in visits:
            for later_s, level in ((0.0, 1), (0.3, 0)):
                asyncio.get_running_loop().call_at(bench.zero_s + at_s + later_s, bench.sketch.drive, pin, level)
        arrange(bench)

    observer = RecordingObserver()
    observer.opened = begin
    run = Session(script, Journal(lambda raw: bench.lines.append(read_line(raw))), board, observer=observer)
    return await run.run(), bench


async def test_free_water_runs_on_it_and_the_host_gives_every_drop() -> None:
    outcome, bench = await session((2, 6), (5, 7), (9, 6))
    rows = rows_of(bench.lines)
    assert (outcome.reason, outcome.rewards) == ("time_limit", 3)
    assert [(row["choice"], row["delivered_by"], row["reward_ul"]) for row in rows] == [
        ("left", "host", 2.5),
        ("right", "host", 2.5),
        ("left", "host", 2.5),
    ]
    assert [lasted for _, lasted in bench.pulses(VALVE)] == [DROP_US] * 2
    assert 2_000_000 < bench.pulses(VALVE)[0][0] < 2_010_000
    (health,) = of_kind(bench.lines, HealthLine)
    assert "longest_trip_us" in health.counters
    numbers = [line.number for line in bench.lines if hasattr(line, "number")]
    assert numbers == sorted(set(numbers)), "no event is reported twice or out of order"


async def test_a_poke_in_the_pause_is_not_rewarded() -> None:
    outcome, _ = await session((2, 6), (2.6, 7))
    assert outcome.rewards == 1


async def test_a_cable_that_is_pulled_in_the_middle_ends_the_session_as_a_fault() -> None:
    outcome, bench = await session(
        (2, 6), (5, 7), arrange=lambda bench: asyncio.get_running_loop().call_later(3, bench.cable.disconnect)
    )
    assert (outcome.reason, outcome.rewards) == ("fault", 1)
    assert isinstance(bench.lines[-1], Footer)


class Hand(AutoOperator):
    """Breaks the left beam when told to."""

    def __init__(self, bench: FirmataBench) -> None:
        self.bench = bench

    def instruct(self, text: str) -> None:
        if "beam" in text:
            level = int(text.startswith("break"))
            asyncio.get_running_loop().call_later(0.5, self.bench.sketch.drive, BEAM, level)


async def test_every_channel_of_it_can_be_tried() -> None:
    bench = make_bench()
    plan = RigSpec("firmata", BoardSpec("uno", "firmata"), WIRING, {"left.valve": float})
    found = await check_channels(plan, bench.make_board, Hand(bench))
    assert [(each.channel, each.result) for each in found] == [(each.name, "ok") for each in WIRING.channels]
    assert set(bench.sketch.outputs.values()) == {0}
    assert len(bench.pulses(VALVE)) == 5
