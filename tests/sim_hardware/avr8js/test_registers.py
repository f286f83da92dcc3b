"""Registers on both simulators, held to the data sheets: what is marked is what libsimavr 1.6 gets wrong.

The chapters are those of the ATmega328P's data sheet; the ATmega2560's has the same text.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from sim_hardware.avr.chip import ResetCause, TraceEvent
from sim_hardware.avr8js.node_process import FOLDER
from tests.sim_hardware.avr8js import monitor as m
from tests.sim_hardware.avr8js.monitor import Monitor, RunsChips

SIMULATORS = ("avr8js", "simavr")
TIMER_ON = 0b010
"""TCCR1B: 16 MHz / 8."""


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


PINS = {
    "uno": {"INT0": 2, "OC1B": 10, "OTHER": 2},
    "mega": {"INT0": 21, "OC1B": 12, "OTHER": 62, "PE0": 0, "PJ0": 15, "PJ1": 14},
}
"""Pins by their names; OTHER is PD2 of an Uno and PK0 of a Mega, both in the third group of pin changes."""
OTHER_BIT = {"uno": 0b100, "mega": 0b001}
CASES = yaml.safe_load(Path(__file__).with_name("registers.yaml").read_text(encoding="utf-8"))


def programs_as_steps() -> Iterator[Any]:
    for case in CASES:
        for kind in case.get("kinds", PINS):
            for simulator in SIMULATORS:
                errs = "errs" in case and simulator == "simavr"
                marks = [pytest.mark.xfail(reason=f"libsimavr 1.6: {case['errs']}")] if errs else []
                name = f"{case['case']} [{simulator} {kind}]"
                yield pytest.param(case["steps"], simulator, kind, marks=marks, id=name)


def take_step(monitor: Monitor, kind: str, step: str) -> object:
    """Take a step; return what the monitor answers."""
    verb, *words = step.split()
    if words and words[0] == "=":
        return monitor.chip.pin(PINS[kind][verb], int(words[1]))
    names = {**vars(m), "OTHER_BIT": OTHER_BIT[kind], **PINS[kind]}
    values = [names[word] if word in names else int(word, 0) if word[0].isdigit() else word for word in words]
    if verb == "read" and len(words) == 3:
        return monitor.read(values[0]) & values[2]
    steps: dict[str, Callable[..., object]] = {
        "write": monitor.write,
        "word": monitor.write_word,
        "read": monitor.read,
        "wait": lambda ms: monitor.wait(ms * m.MS),
        "ask": lambda character: monitor.ask(ord(character)),
        "sbi": monitor.clear_by_sbi,
        "interrupts": lambda: monitor.set_interrupts(True),
        "served": monitor.served,
        "reset": lambda: monitor.chip.reset(ResetCause.BUTTON),
        "watch": monitor.chip.watch,
        "levels": lambda pin: " ".join(map(str, monitor.levels(pin))),
        "pb0": lambda level: (monitor.write(m.DDRB, 1), monitor.write(m.PORTB, level)),
    }
    return steps[verb](*values)


@pytest.mark.parametrize(("steps", "simulator", "kind"), list(programs_as_steps()))
def test_registers_do_what_the_data_sheets_say(steps: list[str], monitor: Monitor, kind: str) -> None:
    for step in steps:
        order, _, wanted = step.partition(" is ")
        answer = take_step(monitor, kind, order)
        if wanted:
            assert answer == (wanted if order.startswith("levels") else int(wanted, 0)), step


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


OC1C_PIN = 13


def start_timer(monitor: Monitor, at: int = 0) -> None:
    monitor.write_word(m.TCNT1, at)
    monitor.write(m.TCCR1B, TIMER_ON)


def watch_output(monitor: Monitor, pin: int) -> None:
    """Make PB2, PB6 and PB7 outputs at zero, and watch one of them."""
    monitor.chip.watch(pin)
    monitor.write(m.DDRB, 0b1100_0100)


def test_every_compare_match_toggles_its_pin_by_itself(monitor: Monitor, kind: str) -> None:
    watch_output(monitor, PINS[kind]["OC1B"])
    monitor.write_word(m.OCR1B, 1_000)
    monitor.write(m.TCCR1A, 0b0001_0000)
    start_timer(monitor)
    edges = [event.cycle for event in monitor.wait(300 * m.MS) if event.pin == PINS[kind]["OC1B"]]
    assert len(edges) >= 9
    assert all(later - edge == pytest.approx(0x10000 * 8, abs=1) for edge, later in pairwise(edges))


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


@pytest.mark.parametrize(
    "simulator",
    [
        "avr8js",
        pytest.param("simavr", marks=pytest.mark.xfail(reason="libsimavr 1.6: a byte begins when it is written")),
    ],
)
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
