"""The firmware on the second simulator, where the contract of all boards does not reach."""

import pytest

from rig.boards.chips import CHIPS
from rig.core.model.actions import Arm, Pulse, Set, Tone
from rig.core.model.board import Input
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ, Event, TraceEvent
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from tests.sim_hardware.avr.line import Line
from tests.sim_hardware.avr.test_noise import Amount, endure
from tests.sim_hardware.avr8js.pin_bench import (
    CONFIRM_US,
    KINDS,
    MAKE_CHIP,
    MS,
    PULSE_US,
    REFLEX_US,
    SPEAKER_PIN,
    STAMP_US,
    US,
    VALVE_PIN,
    Bench,
    edges_of,
)


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


def test_a_reflex_follows_its_edge_and_its_pulse_has_its_length(bench: Bench) -> None:
    bench.order(Arm(1, None, (("beam", 1, Pulse("valve", 20_000)),)))
    bench.chip.pin(bench.pin, 1)
    edge = bench.chip.cycle
    bench.wait(50 * MS)
    (on, _), (off, _) = bench.changes(VALVE_PIN)
    assert 0 <= on - edge - CONFIRM_US * US <= REFLEX_US * US
    assert off - on == pytest.approx(20_000 * US, abs=PULSE_US * US)
    ((stamp, level),) = bench.edges()
    assert level == 1
    assert stamp == pytest.approx(bench.session_us(edge), abs=STAMP_US)


def test_a_single_level_shorter_than_the_confirmation_opens_nothing(bench: Bench) -> None:
    bench.order(Arm(1, None, (("beam", 1, Pulse("valve", 20_000)),)))
    for _ in range(20):
        bench.chip.pin(bench.pin, 1)
        bench.wait(30 * US)
        bench.chip.pin(bench.pin, 0)
        bench.wait(20 * MS)
    assert bench.changes(VALVE_PIN) == []


def test_a_pulse_ends_in_time_while_an_input_changes_at_ten_kilohertz(bench: Bench) -> None:
    bench.order(Pulse("valve", 20_000))
    bench.square_wave(half_us=50, for_ms=30)
    (on, _), (off, _) = bench.changes(VALVE_PIN)
    assert off - on == pytest.approx(20_000 * US, abs=PULSE_US * US)


def test_a_tone_has_its_frequency_on_average(bench: Bench) -> None:
    bench.order(Tone("speaker", 1_000, 500_000))
    bench.wait(300 * MS)
    rises = [cycle for cycle, level in bench.changes(SPEAKER_PIN) if level]
    assert len(rises) > 200
    assert (len(rises) - 1) * HZ / (rises[-1] - rises[0]) == pytest.approx(1_000, rel=0.002)


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_program_that_hangs_lets_go_of_its_outputs_within_a_quarter_of_a_second(
    bench: Bench, interrupts: bool
) -> None:
    bench.order(Set("valve", True))
    bench.order(Tone("speaker", 500, 900_000))
    bench.chip.hang(interrupts=interrupts)
    hung, events = bench.chip.cycle, list[Event]()
    while bench.chip.cycle < hung + 400 * MS:
        events += bench.chip.run(hung + 400 * MS)
    last = {event.pin: event for event in events if event.kind is TraceEvent.LEVEL}
    assert last[VALVE_PIN].value == last[SPEAKER_PIN].value == 0
    assert last[VALVE_PIN].cycle - hung <= 270 * MS
    assert last[SPEAKER_PIN].cycle - hung <= 270 * MS
    assert [event.kind for event in events].count(TraceEvent.RESET) == (not interrupts)


@pytest.mark.parametrize("make_chip", [MAKE_CHIP, firmware_on_simavr], ids=["avr8js", "simavr"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_pin_that_can_be_an_input_reports_its_edges(kind: str, make_chip: MakeChip) -> None:
    pins = [pin for pin in CHIPS[kind].pins if CHIPS[kind].can_be_input(pin)]
    for first in range(0, len(pins), 10):
        chosen = pins[first : first + 10]
        line = Line(kind, [Input(f"pin{pin}", Role.LINE, pin, 0, 0, 0) for pin in chosen], make_chip)
        for pin in chosen:
            line.chip.pin(pin, 0)
        line.open()
        for pin in chosen:
            line.chip.pin(pin, 1)
            line.run(2 * MS)
        assert {channel for channel, _, _ in edges_of(line)} == set(range(len(chosen)))


@pytest.mark.parametrize("kind", KINDS)
def test_nonsense_on_the_line_opens_nothing_and_hangs_nothing(kind: str) -> None:
    endure(kind, Amount(25_000, 250, 250), MAKE_CHIP)
