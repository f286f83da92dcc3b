"""What only a Pico has: its loader, its flash, its serial port, and how it starts again."""

from pathlib import Path

import pytest

from rig.boards.wire import messages as wire
from rig.core.errors import ConfigError
from rig.core.model.actions import Arm, Pulse, Set
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ, ResetCause, TraceEvent
from sim_hardware.avr.firmware import firmware_image
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.rp2040.firmware_chip import firmware_on_rp2040js
from tests.avr_tools import need_pico_tools
from tests.sim_hardware.avr.line import Line

CHANNELS = (
    Input("plain", Role.LINE, 2, 0, 0, 0),
    Input("last", Role.LINE, 28, 0, 0, 0),
    Output("valve", Role.LINE, 8, max_on_us=100_000),
    Output("light", Role.LINE, 22, inverted=True),
)
US = HZ // 1_000_000
BOOT_CYCLES = HZ // 20
COUNTER_AT = 0x1F_F000
"""The last sector of the flash, which counts power-ons."""


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_pico_tools()


def board(seed: int = 0) -> Line:
    return Line("pico", CHANNELS, lambda kind, baud, _: firmware_on_rp2040js(kind, baud, seed))


def start_again(line: Line, cause: ResetCause) -> None:
    """Reset a chip, and let it start; what it said before is forgotten."""
    line.chip.reset(cause)
    line.chip.run(line.chip.cycle)
    line.run(BOOT_CYCLES)


def test_an_edge_reaches_its_pin_within_13_us() -> None:
    line = board()
    line.open()
    for pin, name in ((2, "plain"), (28, "last")):
        line.order(Arm(1, None, ((name, 1, Pulse("valve", 1_000)),)))
        line.levels.clear()
        edge = line.chip.cycle
        line.chip.pin(pin, 1)
        line.run(HZ // 500)
        (on, off) = [cycle for cycle, which, _ in line.levels if which == 8]
        assert 0 < on - edge <= 13 * US
        assert off - on == pytest.approx(1_000 * US, abs=4 * US)


def test_levels_are_played_at_their_cycles_in_the_place_of_those_that_are_still_to_come() -> None:
    line = board()
    line.open()
    line.order(Arm(1, None, (("plain", 1, Pulse("valve", 100)),)))
    start = line.chip.cycle
    line.chip.play([(start + 500 * US, 2, 1)])
    wanted = [start + 1_000 * US, start + 1_000 * US + 37, start + 3_000 * US]
    line.chip.play([(cycle, 2, level) for cycle, level in zip(wanted, (1, 0, 1), strict=True)])
    line.run(4_000 * US)
    assert [made - cycle for made, cycle in zip(line.chip.played, wanted, strict=True)] == [0, 0, 0]
    on, _ = [cycle for cycle, which, _ in line.levels if which == 8]
    assert 0 < on - wanted[0] <= 13 * US


def test_a_power_loss_is_counted_and_a_reset_is_not() -> None:
    line = board()
    first = line.hello()
    counts = []
    for cause in (ResetCause.BUTTON, ResetCause.POWER, ResetCause.BUTTON, ResetCause.POWER, ResetCause.POWER):
        start_again(line, cause)
        told = line.hello()
        counts.append((told.power_ons - first.power_ons, told.reset))
        assert told.opened.uid == first.opened.uid
    assert counts == [(0, "button"), (1, "power"), (1, "button"), (2, "power"), (3, "power")]


@pytest.mark.parametrize("before", [b"\0" * 4096, bytes(range(256)) * 16, b"\0" * 4095 + b"\x80"])
def test_a_count_of_another_program_begins_again(before: bytes, tmp_path: Path) -> None:
    image = firmware_image("pico-uart").read_bytes()
    (tmp_path / "used.bin").write_bytes(image.ljust(COUNTER_AT, b"\xff") + before)
    line = Line("pico", CHANNELS, lambda kind, baud, seed: Avr8jsChip(kind, [tmp_path / "used.bin"], seed=seed))
    counts = [line.hello().power_ons]
    for _ in range(2):
        start_again(line, ResetCause.POWER)
        counts.append(line.hello().power_ons)
    assert [count - counts[0] for count in counts] == [0, 1, 2]


def test_two_boards_have_two_ids() -> None:
    assert board(1).hello().opened.uid != board(2).hello().opened.uid


def test_a_program_that_hangs_starts_again_with_its_outputs_at_rest() -> None:
    line = board()
    line.open()
    line.order(Set("light", True), Set("valve", True))
    line.chip.hang(interrupts=False)
    events, until = [], line.chip.cycle + HZ // 5
    while line.chip.cycle < until:
        events += line.chip.run(until)
    assert [event.kind for event in events].count(TraceEvent.RESET) == 1
    # A pin that is no output has the level of its resistor.
    assert {event.pin: event.value for event in events if event.kind is TraceEvent.LEVEL} == {8: 0}
    line.run(BOOT_CYCLES)
    assert line.hello().reset == "watchdog"


def test_a_host_of_another_speed_finds_nothing_that_it_understands() -> None:
    slow = firmware_on_rp2040js("pico", 115_200, 0)
    slow.run(HZ // 20)
    slow.send(b"\0" + wire.GET_HELLO.pack() + b"\0")
    assert b"pico" not in bytes(event.value for event in slow.run(slow.cycle + HZ // 20))


def test_an_image_whose_loader_is_damaged_does_not_start(tmp_path: Path) -> None:
    image = bytearray(firmware_image().read_bytes())
    image[7] ^= 1
    (tmp_path / "bad.bin").write_bytes(image)
    with pytest.raises(ConfigError, match="boot2 has a wrong checksum"):
        Avr8jsChip("pico", [tmp_path / "bad.bin"])


def test_another_chip_than_that_of_a_pico_is_refused() -> None:
    with pytest.raises(ConfigError, match="the rig file names the chip of an Arduino uno"):
        firmware_on_rp2040js("uno", 500_000, 0)
