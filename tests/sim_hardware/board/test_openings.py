"""The kept openings of the board in Python: what it says, also while it is not open."""

from typing import Any

from rig.boards.chips import CHIPS
from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Load, Pulse, Set, Start, Tone, Train
from sim_hardware.board.chip import Capacity
from tests.sim_hardware.board.board_bench import BoardBench

FIELDS = ("place", "kept", "number", "channel", "epoch", "flags", "stamp", "ticks")
CAUSE = ("cause", "by", "part")
VALVE, SPEAKER = 2, 5
OPEN, CUT = wire.CONSTANTS["OPENING_OPEN"], wire.CONSTANTS["OPENING_CUT"]


def answer(bench: BoardBench, place: int = 0, fields: tuple[str, ...] = FIELDS) -> tuple[Any, ...]:
    bench.send(wire.GET_OPENING, place)
    said = bench.last("OPENING")
    return tuple(said[name] for name in fields)


def test_a_board_that_was_never_opened_answers_that_there_is_nothing() -> None:
    bench = BoardBench()
    assert answer(bench) == (0, 0, 0, 0, 0, 0, 0, 0)
    assert answer(bench, 7) == (7, 0, 0, 0, 0, 0, 0, 0)
    assert answer(bench, 7, CAUSE) == (0, 0, 0)
    assert bench.events() == []


def test_the_latest_opening_has_place_0_and_there_is_none_beyond_the_last() -> None:
    bench = BoardBench(ticks={"tick_ns": 1000, "start": 500})
    bench.open()
    bench.order(Pulse("valve", 10_000))
    bench.run(50_000)
    bench.order(Tone("speaker", 1_000, 20_000))
    bench.run(100_000)
    assert answer(bench, 0) == (0, 2, 2, SPEAKER, bench.epoch, 0, 50_500, 20_000)
    assert answer(bench, 1) == (1, 2, 1, VALVE, bench.epoch, 0, 500, 10_000)
    assert answer(bench, 2) == (2, 2, 0, 0, 0, 0, 0, 0)


def test_an_opening_that_lasts_says_how_long_it_has_lasted() -> None:
    bench = BoardBench()
    bench.open()
    bench.order(Set("valve", True))
    bench.run(30_000)
    assert answer(bench) == (0, 1, 1, VALVE, bench.epoch, OPEN, 0, 30_000)
    bench.order(Set("valve", False))
    assert answer(bench) == (0, 1, 1, VALVE, bench.epoch, 0, 0, 30_000)


def test_an_opening_says_whose_order_it_was_and_each_pulse_of_a_train_says_the_same() -> None:
    bench = BoardBench()
    bench.open()
    bench.order(Set("light", True), Pulse("speaker", 1_000))
    ordered = bench.number
    bench.order(Load(3, ((9_000, Train("valve", 1_000, 5_000, 2)), (0, Set("light", False)))), Start(3))
    bench.order(Arm(200, None, (("right", 0, Set("valve", True)), ("left", 1, Set("other_valve", True)))))
    bench.at(50_000, bench.pin, "left", 1)
    bench.run(60_000)
    by_order, by_entry, by_edge = (0, ordered, 1), (2, 3, 1), (1, 200, 128)
    assert [answer(bench, place, CAUSE) for place in range(4)] == [by_edge, by_entry, by_entry, by_order]
    bench.order(Set("other_valve", False), Set("other_valve", True))
    assert [answer(bench, place, CAUSE) for place in range(2)] == [(0, bench.number, 1), by_edge]


def test_a_question_for_an_opening_renews_the_lease() -> None:
    bench = BoardBench()
    bench.open()
    for t_us in range(1_000_000, 6_000_000, 1_000_000):
        bench.run(t_us)
        answer(bench)
    assert not bench.said("LEASE")


def test_a_reset_cuts_what_was_on_and_the_board_answers_before_it_is_opened_again() -> None:
    bench = BoardBench()
    bench.open()
    bench.order(Set("valve", True))
    bench.run(30_000)
    bench.board.reset()
    assert answer(bench) == (0, 1, 1, VALVE, bench.epoch, CUT, 0, 0)
    bench.board.reset("POWER")
    assert answer(bench)[1] == 0
    bench.open(2)
    assert bench.epoch == 1


def test_numbers_wrap() -> None:
    bench = BoardBench(capacity=Capacity(openings=2))
    bench.open()
    bench.board.chip.openings._count = 0xFFFE
    for t_us in (10_000, 20_000, 30_000):
        bench.order(Pulse("valve", 1_000))
        bench.run(t_us)
    assert [answer(bench, place)[1:3] for place in (0, 1)] == [(2, 1), (2, 0)]


def test_the_board_of_a_chip_keeps_as_many_as_the_firmware_on_it() -> None:
    assert {name: Capacity.of(kind).openings for name, kind in CHIPS.items()} == {"uno": 8, "mega": 32, "pico": 128}
