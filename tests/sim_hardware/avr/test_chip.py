"""The simulated chip, held to what a real one does, with small programs of its own."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from rig.core.errors import ConfigError
from sim_hardware.avr.chip import HZ, AvrChip, Event, ResetCause, TraceEvent
from sim_hardware.avr.disassembly import Disassembly

Power = Callable[..., AvrChip]
MS = HZ // 1000
BYTE_CYCLES = 320
"""Ten bits at 500,000 baud."""


def watch_for(chip: AvrChip, cycles: int) -> list[Event]:
    """Run on, and list what happens on the way."""
    events, until = [], chip.cycle + cycles
    while chip.cycle < until:
        events += chip.run(until)
    return events


def levels(events: list[Event], pin: int) -> list[int]:
    return [event.value for event in events if event.kind is TraceEvent.LEVEL and event.pin == pin]


def sent(events: list[Event]) -> bytes:
    return bytes(event.value for event in events if event.kind is TraceEvent.BYTE)


# --- the serial port ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", AVRS)
def test_a_byte_takes_ten_bits_each_way(power: Power, kind: str) -> None:
    chip = power("echo", kind)
    watch_for(chip, MS)
    start = chip.cycle
    chip.send(b"abcdef")
    echoed = watch_for(chip, MS)
    assert sent(echoed) == b"abcdef"
    assert 2 * BYTE_CYCLES < echoed[0].cycle - start < 2 * BYTE_CYCLES + 200
    gaps = {later.cycle - event.cycle for event, later in pairwise(echoed[1:])}
    assert all(BYTE_CYCLES <= gap <= BYTE_CYCLES + 40 for gap in gaps)


def test_a_run_ends_at_once_when_a_frame_is_sent_whose_bytes_waited_for_its_end(power: Power) -> None:
    chip = power("echo")
    watch_for(chip, MS)
    chip.send(b"xy\0")
    *waited, event = chip.run(chip.cycle + 1000 * MS)
    assert bytes(each.value for each in (*waited, event)) == b"xy\0"
    assert event.cycle - BYTE_CYCLES <= chip.cycle < event.cycle
    assert [event.cycle - each.cycle for each in waited] == pytest.approx([2 * BYTE_CYCLES, BYTE_CYCLES], abs=80)


def test_a_run_never_goes_further_than_an_instruction_even_when_the_program_goes_to_sleep_in_it(power: Power) -> None:
    chip = power("echo")
    watch_for(chip, MS)
    chip.send(b"abc")
    for until in range(chip.cycle + 1, chip.cycle + 6 * BYTE_CYCLES):
        chip.run(until)
        assert chip.cycle < until + 10  # five cycles, and five or eight in which an interrupt begins


def test_a_program_that_does_not_fetch_its_bytes_loses_all_but_three(power: Power) -> None:
    chip = power("echo")
    watch_for(chip, MS)
    chip.send(b"!123456789")
    events = watch_for(chip, 5 * MS)
    assert sent(events) == b"!123"
    assert bytes(event.value for event in events if event.kind is TraceEvent.OVERRUN) == b"456789"


def test_two_ends_of_different_speed_do_not_understand_each_other(power: Power) -> None:
    chip = power("echo", baud=115_200)
    watch_for(chip, MS)
    chip.send(b"hello")
    heard = sent(watch_for(chip, 5 * MS))
    assert heard
    assert not any(ours == theirs for ours, theirs in zip(heard, b"hello", strict=False))


# --- pins ---------------------------------------------------------------------------------------------------


def test_a_pin_follows_another_within_the_cycles_of_an_interrupt(power: Power) -> None:
    chip = power("follow")
    chip.watch(8)
    chip.pin(2, 0)
    watch_for(chip, MS)
    for level in (1, 0, 1):
        changed = chip.cycle
        chip.pin(2, level)
        event = next(event for event in watch_for(chip, MS) if event.pin == 8)
        assert event.value == level
        assert 8 < event.cycle - changed < 80


def test_a_level_that_is_held_low_stays_low_whatever_is_written_to_the_pull_ups(power: Power) -> None:
    chip = power("follow")
    chip.watch(9)
    chip.pin(3, 0)
    assert levels(watch_for(chip, 20 * MS), 9) == []
    chip.pin(3, 1)
    assert levels(watch_for(chip, 20 * MS), 9) == [1]


def test_nothing_on_a_pin_with_a_pull_up_reads_high(power: Power) -> None:
    chip = power("follow")
    chip.watch(9)
    assert levels(watch_for(chip, 20 * MS), 9) == [1]


@pytest.mark.parametrize("rest", [0, 1])
def test_a_pin_has_the_level_of_its_resistor_until_it_is_an_output_and_again_in_a_reset(
    power: Power, rest: int
) -> None:
    chip = power("follow")
    chip.pin(2, 1 - rest)
    chip.watch(8, rest)
    chip.watch(10, rest)
    assert levels(watch_for(chip, MS), 8) == [0] * rest
    chip.pin(2, 0)
    chip.pin(2, 1)
    driven = watch_for(chip, MS)
    before = levels(driven, 8)[-1]
    chip.reset(ResetCause.BUTTON)
    after = levels(chip.run(chip.cycle + 1), 8)
    assert after == ([] if before == rest else [rest])
    assert levels(driven, 10) == []


def test_a_pin_that_was_on_before_a_reset_is_reported_when_it_is_on_again(power: Power) -> None:
    chip = power("watchdog")
    chip.watch(8)
    assert levels(watch_for(chip, MS), 8) == [1]
    chip.reset(ResetCause.BUTTON)
    assert levels(watch_for(chip, MS), 8) == [0, 1]


def test_a_level_is_held_through_a_reset(power: Power) -> None:
    chip = power("follow")
    chip.watch(9)
    chip.pin(3, 0)
    watch_for(chip, MS)
    chip.reset(ResetCause.POWER)
    assert levels(watch_for(chip, 20 * MS), 9) == []


# --- resets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", ResetCause)
def test_a_reset_says_why(power: Power, cause: ResetCause) -> None:
    chip = power("watchdog")
    assert sent(watch_for(chip, MS))[0] == ResetCause.POWER
    chip.reset(cause)
    assert sent(watch_for(chip, MS))[0] == cause


def test_memory_is_noise_when_the_power_comes_and_the_same_noise_for_the_same_seed(power: Power) -> None:
    marks = [sent(watch_for(power("watchdog", seed=seed), MS))[1] for seed in (1, 1, 2, 3, 4)]
    assert marks[0] == marks[1]
    assert len(set(marks)) > 2


def test_memory_survives_a_reset_that_does_not_cut_the_power(power: Power) -> None:
    chip = power("watchdog")
    watch_for(chip, MS)
    chip.reset(ResetCause.BUTTON)
    assert sent(watch_for(chip, MS))[1] == 0


WDRF = 8


@pytest.mark.parametrize(
    ("interrupts", "periods", "mark"),
    [
        pytest.param(True, 1, 0x5A, id="interrupts running: interrupted, then reset"),
        pytest.param(False, 2, 0, id="interrupts off: reset all the same"),
    ],
)
def test_a_program_that_hangs_is_reset(power: Power, interrupts: bool, periods: int, mark: int) -> None:
    chip = power("watchdog")
    chip.watch(8)
    watch_for(chip, 50 * MS)
    chip.hang(interrupts=interrupts)
    start = chip.cycle
    events = watch_for(chip, 50 * MS)
    off = next(event for event in events if event.pin == 8)
    assert 15 * MS < (off.cycle - start) / periods < 18 * MS
    assert sent(events) == bytes((WDRF, mark))


def test_a_program_that_does_not_hang_is_left_alone(power: Power) -> None:
    chip = power("watchdog")
    assert sent(watch_for(chip, 200 * MS))[0] == ResetCause.POWER
    assert not [event for event in watch_for(chip, 200 * MS) if event.kind is TraceEvent.RESET]


# --- sound --------------------------------------------------------------------------------------------------


def order_tone(chip: AvrChip, half_cycles: int) -> None:
    chip.send(half_cycles.to_bytes(2, "little"))


def tones(events: list[Event]) -> list[int]:
    return [event.value for event in events if event.kind is TraceEvent.TONE]


def speaker(power: Power) -> AvrChip:
    """Start the program that sounds what it is sent, with a speaker at its pin."""
    chip = power("tone")
    chip.watch(9, speaker=True)
    watch_for(chip, MS)
    return chip


@pytest.mark.parametrize("hz", [200, 1_000, 3_520, 12_000])
def test_a_speaker_is_heard_by_its_frequency(power: Power, hz: int) -> None:
    chip = speaker(power)
    start = chip.cycle
    order_tone(chip, HZ // 2 // hz)
    heard = watch_for(chip, 100 * MS)
    order_tone(chip, 0)
    silent = watch_for(chip, 100 * MS)
    assert tones(heard + silent) == [pytest.approx(hz, rel=0.002), 0]
    assert heard[0].cycle - start < 2 * BYTE_CYCLES + HZ // hz
    assert silent[0].cycle - chip.cycle < -99 * MS + HZ // hz + 2 * BYTE_CYCLES


def test_a_tone_that_changes_is_heard_to_change(power: Power) -> None:
    chip = speaker(power)
    heard = []
    for hz in (2_000, 2_200, 1_000, 8_000):
        order_tone(chip, HZ // 2 // hz)
        heard += watch_for(chip, 30 * MS)
    assert tones(heard) == [pytest.approx(hz, rel=0.005) for hz in (2_000, 2_200, 1_000, 8_000)]


def test_a_tone_too_short_for_a_second_look_is_heard_when_it_is_over(power: Power) -> None:
    chip = speaker(power)
    order_tone(chip, HZ // 2 // 1_000)
    heard = watch_for(chip, 4 * MS)
    order_tone(chip, 0)
    heard += watch_for(chip, 100 * MS)
    assert tones(heard) == [pytest.approx(1_000, rel=0.01), 0]


def test_a_speaker_that_is_merely_switched_is_on_and_off(power: Power) -> None:
    chip = speaker(power)
    order_tone(chip, 1)
    heard = watch_for(chip, 200 * MS)
    order_tone(chip, 0)
    heard += watch_for(chip, 10 * MS)
    assert tones(heard) == [1, 0]


def test_a_pin_that_is_not_a_speaker_tells_every_edge_of_a_tone(power: Power) -> None:
    chip = power("tone")
    chip.watch(9)
    watch_for(chip, MS)
    order_tone(chip, 8_000)
    edges = [event.cycle for event in watch_for(chip, 20 * MS) if event.kind is TraceEvent.LEVEL]
    assert {later - edge for edge, later in pairwise(edges)} == {8_000}


# --- flags of interrupts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", AVRS)
@pytest.mark.parametrize(
    ("program", "written", "answered"),
    [
        pytest.param("flags", (0x00, 0x01, 0x02, 0x04, 0x06), (7, 6, 5, 3, 1), id="timer: a one clears its flag alone"),
        pytest.param("ready", (0x00, 0x01, 0x02, 0x04, 0x07), (1, 0, 1, 1, 0), id="pin: a one clears its flag alone"),
        pytest.param("ready", (0x81, 0x01, 0x81), (2, 0, 2), id="EEPROM: asks as soon as it may"),
    ],
)
def test_flags_of_interrupts_are_those_of_the_data_sheet(
    power: Power, kind: str, program: str, written: tuple[int, ...], answered: tuple[int, ...]
) -> None:
    chip = power(program, kind)
    watch_for(chip, MS)
    chip.send(bytes(written))
    assert sent(watch_for(chip, 10 * MS)) == bytes(answered)


# --- interrupts off -----------------------------------------------------------------------------------------


def measured(power: Power, kind: str = "uno") -> AvrChip:
    """Start a measurement in a program that masks interrupts when it receives a byte."""
    chip = power("masked", kind)
    watch_for(chip, MS)
    chip.measure_interrupts_off()
    return chip


@pytest.mark.parametrize("kind", AVRS)
@pytest.mark.parametrize("count", [1, 2, 200])
def test_the_longest_time_with_interrupts_off_is_known_to_the_cycle(power: Power, kind: str, count: int) -> None:
    chip = measured(power, kind)
    chip.send(bytes((1, count, 1)))
    watch_for(chip, MS)
    first, in_, second, sei = 3 * count - 1, 1, 3 * count - 1, 1
    assert chip.longest_interrupts_off().cycles == first + in_ + second + sei
    assert chip.longest_interrupts_off(unpolled=True).cycles == in_ + second + sei


def test_it_is_known_where_the_longest_time_with_interrupts_off_began_and_ended(
    power: Power, programs: Callable[[str, str], Path]
) -> None:
    program = Disassembly.of(programs("masked", AVRS["uno"].mcu), "uno")
    chip = measured(power)
    chip.send(b"\x05")
    watch_for(chip, MS)
    found = chip.longest_interrupts_off()
    assert [program.instructions[at].mnemonic for at in found[1:]] == ["cli", "sei"]
    assert program.origin(found.began) == "main"
    chip.send(b"\x00")
    watch_for(chip, MS)
    found = chip.longest_interrupts_off()
    assert 1000 < found.cycles < 1100
    assert program.origin(found.began) == "PCINT0_vect"
    assert program.instructions[found.ended].mnemonic == "reti"


def test_interrupts_off_at_the_start_of_a_program_are_not_measured(power: Power) -> None:
    chip = measured(power)
    watch_for(chip, MS)
    assert chip.longest_interrupts_off().cycles == 0


def test_a_reset_ends_the_measurement_and_a_new_one_begins_at_zero(power: Power) -> None:
    chip = measured(power)
    chip.send(b"\x05")
    watch_for(chip, MS)
    before = chip.longest_interrupts_off()
    chip.reset(ResetCause.BUTTON)
    watch_for(chip, MS)
    chip.send(b"\x09")
    watch_for(chip, MS)
    assert chip.longest_interrupts_off() == before
    chip.measure_interrupts_off()
    assert chip.longest_interrupts_off().cycles == 0


def test_a_measurement_does_not_change_what_a_program_does(power: Power) -> None:
    traces = []
    for measures in (False, True):
        chip = power("follow")
        chip.watch(8)
        if measures:
            chip.measure_interrupts_off()
        trace = []
        for step in range(20):
            chip.pin(2, step % 2)
            trace += watch_for(chip, MS)
        traces.append(trace)
    assert len(traces[0]) == 19
    assert traces[0] == traces[1]


# --- the whole ----------------------------------------------------------------------------------------------


def test_the_same_inputs_make_the_same_trace_however_it_is_cut_into_runs(power: Power) -> None:
    traces = []
    for slice_cycles in (100 * MS, 7_777):
        chip = power("echo")
        other = power("follow")
        other.watch(8)
        trace = []
        for step in range(20):
            chip.send(bytes((step,)))
            other.pin(2, step % 2)
            until = chip.cycle + MS, other.cycle + MS
            while chip.cycle < until[0] or other.cycle < until[1]:
                trace += chip.run(min(until[0], chip.cycle + slice_cycles))
                trace += other.run(min(until[1], other.cycle + slice_cycles))
        traces.append(sorted(trace))
    assert len(traces[0]) >= 38
    assert [event[1:] for event in traces[0]] == [event[1:] for event in traces[1]]


def test_what_is_kept_without_power_is_kept(power: Power) -> None:
    chip = power("echo")
    assert chip.read_eeprom(0, 4) == b"\xff" * 4
    chip.write_eeprom(2, b"\x01\x02")
    chip.reset(ResetCause.POWER)
    assert chip.read_eeprom(0, 5) == b"\xff\xff\x01\x02\xff"


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.elf").write_bytes(b"not an elf")
    with pytest.raises(ConfigError, match=r"no\.elf: not a program"):
        AvrChip("uno", tmp_path / "no.elf")


# --- levels that are played ---------------------------------------------------------------------------------


def follower(power: Power) -> AvrChip:
    """Start the program in which pin 8 follows pin 2, which is low."""
    chip = power("follow")
    watch_for(chip, MS)
    chip.pin(2, 0)
    chip.watch(8)
    return chip


def test_levels_are_played_at_their_cycles_and_the_program_follows(power: Power) -> None:
    chip = follower(power)
    watch_for(chip, MS)
    start = chip.cycle
    wanted = [start + 1000, start + 3000, start + MS, start + 2 * MS]
    chip.play([(cycle, 2, (place + 1) % 2) for place, cycle in enumerate(wanted)])
    events = watch_for(chip, 3 * MS)
    assert levels(events, 8) == [1, 0, 1, 0]
    assert all(0 <= made - cycle <= 4 for made, cycle in zip(chip.played, wanted, strict=True))
    assert all(0 < event.cycle - cycle < 60 for event, cycle in zip(events, wanted, strict=True))


def test_two_levels_within_one_instruction_leave_the_last_one_and_an_interrupt(power: Power) -> None:
    chip = follower(power)
    watch_for(chip, MS)
    chip.play([(chip.cycle + 5000, 2, 1), (chip.cycle + 5000, 2, 0)])
    assert levels(watch_for(chip, MS), 8) == []
    assert chip.played[0] == chip.played[1]


def test_levels_that_are_played_take_the_place_of_those_that_are_still_to_come(power: Power) -> None:
    chip = follower(power)
    start = chip.cycle
    chip.play([(start + MS, 2, 1), (start + 3 * MS, 2, 0)])
    chip.play([(start + 2 * MS, 2, 1)])
    (event,) = watch_for(chip, 5 * MS)
    assert 0 < event.cycle - start - 2 * MS < 60
    assert len(chip.played) == 1


def test_levels_go_on_to_be_played_after_a_reset(power: Power) -> None:
    chip = follower(power)
    chip.play([(chip.cycle + 3 * MS, 2, 1)])
    chip.reset(ResetCause.BUTTON)
    assert levels(watch_for(chip, 5 * MS), 8) == [1]
