"""The judge of noise: what it takes for a broken law, on records that no chip has made."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from rig.boards.wire import messages as wire
from tests.contracts.noise import (
    CYCLES_PER_MS,
    SHAPES,
    Change,
    Poke,
    Signal,
    all_pairs,
    burst,
    cycles,
    pairs_signal,
    random_signal,
    signal,
    square,
    uneven_burst,
)
from tests.contracts.noise_bench import ANSWERS, INPUTS, PORTS, TICK_CYCLES, Record, Spell
from tests.contracts.noise_laws import Law, breaches, levels_on, longest_storm_us, most_in_a_window

LEFT = [channel.name for channel in INPUTS].index("left")


def record(*changes: Change, pokes: tuple[Poke, ...] = (), **spells_us: tuple[float, float | None]) -> Record:
    """Make a record of changes, and of outputs that were on from one microsecond to another."""
    driven: dict[str, list[tuple[int, int]]] = {channel.name: [] for channel in INPUTS}
    for change in changes:
        driven[change.name].append((change.cycle, change.level))
    spells: dict[str, list[Spell]] = {name: [] for name in (*ANSWERS.values(), "laser", "flash")}
    for name, (began_us, ended_us) in spells_us.items():
        spells[name].append(Spell(cycles(began_us), None if ended_us is None else cycles(ended_us)))
    return Record(Signal("made", changes, pokes), 0, driven, spells, ended=100 * CYCLES_PER_MS)


def on(name: str, from_us: float, until_us: float) -> tuple[Change, Change]:
    return Change(cycles(from_us), name, 1), Change(cycles(until_us), name, 0)


def laws(found: Record) -> list[Law]:
    return [breach.law for breach in breaches(found)]


# --- laws ---------------------------------------------------------------------------------------------------


def test_a_record_in_which_nothing_happens_breaks_no_law() -> None:
    assert laws(record()) == []


def test_an_action_after_a_level_that_lasted_its_confirmation_is_right() -> None:
    assert laws(record(*on("left", 1_000, 1_100), valve=(1_100, 21_100))) == []


@pytest.mark.parametrize("lasted_us", [1, 60, 99.9])
def test_an_action_after_a_shorter_level_is_a_breach(lasted_us: float) -> None:
    assert laws(record(*on("left", 1_000, 1_000 + lasted_us), valve=(1_100, 21_100))) == [Law.CONFIRMED]


def test_an_action_before_the_end_of_the_confirmation_is_a_breach() -> None:
    assert laws(record(*on("left", 1_000, 2_000), valve=(1_099, 21_099))) == [Law.CONFIRMED]


def test_two_short_levels_are_no_long_one() -> None:
    changes = (*on("left", 1_000, 1_090), *on("left", 1_090.0625, 1_180))
    assert laws(record(*changes, valve=(1_180, 1_400))) == [Law.CONFIRMED]


def test_a_level_of_long_ago_is_no_cause_of_an_action() -> None:
    assert laws(record(*on("left", 1_000, 2_000), valve=(40_000, 60_000))) == [Law.CONFIRMED]


def test_an_input_without_a_confirmation_fires_at_once_and_not_before() -> None:
    assert laws(record(*on("plain", 1_000, 1_001), light=(1_000, 21_000))) == []
    assert laws(record(*on("plain", 1_000, 1_001), light=(999, 20_999))) == [Law.CONFIRMED]


@pytest.mark.parametrize(("ended_us", "expected"), [(20_100, []), (20_101, [Law.ENDED]), (None, [Law.ENDED])])
def test_an_output_may_be_on_a_tenth_of_a_millisecond_longer(ended_us: float | None, expected: list[Law]) -> None:
    ended = None if ended_us is None else 1_100 + ended_us
    assert laws(record(*on("left", 1_000, 2_000), valve=(1_100, ended))) == expected


@pytest.mark.parametrize(("ended_us", "expected"), [(1_600, []), (1_601, [Law.ENDED])])
def test_a_pulse_of_the_fast_train_has_a_shorter_time(ended_us: float, expected: list[Law]) -> None:
    fast = replace(record(flash=(1_000, ended_us)), signal=Signal("made", (), fast_train=True))
    assert laws(fast) == expected
    assert laws(replace(fast, began=cycles(1_001))) == []


@pytest.mark.parametrize(("off_us", "expected"), [(1_100, []), (1_080, [Law.REPORTED])])
def test_an_edge_that_is_reported_is_that_of_a_level_that_lasted(off_us: float, expected: list[Law]) -> None:
    edge = (wire.EDGE.code, 1, LEFT | wire.LEVEL, 0, cycles(1_000) // TICK_CYCLES)
    assert laws(replace(record(*on("left", 1_000, off_us)), messages=[(0, edge)])) == expected


def test_a_flood_that_is_not_named_is_a_breach_and_so_is_a_quiet_input_that_is_muted() -> None:
    storm = record(*square("left", 15_000, 20_000))
    muted = (wire.FLOOD.code, 1, LEFT, 30, 0)
    quiet = (wire.FLOOD.code, 2, LEFT, 0, 0)
    assert laws(storm) == [Law.NAMED]
    assert laws(replace(storm, messages=[(0, quiet)])) == [Law.NAMED]
    assert laws(replace(storm, messages=[(0, muted), (0, quiet)])) == []
    assert laws(replace(storm, messages=[(0, muted)])) == [Law.QUIET]
    calm = record(*on("left", 1_000, 1_050))
    assert laws(replace(calm, messages=[(0, muted), (0, quiet)])) == [Law.UNMUTED]


@pytest.mark.parametrize(
    ("answered_us", "flooded", "expected"),
    [
        (6_100, False, []),
        (6_101, False, [Law.ANSWERED]),
        (21_100, True, []),
        (21_101, True, [Law.ANSWERED]),
        (None, True, [Law.ANSWERED]),
    ],
)
def test_a_clean_poke_is_answered_within_its_bound(
    answered_us: float | None, flooded: bool, expected: list[Law]
) -> None:
    poke = Poke("far", 1_000, 30_000)
    noise = burst("left", 30, 50) if flooded else []
    spells = {} if answered_us is None else {"feeder": (answered_us, answered_us + 20_000)}
    assert laws(record(*noise, *poke.changes, pokes=(poke,), **spells)) == expected


def test_a_reset_a_silent_board_and_a_clock_that_loses_a_round_are_breaches() -> None:
    assert laws(replace(record(), resets=1)) == [Law.RUNNING]
    assert laws(replace(record(), clock_error_cycles=None)) == [Law.RUNNING]
    assert laws(replace(record(), clock_error_cycles=-65_536 * TICK_CYCLES)) == [Law.CLOCK]
    assert laws(replace(record(), clock_error_cycles=CYCLES_PER_MS // 2)) == []


def test_changes_are_counted_in_windows_of_any_start_and_storms_by_their_pauses() -> None:
    changes = [(change.cycle, change.level) for change in square("left", 6_250, 50_000)]
    assert most_in_a_window(changes) == 52
    assert longest_storm_us(changes) == pytest.approx(50_000, abs=100)
    paused = [change for change in changes if not cycles(20_000) < change[0] < cycles(20_200)]
    assert longest_storm_us(paused) == pytest.approx(29_800, abs=200)


# --- signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_a_random_signal_is_in_order_alternates_and_ends_with_everything_off(seed: int) -> None:
    made = random_signal(seed, PORTS)
    assert made == random_signal(seed, PORTS)
    assert all(change.cycle <= later.cycle for change, later in pairwise(made.changes))
    for channel in INPUTS:
        levels = [change.level for change in made.changes if change.name == channel.name]
        assert levels == [1, 0] * (len(levels) // 2)


def test_no_level_of_a_burst_or_of_a_pair_lasts_a_confirmation() -> None:
    uneven = signal("uneven", uneven_burst("left", 60, random.Random(1)))
    made = [
        signal("even", burst("left", 60, 60)),
        uneven,
        *(pairs_signal(s, "nothing", all_pairs()[::5_000]) for s in SHAPES),
    ]
    for each in made:
        lasted = levels_on([(change.cycle, change.level) for change in each.changes])
        assert lasted
        assert all(ended - began < cycles(100) for began, ended in lasted)
