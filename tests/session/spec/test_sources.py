"""What a board samples: names, thresholds, number and share of the line are checked at the line of the device."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.session.spec.build import load_rig_spec

OWN = '''
"""A joystick."""

from pydantic import Field

from rig.core.model.board import AnalogSource, Threshold
from rig.devices.base import Device, DeviceConfig, Pin


class Config(DeviceConfig):
    """A joystick in the rig file."""

    pin: Pin = Field(description="the pin of its axis")
    source: str = Field(description="the name of the source")
    compared: str = Field(description="the source of the threshold")
    period_us: int = Field(default=1000, description="the period")


class Joystick(Device):
    """A joystick of one axis."""

    Config = Config

    def __init__(self, name, config):
        super().__init__(name)
        self.axis = AnalogSource(config.source, config.pin, config.period_us)
        self.far = Threshold(name, "far", 0, 0, 0, source=config.compared, below=1, above=2)
'''
JOYSTICK = "{{kind: ./joystick.py:Joystick, pin: {}, source: {}, compared: {}}}"
LEVER = "{{kind: analog_input, pin: {}, period_ms: {}}}"


def rig(folder: Path, *devices: str, board: str = "driver: sim") -> str:
    """Write a rig whose devices are ``d0``, ``d1``, ... on lines 3, 4, ..."""
    (folder / "joystick.py").write_text(OWN.lstrip())
    sections = "".join(f"  d{number}: {device}\n" for number, device in enumerate(devices))
    path = folder / "room.yaml"
    path.write_text(f"boards: {{sim: {{{board}}}}}\ndevices:\n{sections}")
    return str(path)


def mistakes(path: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_rig_spec(path)
    return [mistake.partition("room.yaml:")[2] for mistake in caught.value.mistakes]


@pytest.mark.parametrize("name", ["joy.x", "../joy", "Joy", "1joy", "_joy", "joy x", ""])
def test_a_source_whose_name_can_be_no_part_of_a_file_name_is_refused(tmp_path: Path, name: str) -> None:
    path = rig(tmp_path, LEVER.format(14, 1), JOYSTICK.format(30, f'"{name}"', f'"{name}"'))
    assert mistakes(path) == [
        f"4: devices.d1: its source is called '{name}': a name is small letters, digits and _, a letter first, "
        "such as d1_x"
    ]


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    path = rig(tmp_path, LEVER.format(14, 1), JOYSTICK.format(30, "d0", "d0"), JOYSTICK.format(31, "d2", "d2"))
    assert mistakes(path) == [
        "4: devices.d1: its source 'd0' has the name of a source of 'd0': begin it with the device's name, such as d1_x"
    ]


def test_a_threshold_on_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = rig(tmp_path, LEVER.format(14, 1), JOYSTICK.format(30, "d1_x", "nope"))
    assert mistakes(path) == [
        "4: devices.d1: the threshold d1.far is on a source 'nope', which the rig lacks; it has: d0, d1_x"
    ]


def test_a_threshold_may_be_on_a_source_of_another_device(tmp_path: Path) -> None:
    wiring = load_rig_spec(rig(tmp_path, LEVER.format(14, 1), JOYSTICK.format(30, "d1_x", "d0"))).wiring
    assert [source.name for source in wiring.sources] == ["d0", "d1_x"]


@pytest.mark.parametrize("period_us", [0, -1, 99, 1_000_001])
def test_a_source_of_ones_own_has_the_bounds_of_a_period(tmp_path: Path, period_us: int) -> None:
    path = rig(tmp_path, JOYSTICK.format(30, "d0", f"d0, period_us: {period_us}"))
    assert mistakes(path) == [
        f"3: devices.d0: its source 'd0' is sampled every {period_us} us: wanted 100 to 1000000 us"
    ]


# --- the room for them ------------------------------------------------------------------------------------------


def test_a_simulated_board_has_room_for_eight(tmp_path: Path) -> None:
    levers = [LEVER.format(30 + number, 10) for number in range(10)]
    assert len(load_rig_spec(rig(tmp_path, *levers[:8])).wiring.sources) == 8
    assert mistakes(rig(tmp_path, *levers)) == [
        "11: devices.d8: the rig has 10 inputs to sample, and its board has room for 8: remove 2"
    ]


def test_the_number_for_a_real_board_is_left_to_the_board(tmp_path: Path) -> None:
    levers = [LEVER.format(30 + number, 10) for number in range(10)]
    assert len(load_rig_spec(rig(tmp_path, *levers, board="driver: serial")).wiring.sources) == 10


def test_all_sources_together_may_take_half_of_the_line(tmp_path: Path) -> None:
    fast, slow = LEVER.format(14, 0.1), LEVER.format(15, 3)
    assert len(load_rig_spec(rig(tmp_path, fast, slow)).wiring.sources) == 2
    assert mistakes(rig(tmp_path, fast, slow, LEVER.format(16, 1))) == [
        "2: devices: the inputs to sample take 27408 bytes/s of the line (d0 24118, d1 879, d2 2412), and at most "
        "25000 are for them, half of the line at baud 500000: make their period longer, or sample fewer"
    ]


def test_a_slower_line_has_room_for_less(tmp_path: Path) -> None:
    lever = LEVER.format(14, 0.5)
    assert len(load_rig_spec(rig(tmp_path, lever, board="driver: serial, baud: 115200")).wiring.sources) == 1
    (said,) = mistakes(rig(tmp_path, lever, board="driver: serial, baud: 57600"))
    assert "at most 2880 are for them, half of the line at baud 57600" in said


# --- a chip that samples ------------------------------------------------------------------------------------

ENCODER = "{{kind: encoder, pin_a: {}, pin_b: {}, period_ms: 10}}"
PRESSED = "{{kind: analog_input, pin: {}, thresholds: {{pressed: {{above: {}, below: {}}}}}}}"


@pytest.mark.parametrize("board", ["driver: sim, chip: pico", "driver: serial, chip: pico", "driver: pico"])
def test_a_pico_samples_three_voltages_and_four_encoders(tmp_path: Path, board: str) -> None:
    voltages = [PRESSED.format(pin, 4095, 0) for pin in (26, 27, 28)]
    encoders = [ENCODER.format(*pins) for pins in ((2, 3), (5, 4), (21, 22), (10, 11))]
    wiring = load_rig_spec(rig(tmp_path, *voltages, *encoders, board=board)).wiring
    assert len(wiring.sources) == 7


@pytest.mark.parametrize(
    ("device", "said"),
    [
        (LEVER.format(22, 1), "pin 22 of a Raspberry Pi Pico is no analog input: use 26 to 28"),
        (
            ENCODER.format(2, 4),
            "a Raspberry Pi Pico counts no encoder on pins 2 and 4: use two inputs side by side, such as 2 and 3",
        ),
        (
            PRESSED.format(26, 5000, 1),
            "the threshold d0.pressed is 1 and 5000 steps of the board: a Raspberry Pi Pico gives 0 to 4095",
        ),
        (
            PRESSED.format(26, 5, -1),
            "the threshold d0.pressed is -1 and 5 steps of the board: a Raspberry Pi Pico gives 0 to 4095",
        ),
    ],
)
def test_what_a_pico_cannot_sample_is_refused(tmp_path: Path, device: str, said: str) -> None:
    assert mistakes(rig(tmp_path, device, board="driver: pico")) == [f"3: devices.d0: {said}"]


def test_a_pico_has_four_encoders_and_sixteen_thresholds(tmp_path: Path) -> None:
    levels = ", ".join(f"t{number}: {{above: {number + 1}, below: 0}}" for number in range(17))
    lever = f"{{kind: analog_input, pin: 26, thresholds: {{{levels}}}}}"
    encoders = [ENCODER.format(pin, pin + 1) for pin in range(2, 12, 2)]
    assert mistakes(rig(tmp_path, lever, *encoders, board="driver: pico")) == [
        "8: devices.d5: the rig has 5 encoders, and a Raspberry Pi Pico counts 4: remove 1",
        "3: devices.d0: the rig has 17 thresholds, and a Raspberry Pi Pico compares 16: remove 1",
    ]
