"""What a Pico samples: voltages at its converter, and the steps of encoders at two pins."""

from pathlib import Path
from typing import Any

import pytest

from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import AnalogSource, EncoderSource, Output, Source, Threshold
from rig.core.model.channels import Role
from rig.testing import run_session, set_value
from sim_hardware.avr.chip import HZ
from sim_hardware.rp2040.firmware_chip import firmware_on_rp2040js
from tests.avr_tools import need_pico_tools
from tests.sampled_lab import write_lab
from tests.sim_hardware.avr.line import Line

pytestmark = pytest.mark.slow

MS = HZ // 1000
LEVER, WHEEL = AnalogSource("lever", 26, 1_000), EncoderSource("wheel", 4, 5, 10_000)
VALVE = Output("valve", Role.LINE, 8, max_on_us=100_000)
FAR = Threshold("wheel", "far", 0, 0, 0, source="wheel", below=50, above=100)
PRESSED = Threshold("lever", "pressed", 0, 0, 0, source="lever", below=400, above=600)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_pico_tools()


def board(*sources: Source) -> Line:
    line = Line("pico", (VALVE, FAR, PRESSED), lambda kind, baud, _: firmware_on_rp2040js(kind, baud, 0), sources)
    line.open()
    return line


def blocks(line: Line, number: int) -> list[tuple[Any, ...]]:
    return [told for told in line.answers if told[0] in (wire.SAMPLES.code, wire.COUNTS.code) and told[1] == number]


def values(line: Line, number: int) -> list[int]:
    return [value for block in blocks(line, number) for value in block[-1]]


def test_a_voltage_is_sampled_at_its_times_without_a_gap() -> None:
    line = board(LEVER, WHEEL)
    for value in (0, 1, 2048, 4095, 5000, -3):
        line.chip.set_voltage(26, value)
        line.run(53 * MS)
    told = blocks(line, 0)
    assert [(block[2], block[3], block[5]) for block in told] == [(number, 0, 2_000) for number in range(len(told))]
    stamps = [block[4] for block in told]
    assert [stamp - stamps[0] for stamp in stamps] == [number * 51 * 2_000 for number in range(len(told))]
    changes = [now for before, now in zip([-1, *values(line, 0)], values(line, 0), strict=False) if before != now]
    assert changes == [0, 1, 2048, 4095, 0]


@pytest.mark.parametrize("pins", [(4, 5), (5, 4)])
def test_an_encoder_is_counted_in_both_directions(pins: tuple[int, int]) -> None:
    line = board(LEVER, EncoderSource("wheel", *pins, 1_000))
    for steps in (1, -1, 1000, -3000, 7):
        line.chip.turn(*pins, steps)
        line.run(26 * MS)
    line.run(26 * MS)
    counts = values(line, 1)
    assert [count for count in dict.fromkeys(counts) if counts.count(count) > 20] == [0, 1, 1000, -2000, -1993]


def test_an_encoder_counts_from_0_whatever_it_has_turned_before() -> None:
    line = board(LEVER, WHEEL)
    line.chip.turn(4, 5, 77)
    line.run(5 * MS)
    line.open()
    line.chip.turn(4, 5, 3)
    line.run(110 * MS)
    assert values(line, 1)[-1] == 3


def cycle_of(line: Line, stamp: int) -> int:
    """Return the last cycle at which the low half of the board's time was that of a stamp."""
    zero, period = line.chip.timer("1")
    return line.chip.cycle - (line.chip.cycle - zero - stamp * (HZ // 2_000_000)) % period


@pytest.mark.parametrize(("threshold", "pins", "value"), [("lever.pressed", (26,), 700), ("wheel.far", (4, 5), 150)])
def test_a_threshold_drives_its_output_10_us_after_its_sample(
    threshold: str, pins: tuple[int, ...], value: int
) -> None:
    line = board(LEVER, EncoderSource("wheel", 4, 5, 1_000))
    line.order(Arm(1, None, ((threshold, 1, Pulse("valve", 1_000)),)))
    line.run(MS // 3)
    before = line.chip.cycle
    (line.chip.turn if len(pins) == 2 else line.chip.set_voltage)(*pins, value)
    line.run(3 * MS)
    on = next(cycle for cycle, which, _ in line.levels if which == VALVE.pin)
    (stamp,) = {told[4] for told in line.answers if told[0] == wire.EDGE.code}
    sampled = cycle_of(line, stamp)
    assert before < sampled < before + 1.1 * MS
    assert 0 < on - sampled <= 10 * HZ // 1_000_000


def test_a_session_has_the_same_rows_and_values_as_on_the_board_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    room = write_lab(tmp_path) / "room.yaml"
    room.write_text(room.read_text().replace("pin: 14", "pin: 26"))
    moves = [set_value(0.5, "lever", 20), set_value(1.2, "wheel", 1000), set_value(1.5, "wheel", -7)]
    sim, pico = (run_session("treadmill.yaml", moves, stop={"session_s": 2}, board=name) for name in ("sim", "pico"))
    ((row,), (same,)) = sim.rows, pico.rows
    assert (same.outcome, same.delivered_by, same.rewarded) == (row.outcome, row.delivered_by, row.rewarded)
    # The phase of a period is that of the order.
    assert same.pressed_s == pytest.approx(row.pressed_s, abs=0.001)
    assert same.far_s == pytest.approx(row.far_s, abs=0.010)
    assert [(edge.channel, edge.level) for edge in pico.edges] == [(edge.channel, edge.level) for edge in sim.edges]
