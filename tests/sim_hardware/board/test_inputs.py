"""Inputs: what is reported of a pin, when, and with which stamp."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import Channel, Input
from rig.core.model.channels import Role
from sim_hardware.board.inputs import FLOOD_CHANGES
from tests.sim_hardware.board.chip_bench import VALVE, ChipBench

Change = tuple[int, int]
Report = tuple[int, int, int, int]
"""When it was reported, the stamp, the channel, the level."""


def beam(debounce: int = 0, on: int = 0, off: int = 0, **more: bool) -> Input:
    return Input("beam", Role.LINE, 2, debounce, on, off, **more)


# --- inversion and the level at the start -------------------------------------------------------------------


def test_a_level_that_is_on_at_the_start_is_an_edge_that_fires_nothing() -> None:
    bench = ChipBench(beam())
    bench.script("beam", [(10, 1)])
    bench.run(50)
    bench.chip.forget()
    bench.script("beam", [(60, 0), (70, 1)])
    bench.run(100)
    assert len(bench.said("edge")) == 1
    bench.configure()
    assert bench.said("edge")[1:] == [(100, "beam", 1, 0)]


def test_a_chip_that_discards_its_inputs_reports_nothing_that_was_pending() -> None:
    bench = ChipBench(beam(on=100))
    bench.script("beam", [(1_000, 1)])
    bench.run(1_050)
    bench.chip.forget()
    bench.run(10_000)
    assert bench.said("edge") == []
    assert bench.chip.inputs.horizon() == 9_999


def test_a_pin_that_nobody_watches_may_change() -> None:
    bench = ChipBench(beam())
    bench.chip.inputs.drive(99, 1)
    assert bench.said("edge") == []


# --- against a model that lives microsecond by microsecond --------------------------------------------------


def levels_of(changes: list[Change], length: int) -> list[int]:
    """Give the level of a pin in every microsecond."""
    levels, level, todo = [], 0, dict(changes)
    for t_us in range(length):
        level = todo.get(t_us, level)
        levels.append(level)
    return levels


def model(channels: list[Input], scripts: list[list[Change]], length: int) -> tuple[list[Report], list[int]]:
    """Say what must be reported, and up to where nothing more can come at the end of every microsecond."""
    reports: list[Report] = []
    horizons = []
    pins = [
        [level ^ channel.inverted for level in levels_of(changes, length)]
        for channel, changes in zip(channels, scripts, strict=True)
    ]
    known = [line[0] for line in pins]
    locked_until = [0] * len(channels)
    for now in range(length):
        ready = []
        open_since = now
        for number, channel in enumerate(channels):
            line = pins[number]
            since = now
            while since > 0 and line[since - 1] == line[now]:
                since -= 1
            if line[now] == known[number]:
                continue
            needed = channel.confirm_on_us if line[now] else channel.confirm_off_us
            if now - since >= needed and now >= locked_until[number]:
                ready.append((since, number, line[now]))
            else:
                open_since = min(open_since, since)
        for since, number, level in sorted(ready):
            reports.append((now, since, number, level))
            known[number] = level
            locked_until[number] = since + channels[number].debounce_us
        horizons.append(open_since - 1)
    return reports, horizons


LENGTH = 160
few = st.integers(0, 40)
filters = st.tuples(few, few, few, st.booleans())
scripts = st.lists(st.integers(1, LENGTH - 50), max_size=FLOOD_CHANGES // 4, unique=True).map(
    lambda times: [(t_us, (place + 1) % 2) for place, t_us in enumerate(sorted(times))]
)


def watched(filters_of: list[tuple[int, int, int, bool]]) -> list[Channel]:
    return [
        Input(f"in{n}", Role.LINE, 30 - n, debounce, on, off, inverted)
        for n, (debounce, on, off, inverted) in enumerate(filters_of)
    ]


@given(st.lists(st.tuples(filters, scripts), min_size=1, max_size=4), st.sets(st.integers(0, LENGTH - 1), max_size=8))
@example([((20, 0, 0, False), [(10, 1), (15, 0)]), ((0, 0, 0, False), [(30, 1)])], {30})
def test_random_pins_with_random_filters_are_reported_as_the_model_says(
    lines: list[tuple[tuple[int, int, int, bool], list[Change]]], asked: set[int]
) -> None:
    channels = watched([line[0] for line in lines])
    changes = [line[1] for line in lines]
    bench = ChipBench(*channels)
    start = len(bench.events)
    reported: list[Report] = []
    emit = bench.chip.inputs._report

    def report(channel: int, level: int, at: int) -> None:
        reported.append((bench.now_us, at, channel, level))
        emit(channel, level, at)

    bench.chip.inputs._report = report
    answers: list[tuple[int, int, int]] = []
    for t_us in sorted(asked):  # asked before anything else that happens in that microsecond
        bench.at(t_us, lambda: answers.append((len(reported), bench.now_us, bench.chip.inputs.horizon())))
    for channel, line in zip(channels, changes, strict=True):
        bench.script(channel.name, line)
    horizons = []
    for t_us in range(LENGTH):
        bench.run(t_us)
        horizons.append(bench.chip.inputs.horizon())
        answers.append((len(reported), t_us, horizons[-1]))

    expected, open_to = model(channels, changes, LENGTH)  # type: ignore[arg-type]
    assert reported == expected
    assert [event[0] for event in bench.events[start:]] == [stamp for _, stamp, _, _ in expected]
    assert horizons == open_to
    for known, now, horizon in answers:
        assert horizon < now
        assert all(stamp > horizon for _, stamp, _, _ in reported[known:])


@pytest.mark.parametrize("tick_ns", [4000, 500])
@given(
    lines=st.lists(st.tuples(filters, scripts), min_size=1, max_size=3),
    asked=st.sets(st.integers(0, LENGTH), max_size=8),
)
def test_no_edge_comes_behind_an_answer_whatever_the_tick(
    tick_ns: int, lines: list[tuple[tuple[int, int, int, bool], list[Change]]], asked: set[int]
) -> None:
    channels = watched([line[0] for line in lines])
    bench = ChipBench(*channels, tick_ns=tick_ns, start=0xFFFF_FFE0)
    stamps: list[int] = []
    emit = bench.chip.inputs._report

    def report(channel: int, level: int, at: int) -> None:
        stamps.append(at)
        emit(channel, level, at)

    bench.chip.inputs._report = report
    answers: list[tuple[int, int]] = []
    for t_us in sorted(asked):
        bench.at(t_us, lambda: answers.append((len(stamps), bench.chip.inputs.horizon())))
    for channel, (_, line) in zip(channels, lines, strict=True):
        bench.script(channel.name, line)
    bench.run(LENGTH * 4)
    for known, horizon in answers:
        assert all(stamp > horizon for stamp in stamps[known:])


# --- floods -------------------------------------------------------------------------------------------------


def square(half_us: int, changes: int, start_us: int = 0) -> list[Change]:
    """List the changes of a square wave, the first of which is on."""
    return [(start_us + half_us * place, (place + 1) % 2) for place in range(changes)]


def flooded(channel: Input, *changes: Change, until_us: int = 100_000, other: Channel = VALVE) -> ChipBench:
    bench = ChipBench(channel, other)
    bench.script("beam", changes)
    bench.run(until_us)
    return bench


@pytest.mark.parametrize("tick_ns", [500, 1000, 4000])
def test_an_input_that_changes_as_often_as_the_chip_takes_is_heard_and_one_more_change_mutes_it(tick_ns: int) -> None:
    bench = ChipBench(beam(), tick_ns=tick_ns)
    bench.script("beam", [*square(100, FLOOD_CHANGES), *square(100, FLOOD_CHANGES + 1, 8_192)])
    bench.run(12_000)
    assert len(bench.said("edge")) == 2 * FLOOD_CHANGES
    assert bench.said("flood") == [(8_192 + 100 * FLOOD_CHANGES, "beam", 10)]


def test_the_changes_of_two_windows_are_not_added_up() -> None:
    bench = flooded(beam(), *square(50, FLOOD_CHANGES), *square(50, FLOOD_CHANGES, 4_096))
    assert bench.said("flood") == []
    assert len(bench.said("edge")) == 2 * FLOOD_CHANGES


def test_inputs_that_together_change_too_often_are_muted_but_not_one_that_changes_seldom() -> None:
    others = [Input(name, Role.LINE, pin) for name, pin in (("second", 3), ("seldom", 4))]
    bench = ChipBench(beam(), *others)
    bench.script("beam", square(300, 20))
    bench.script("second", square(300, 20, 70))
    bench.script("seldom", [(1_000, 1), (2_000, 0)])
    bench.run(20_000)
    muted = [event[1:] for event in bench.said("flood") if event[2]]
    assert muted == [("beam", 3), ("second", 3)]
    assert [event[0] for event in bench.said("edge") if event[1] == "seldom"] == [1_000, 2_000]


def test_inputs_that_all_change_seldom_are_all_muted_if_there_are_too_many() -> None:
    names = [f"beam{pin}" for pin in range(2, 12)]
    bench = ChipBench(*(Input(name, Role.LINE, pin) for pin, name in enumerate(names, 2)))
    for shift_us, name in enumerate(names):
        bench.script(name, square(900, 3, 10 * shift_us))
    bench.run(4_000)
    assert {event[1] for event in bench.said("flood")} >= set(names[:4])


@pytest.mark.parametrize(("half_us", "per_ms"), [(90, 11), (26, 40), (13, 80), (1, 255)])
def test_a_flood_tells_its_rate_up_to_what_a_byte_holds(half_us: int, per_ms: int) -> None:
    assert flooded(beam(), *square(half_us, 200)).said("flood")[0][1:] == ("beam", per_ms)


def test_a_flood_is_told_once_and_nothing_of_it_afterwards_until_it_is_quiet() -> None:
    bench = flooded(beam(), *square(20, 2_000))
    (muted_us, _, _), (quiet_us, _, rate) = bench.said("flood")
    assert (muted_us, rate) == (20 * FLOOD_CHANGES, 0)
    assert all(t_us < muted_us for t_us, *_ in bench.said("edge"))
    assert 40_000 - 20 + 1_000 <= quiet_us <= 40_000 - 20 + 1_000 + 8_192


def test_a_change_that_is_being_confirmed_is_given_up_when_its_input_is_muted() -> None:
    changes = square(20, 41)
    bench = ChipBench(beam(on=5_000), VALVE)
    bench.order(Arm(1, None, (("beam", 1, Pulse("valve", 1_000)),)))
    bench.script("beam", [*changes, (changes[-1][0] + 100_000, 0)])
    bench.run(6_000)
    assert bench.said("edge") == []
    assert bench.levels("valve") == []


def test_a_level_that_differs_when_an_input_is_quiet_again_is_a_change_at_that_time() -> None:
    bench = flooded(beam(debounce=5_000, on=100), *square(20, 41), (60_000, 0))
    quiet_us = bench.said("flood")[-1][0]
    assert bench.said("edge") == [(quiet_us, "beam", 1, 0), (60_000, "beam", 0, 0)]


def test_a_level_that_is_the_reported_one_when_an_input_is_quiet_again_is_no_change() -> None:
    bench = flooded(beam(debounce=5_000, on=100), *square(20, 42), (60_000, 1), (70_000, 0))
    assert [event[0] for event in bench.said("edge")] == [60_000, 70_000]


def test_an_input_that_floods_again_is_muted_again() -> None:
    bench = flooded(beam(), *square(20, 60), *square(20, 60, 50_000))
    assert [event[2] > 0 for event in bench.said("flood")] == [True, False, True, False]


def test_a_chip_that_is_configured_again_hears_an_input_that_it_had_muted() -> None:
    bench = ChipBench(beam(), VALVE)
    bench.script("beam", square(20, 60))
    bench.run(1_190)
    bench.chip.forget()
    bench.configure()
    bench.script("beam", [(2_000, 1), (3_000, 0)])
    bench.run(100_000)
    assert [event[0] for event in bench.said("edge")][-2:] == [2_000, 3_000]
    assert len(bench.said("flood")) == 1
