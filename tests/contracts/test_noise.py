"""What the firmware does under any signal: no interference fires a reflex, holds an output or stops the clock."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import pytest

from rig.boards.chips import CHIPS
from tests.avr_tools import need_tools_of
from tests.contracts.noise import (
    CAUSES,
    CYCLES_PER_MS,
    PAIRS_OF_A_SIGNAL,
    POKE_US,
    SHAPES,
    Pair,
    Poke,
    Signal,
    all_pairs,
    burst,
    crowded_signal,
    cycles,
    pairs_signal,
    random_signal,
    signal,
    spikes,
    square,
    telegraph,
)
from tests.contracts.noise_bench import ANSWERS, INPUTS, PORTS, NoiseBench
from tests.contracts.noise_ends import (
    ALL_OFF_EVERY_MS,
    STORMS,
    assert_a_panic_ends_all,
    assert_all_off_ends_all,
    assert_the_lease_ends_all,
)
from tests.contracts.noise_laws import Law, judge

KINDS = [
    "uno",
    pytest.param("mega", marks=pytest.mark.slow),
    pytest.param("pico", marks=pytest.mark.campaign),
]
NOISY: dict[str, Sequence[str]] = {
    "one input": ["left"],
    "one port": PORTS[0],
    "all inputs": tuple(ANSWERS),
}
FREQUENCIES_HZ = (1, 100, 1_000, 4_000, 6_000, 9_000, 15_000, 25_000, 38_000, 70_000, 150_000, 400_000, 1_000_000)
EDGES, GAPS_US = (8, 12, 30, 60), (5, 10, 20, 30, 45, 60)

RANDOM_SIGNALS, CROWDED_SIGNALS, SIGNALS_OF_A_TEST = 10_000, 2_500, 250
ALL_PAIRS, PAIRS_OF_A_TEST = all_pairs(), 96 * PAIRS_OF_A_SIGNAL


@pytest.fixture(autouse=True)
def _tools(kind: str) -> None:
    need_tools_of(kind)


def broken(kind: str, signals: Iterable[Signal], *laws: Law) -> dict[str, list[str]]:
    """Return by which signals each of some laws was broken, by default of all laws."""
    found: dict[str, list[str]] = {}
    for breaches in judge(kind, signals):
        for breach in breaches:
            if not laws or breach.law in laws:
                found.setdefault(breach.law, []).append(f"{breach.signal}: {breach.where}, {breach.size:.1f}")
    return found


# --- signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", NOISY)
def test_square_waves_of_any_frequency_break_no_law(kind: str, where: str) -> None:
    signals = [
        signal(f"{hz} Hz on {where}", *(square(name, hz, 4_000 if hz > 50_000 else 20_000) for name in NOISY[where]))
        for hz in FREQUENCIES_HZ
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", NOISY)
def test_bursts_of_levels_that_do_not_last_break_no_law(kind: str, where: str) -> None:
    signals = [
        signal(f"{edges} edges, {gap_us} us apart, on {where}", *(burst(name, edges, gap_us) for name in NOISY[where]))
        for edges in EDGES
        for gap_us in GAPS_US
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", ["right", "far"])
def test_bursts_break_no_law_at_any_phase_of_another_interrupt(kind: str, other: str) -> None:
    poke = Poke(other, 1_000, POKE_US)
    signals = [
        signal(f"burst {shift_us} us after {other}", burst("left", 20, 30, 1_000 + shift_us), pokes=[poke])
        for shift_us in range(-100, 400, 13)
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", NOISY)
def test_random_telegraph_noise_breaks_no_law(kind: str, where: str) -> None:
    draw = random.Random(f"telegraph on {where}")
    signals = [
        signal(f"levels of {mean_us} us on {where}", *(telegraph(name, mean_us, 15_000, draw) for name in NOISY[where]))
        for mean_us in (3, 10, 30, 60, 100, 200, 1_000)
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_poke_gets_its_reflex_while_another_input_floods(kind: str) -> None:
    signals = [
        signal(f"{hz} Hz on {noisy}", square(noisy, hz, 40_000), pokes=[Poke(poked, 12_345, POKE_US)])
        for hz in (12_000, 38_000)
        for noisy, poked in (("left", "right"), ("left", "far"), ("bare", "far"), ("far", "left"))
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("poked", ["right", "far"])
def test_spikes_that_are_too_short_to_be_seen_break_no_law(kind: str, poked: str) -> None:
    signals = [
        signal(f"a spike every {every_us} us", spikes("left", every_us, 30_000), pokes=[Poke(poked, at_us, POKE_US)])
        for every_us in (30, 70, 150, 300)
        for at_us in range(500, 10_000, 1_900)
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length_ms", [30, 300])
def test_a_carrier_of_38_khz_holds_no_valve_open_and_resets_nothing(kind: str, length_ms: int) -> None:
    assert broken(kind, [signal("carrier", square("far", 38_000, length_ms * 1_000, 8_000))]) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", NOISY)
def test_the_clock_agrees_with_the_crystal_over_storms(kind: str, where: str) -> None:
    signals = [
        signal(f"{hz} Hz for {ms} ms", *(square(name, hz, ms * 1_000) for name in NOISY[where]))
        for hz, ms in ((25_000, 70), (25_000, 100), (15_000, 100), (60_000, 70))
    ]
    assert broken(kind, signals) == {}


@pytest.mark.parametrize("kind", KINDS)
def test_random_signals_break_no_law(kind: str) -> None:
    assert broken(kind, (random_signal(seed, PORTS) for seed in range(20))) == {}


def crowded(first: int, count: int) -> Iterator[Signal]:
    names = [channel.name for channel in INPUTS]
    return (crowded_signal(seed, names, tuple(ANSWERS)) for seed in range(first, first + count))


@pytest.mark.parametrize("kind", KINDS)
def test_waves_at_several_ports_that_are_slow_alone_break_no_law(kind: str) -> None:
    assert broken(kind, crowded(0, 20)) == {}


@pytest.mark.campaign
@pytest.mark.parametrize("kind", CHIPS)
@pytest.mark.parametrize("first", range(0, CROWDED_SIGNALS, SIGNALS_OF_A_TEST))
def test_thousands_of_waves_at_several_ports_break_no_law(kind: str, first: int) -> None:
    assert broken(kind, crowded(first, SIGNALS_OF_A_TEST)) == {}


@pytest.mark.campaign
@pytest.mark.parametrize("kind", CHIPS)
@pytest.mark.parametrize("first", range(0, RANDOM_SIGNALS, SIGNALS_OF_A_TEST))
def test_ten_thousand_random_signals_break_no_law(kind: str, first: int) -> None:
    signals = (random_signal(seed, PORTS) for seed in range(first, first + SIGNALS_OF_A_TEST))
    assert broken(kind, signals) == {}


# --- pairs of edges -----------------------------------------------------------------------------------------


def broken_by_pairs(kind: str, shape: str, cause: str, pairs: Sequence[Pair]) -> dict[str, list[str]]:
    signals = (
        pairs_signal(shape, cause, pairs[first : first + PAIRS_OF_A_SIGNAL])
        for first in range(0, len(pairs), PAIRS_OF_A_SIGNAL)
    )
    return broken(kind, signals, Law.CONFIRMED, Law.REPORTED)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("shape", SHAPES)
def test_two_edges_around_another_interrupt_fire_nothing(kind: str, cause: str, shape: str) -> None:
    pairs = random.Random(f"{shape} at {cause}").sample(ALL_PAIRS, 3 * PAIRS_OF_A_SIGNAL)
    assert broken_by_pairs(kind, shape, cause, pairs) == {}


@pytest.mark.campaign
@pytest.mark.parametrize("kind", CHIPS)
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("first", range(0, len(ALL_PAIRS), PAIRS_OF_A_TEST))
def test_no_two_edges_around_another_interrupt_fire_anything(kind: str, cause: str, shape: str, first: int) -> None:
    assert broken_by_pairs(kind, shape, cause, ALL_PAIRS[first : first + PAIRS_OF_A_TEST]) == {}


# --- what ends everything -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storm", STORMS)
def test_the_lease_ends_all_outputs_during_a_storm(kind: str, storm: str) -> None:
    assert_the_lease_ends_all(NoiseBench(kind), STORMS[storm])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storm", STORMS)
@pytest.mark.parametrize("pressed_ms", [1.7, 20.3])
def test_the_panic_button_ends_all_outputs_during_a_storm(kind: str, storm: str, pressed_ms: float) -> None:
    assert_a_panic_ends_all(NoiseBench(kind), STORMS[storm], pressed_ms)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storm", STORMS)
@pytest.mark.parametrize("said_ms", [2, 17])
def test_all_off_ends_all_outputs_during_a_storm(kind: str, storm: str, said_ms: int) -> None:
    assert_all_off_ends_all(NoiseBench(kind), STORMS[storm], said_ms)


# --- a ramp that falls through 0 Hz -------------------------------------------------------------------------

RAMP_HZ = (300, 100)
"""The tones of the ramp that are above 0 Hz; those after them are silent."""
TONE_MS, TONE_EVERY_MS, TONES = 100, 300, 4
RAMP_MS, LATE_MS = 1_500, 10


def rises_of_a_ramp(kind: str, all_off_ms: float | None = None) -> list[float]:
    """Play a ramp of falling tones; return when its pin went on, in milliseconds."""
    bench = NoiseBench(kind)
    bench.open()
    began = bench.chip.cycle
    bench.ramp("speaker", RAMP_HZ[0], RAMP_HZ[1] - RAMP_HZ[0], TONE_MS, TONE_EVERY_MS, TONES)
    if all_off_ms is not None:
        bench.run(cycles(1_000 * all_off_ms))
        bench.all_off(ALL_OFF_EVERY_MS, 1)
    bench.run(began + RAMP_MS * CYCLES_PER_MS - bench.chip.cycle)
    pin = bench.pins["speaker"]
    return [(cycle - began) / CYCLES_PER_MS for cycle, which, level in bench.levels if which == pin and level]


@pytest.mark.parametrize("kind", KINDS)
def test_a_ramp_that_falls_through_zero_is_silent_from_there_on(kind: str) -> None:
    rises = rises_of_a_ramp(kind)
    assert max(rises) < TONE_EVERY_MS + TONE_MS + LATE_MS
    periods_ms = [later - rise for rise, later in pairwise(rises)]
    heard_hz = {round(1_000 / period_ms) for period_ms in periods_ms if period_ms < TONE_MS}
    assert heard_hz == set(RAMP_HZ)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("all_off_ms", [50, 350, 650, 950])
def test_all_off_silences_a_ramp_that_falls_through_zero(kind: str, all_off_ms: int) -> None:
    assert max(rises_of_a_ramp(kind, all_off_ms)) < all_off_ms + LATE_MS
