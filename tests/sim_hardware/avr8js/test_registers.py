"""Registers on both simulators, held to the data sheets: what is marked is what libsimavr 1.6 gets wrong.

The chapters are those of the ATmega328P's data sheet; the ATmega2560's has the same text.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from sim_hardware.avr.chip import ResetCause, TraceEvent
from sim_hardware.avr8js.node_process import FOLDER
from tests.sim_hardware.avr8js import monitor as m
from tests.sim_hardware.avr8js.monitor import Monitor, RunsChips

Start = Callable[..., Monitor]
SIMULATORS = ("avr8js", "simavr")
TIMER_ON, TIMER_OFF = 0b010, 0
"""TCCR1B: 16 MHz / 8, or no clock."""


def simavr_errs(reason: str) -> Any:
    """Mark a test that fails on libsimavr."""
    return pytest.mark.parametrize(
        "simulator", ["avr8js", pytest.param("simavr", marks=pytest.mark.xfail(reason=f"libsimavr 1.6: {reason}"))]
    )


@pytest.fixture(params=SIMULATORS)
def simulator(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["uno", "mega"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def monitor(simulator: str, kind: str, power: RunsChips, power_simavr: RunsChips) -> Monitor:
    run = {"avr8js": power, "simavr": power_simavr}[simulator]
    return Monitor(run("monitor", kind))


def pin_0_of_port_b(monitor: Monitor, level: int) -> None:
    """Change PB0, which is an output, so that the program itself causes its interrupt."""
    monitor.write(m.DDRB, 1)
    monitor.write(m.PORTB, level)


# --- GPIOR: 8.5 (I/O Memory) --------------------------------------------------------------------------------


def test_general_purpose_registers_keep_a_byte_and_are_zero_after_a_reset(monitor: Monitor) -> None:
    for register in m.GPIOR:
        monitor.write(register, 0xA5)
    assert [monitor.read(register) for register in m.GPIOR] == [0xA5] * 3
    monitor.chip.reset(ResetCause.BUTTON)
    monitor.wait(m.MS)
    assert [monitor.read(register) for register in m.GPIOR] == [0] * 3


# --- pin-change interrupts: 13.2 (PCICR, PCIFR, PCMSKn) -----------------------------------------------------


@simavr_errs("PCICR does not request an interrupt whose flag waits")
def test_the_flag_of_a_pin_change_is_set_while_its_interrupt_is_off_and_is_served_when_it_is_allowed(
    monitor: Monitor,
) -> None:
    monitor.set_interrupts(True)
    monitor.write(m.PCMSK0, 1)
    pin_0_of_port_b(monitor, 1)
    assert monitor.read(m.PCIFR) & 1
    assert monitor.served(m.PIN_CHANGE_0) == 0
    monitor.write(m.PCICR, 1)
    assert monitor.served(m.PIN_CHANGE_0) == 1
    assert not monitor.read(m.PCIFR) & 1


def test_a_pin_that_is_not_in_the_mask_sets_no_flag(monitor: Monitor) -> None:
    monitor.write(m.PCMSK0, 2)
    pin_0_of_port_b(monitor, 1)
    assert not monitor.read(m.PCIFR) & 1


def test_a_change_of_the_mask_loses_no_interrupt_that_waits(monitor: Monitor) -> None:
    monitor.write(m.PCICR, 1)
    monitor.write(m.PCMSK0, 1)
    pin_0_of_port_b(monitor, 1)
    monitor.write(m.PCMSK0, 2)
    monitor.write(m.PCMSK0, 0)
    monitor.set_interrupts(True)
    assert monitor.served(m.PIN_CHANGE_0) == 1


def test_a_match_is_served_after_a_storm_of_pin_changes_whose_flags_the_program_has_cleared(
    monitor: Monitor, kind: str
) -> None:
    monitor.write(m.PCICR, 1)
    monitor.write(m.PCMSK0, 1)
    for change in range(100):
        monitor.chip.pin({"uno": 8, "mega": 53}[kind], change % 2)
        monitor.write(m.PCIFR, 1)
    monitor.write(m.TIMSK1, 0b10)
    monitor.write_word(m.OCR1A, 10)
    monitor.write(m.TCCR1B, TIMER_ON)
    monitor.wait(m.MS)
    monitor.set_interrupts(True)
    assert monitor.served(m.COMPARE_A) == 1


def set_flags_0_and_2(monitor: Monitor, kind: str) -> None:
    """Change PB0, and PD2 of an Uno or PK0 of a Mega."""
    pin, bit = {"uno": (2, 0b100), "mega": (62, 0b001)}[kind]
    monitor.chip.pin(pin, 0)
    monitor.write(m.PCMSK0, 1)
    monitor.write(m.PCMSK2, bit)
    monitor.chip.pin(pin, 1)
    pin_0_of_port_b(monitor, 1)
    assert monitor.read(m.PCIFR) == 0b101


# libsimavr 1.6: a Mega's ports E, J and K have no pin-change interrupts.
@pytest.mark.parametrize(("simulator", "kind"), [("avr8js", "uno"), ("avr8js", "mega"), ("simavr", "uno")])
def test_a_one_clears_the_flag_of_a_pin_change_and_leaves_the_others(monitor: Monitor, kind: str) -> None:
    set_flags_0_and_2(monitor, kind)
    monitor.write(m.PCIFR, 1)
    assert monitor.read(m.PCIFR) == 0b100


@simavr_errs("SBI writes all flags that it has read")
def test_sbi_clears_the_flag_of_its_bit_alone(monitor: Monitor, kind: str) -> None:
    set_flags_0_and_2(monitor, kind)
    monitor.clear_by_sbi(m.PCIFR)
    assert monitor.read(m.PCIFR) == 0b100


@simavr_errs("a Mega's ports E, J and K have no pin-change interrupts")
@pytest.mark.parametrize("kind", ["mega"])
@pytest.mark.parametrize(("pin", "mask"), [(0, 1), (15, 2), (14, 4)], ids=["PE0", "PJ0", "PJ1"])
def test_the_second_group_of_pin_changes_of_a_mega_begins_with_pe0(monitor: Monitor, pin: int, mask: int) -> None:
    # ATmega2560, 15.2.8 (PCMSK1). PE0 is also the receiver's pin, on which no simulator shows the bytes.
    monitor.chip.pin(pin, 0)
    monitor.write(m.PCMSK1, mask)
    monitor.chip.pin(pin, 1)
    monitor.wait(m.MS)
    assert monitor.read(m.PCIFR) == 2


# --- external interrupts: 13.2 (EICRA, EIMSK, EIFR) ---------------------------------------------------------

INT0_PIN = {"uno": 2, "mega": 21}


def any_edge(monitor: Monitor, kind: str) -> int:
    """Configure INT0 for both edges, and hold its pin low; return the pin."""
    monitor.chip.pin(INT0_PIN[kind], 0)
    monitor.write(m.EICRA, 0b01)
    monitor.write(m.EIFR, 1)
    return INT0_PIN[kind]


@simavr_errs("sets INTFn only if EIMSK allows the interrupt")
def test_the_flag_of_an_edge_is_set_while_its_interrupt_is_off_and_is_served_when_it_is_allowed(
    monitor: Monitor, kind: str
) -> None:
    monitor.set_interrupts(True)
    pin = any_edge(monitor, kind)
    monitor.chip.pin(pin, 1)
    assert monitor.read(m.EIFR) == 1
    assert monitor.served(m.EXTERNAL_0) == 0
    monitor.write(m.EIMSK, 1)
    assert monitor.served(m.EXTERNAL_0) == 1
    assert monitor.read(m.EIFR) == 0


def test_a_one_clears_the_flag_of_an_edge_and_a_zero_leaves_it(monitor: Monitor, kind: str) -> None:
    pin = any_edge(monitor, kind)
    monitor.write(m.EIMSK, 1)
    monitor.chip.pin(pin, 1)
    monitor.write(m.EIFR, 2)
    assert monitor.read(m.EIFR) == 1
    monitor.write(m.EIFR, 1)
    assert monitor.read(m.EIFR) == 0
    monitor.set_interrupts(True)
    assert monitor.served(m.EXTERNAL_0) == 0


# --- the instruction behind SEI: 7.7 (Reset and Interrupt Handling) -----------------------------------------


def test_one_more_instruction_runs_behind_sei_before_an_interrupt(monitor: Monitor) -> None:
    monitor.write(m.PCICR, 1)
    monitor.write(m.PCMSK0, 1)
    pin_0_of_port_b(monitor, 1)
    assert monitor.ask(ord("s")) == 0
    assert monitor.served(m.PIN_CHANGE_0) == 1


# --- timer 1: 16.11 (TIFR1), 16.8 (Compare Match Output Unit), 16.11.3 (TCCR1C) -----------------------------

OC1B_PIN = {"uno": 10, "mega": 12}
OC1C_PIN = 13


def start_timer(monitor: Monitor, at: int = 0) -> None:
    monitor.write_word(m.TCNT1, at)
    monitor.write(m.TCCR1B, TIMER_ON)


def watch_output(monitor: Monitor, pin: int) -> None:
    """Make PB2, PB6 and PB7 outputs at zero, and watch one of them."""
    monitor.chip.watch(pin)
    monitor.write(m.DDRB, 0b1100_0100)


def set_flags_of_match_a_and_overflow(monitor: Monitor) -> None:
    monitor.write_word(m.OCR1A, 10)
    monitor.write_word(m.OCR1B, 0x8000)
    monitor.write(m.TCCR1B, TIMER_ON)
    monitor.write_word(m.TCNT1, 0xFF00)
    monitor.wait(m.MS)
    assert monitor.read(m.TIFR1) & 0b111 == 0b011


def test_a_one_clears_the_flag_of_a_compare_match_and_leaves_that_of_the_overflow(monitor: Monitor) -> None:
    set_flags_of_match_a_and_overflow(monitor)
    monitor.write(m.TIFR1, 0b010)
    assert monitor.read(m.TIFR1) & 0b111 == 0b001


@simavr_errs("SBI writes all flags that it has read")
def test_sbi_clears_the_flag_of_a_compare_match_alone(monitor: Monitor) -> None:
    set_flags_of_match_a_and_overflow(monitor)
    monitor.clear_by_sbi(m.TIFR1)
    assert monitor.read(m.TIFR1) & 0b111 == 0b001


@simavr_errs("a count that is written to a timer without a clock is lost")
def test_a_timer_starts_at_the_count_that_it_was_given_while_it_had_no_clock(monitor: Monitor) -> None:
    start_timer(monitor, 0xFF00)
    monitor.wait(m.MS)
    assert monitor.read(m.TIFR1) & 0b001


def test_every_compare_match_toggles_its_pin_by_itself(monitor: Monitor, kind: str) -> None:
    watch_output(monitor, OC1B_PIN[kind])
    monitor.write_word(m.OCR1B, 1_000)
    monitor.write(m.TCCR1A, 0b0001_0000)
    start_timer(monitor)
    edges = [event.cycle for event in monitor.wait(300 * m.MS) if event.pin == OC1B_PIN[kind]]
    assert len(edges) >= 9
    assert all(later - edge == pytest.approx(0x10000 * 8, abs=1) for edge, later in pairwise(edges))


@simavr_errs("has no force bits in TCCR1C")
def test_a_forced_match_toggles_the_pin_at_once_and_sets_no_flag(monitor: Monitor, kind: str) -> None:
    watch_output(monitor, OC1B_PIN[kind])
    monitor.write(m.TCCR1A, 0b0001_0000)
    for _ in range(3):
        monitor.write(m.TCCR1C, 0b0100_0000)
    assert monitor.levels(OC1B_PIN[kind]) == [1, 0, 1]
    assert not monitor.read(m.TIFR1) & 0b100
    assert monitor.read(m.TCCR1C) == 0


def test_a_forced_match_of_a_unit_that_is_not_connected_changes_nothing(monitor: Monitor, kind: str) -> None:
    watch_output(monitor, OC1B_PIN[kind])
    monitor.write(m.TCCR1C, 0b0100_0000)
    monitor.write(m.PORTB, 0b0100_0100)
    assert monitor.levels(OC1B_PIN[kind]) == [1]


@simavr_errs("has no output latch: the pin shows the bit of PORTB")
def test_a_pin_that_is_connected_shows_the_latch_of_its_unit_and_not_the_bit_of_its_port(
    monitor: Monitor, kind: str
) -> None:
    watch_output(monitor, OC1B_PIN[kind])
    monitor.write(m.PORTB, 0b0100_0100)
    monitor.write(m.TCCR1A, 0b0001_0000)  # the latch is zero after a reset
    assert monitor.levels(OC1B_PIN[kind]) == [1, 0]
    monitor.write(m.TCCR1C, 0b0100_0000)
    monitor.write(m.TCCR1A, 0)
    monitor.write(m.PORTB, 0)
    monitor.write(m.TCCR1A, 0b0001_0000)  # and keeps its level while it is not connected
    assert monitor.levels(OC1B_PIN[kind]) == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("kind", ["mega"])
def test_the_third_unit_of_a_mega_has_a_pin_and_an_interrupt_flag(monitor: Monitor) -> None:
    watch_output(monitor, OC1C_PIN)
    monitor.write_word(m.OCR1C, 1_000)
    monitor.write(m.TCCR1A, 0b0000_0100)
    start_timer(monitor)
    edges = [event.cycle for event in monitor.wait(200 * m.MS) if event.pin == OC1C_PIN]
    assert all(later - edge == pytest.approx(0x10000 * 8, abs=1) for edge, later in pairwise(edges))
    monitor.write(m.TIFR1, 0b0111)
    assert monitor.read(m.TIFR1) & 0b1000
    monitor.write(m.TIFR1, 0b1000)
    assert not monitor.read(m.TIFR1) & 0b1000


@simavr_errs("TIMSK1 does not request an interrupt whose flag waits")
def test_a_compare_match_that_waits_is_served_once_it_is_allowed(monitor: Monitor) -> None:
    monitor.set_interrupts(True)
    monitor.write_word(m.OCR1B, 100)
    start_timer(monitor)
    monitor.wait(m.MS)
    monitor.write(m.TCCR1B, TIMER_OFF)
    assert monitor.served(m.COMPARE_B) == 0
    monitor.write(m.TIMSK1, 0b100)
    assert monitor.served(m.COMPARE_B) == 1


# --- ports: 14.2.2 (Toggling the Pin) -----------------------------------------------------------------------


def test_a_one_written_to_pinx_toggles_that_output_alone(monitor: Monitor) -> None:
    monitor.write(m.DDRB, 0b0011)
    monitor.write(m.PORTB, 0b0001)
    monitor.write(m.PINB, 0b0011)
    assert monitor.read(m.PORTB) == 0b0010


# --- the serial port: chapter 20 (USART0) -------------------------------------------------------------------


@simavr_errs("a byte begins when the program writes it, not when the one before has ended")
def test_two_bytes_in_a_row_are_sent_without_a_gap(monitor: Monitor) -> None:
    monitor.chip.send(b"q")
    sent = [event for event in monitor.wait(m.MS) if event.kind is TraceEvent.BYTE]
    assert [event.value for event in sent] == [0x55, 0xAA, 0]
    assert sent[1].cycle - sent[0].cycle == 320


@pytest.mark.parametrize("kind", ["uno", "mega"])
def test_a_host_that_is_too_fast_for_a_listener_is_read_as_one_byte_without_a_stop_bit(
    power: RunsChips, kind: str
) -> None:
    listener = power("listen", kind)
    listener.run(m.MS)
    listener.send(frame.encode(wire.GET_HELLO.pack()))  # five bytes of 20 us, while one of the listener takes 85 us
    listener.run(listener.cycle + m.MS)
    count, flags, value = (listener.read_memory(register, 1)[0] for register in m.GPIOR)
    assert count == 1
    assert flags & 0b0001_0000, "no framing error"
    assert value & ~0b0100_0010 == 0x18, "two bits lie on edges, and depend on when the byte began"


# --- the watchdog: 11.9 (MCUSR, WDTCSR) ---------------------------------------------------------------------


def test_after_its_reset_the_watchdog_runs_on_with_its_shortest_time_until_the_program_stops_it(
    monitor: Monitor,
) -> None:
    monitor.chip.send(b"d")
    resets = [event for event in monitor.wait(100 * m.MS) if event.kind is TraceEvent.RESET]
    assert len(resets) == 6
    assert all(event.value & 8 for event in resets)
    assert all(15 * m.MS < later.cycle - event.cycle < 18 * m.MS for event, later in pairwise(resets))


def test_the_lock_file_names_no_registry() -> None:
    assert "http" not in (FOLDER / "package-lock.json").read_text()
