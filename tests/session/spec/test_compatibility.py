"""What is wrong with a rig by itself, at its line: a tracker that is there or not, a pin that can be no input."""

from pathlib import Path

import pytest

from rig.camera.interface import INSTALL
from rig.core.errors import ConfigError
from rig.core.model.board import Input, PanicInput
from rig.session.spec import compatibility
from rig.session.spec.build import load_rig_spec
from rig.session.spec.read_rig import Rig, read_rig, rig_spec_of

HEAD = "boards: {uno: {driver: DRIVER, chip: CHIP}}\ndevices:\n"
START = "  start: {kind: zone, x_cm: 0, y_cm: 0, radius_cm: 20}\n"
TRACKER = "  tracker: {kind: tracker, WATCHES, px_per_cm: 2, x_px: 320, y_px: 400}\n"


def rig(tmp_path: Path, *devices: str, driver: str = "serial", chip: str = "uno", watches: str = "camera: 0") -> str:
    text = "".join((HEAD, *devices)).replace("DRIVER", driver).replace("CHIP", chip).replace("WATCHES", watches)
    path = tmp_path / "maze.yaml"
    path.write_text(text)
    return str(path)


def mistakes(path: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_rig_spec(path)
    return [mistake.partition("maze.yaml:")[2] for mistake in caught.value.mistakes]


def test_a_circle_needs_a_tracker_that_watches_it(tmp_path: Path) -> None:
    (said,) = mistakes(rig(tmp_path, START))
    assert said.startswith("3: devices.start: is a circle, and the rig has no tracker")


def test_one_camera_is_enough_for_one_animal(tmp_path: Path) -> None:
    (said,) = mistakes(rig(tmp_path, START, TRACKER, TRACKER.replace("tracker:", "other:", 1)))
    assert said.startswith("5: devices.other: is a second tracker beside 'tracker'")


def test_a_video_that_is_not_there_is_said_with_its_line(tmp_path: Path) -> None:
    path = rig(tmp_path, TRACKER, watches="video: rat.avi")
    assert mistakes(path) == [f"3: devices.tracker.video: there is no file {tmp_path / 'rat.avi'}"]
    (tmp_path / "rat.avi").touch()
    tracking = load_rig_spec(path).tracking
    assert tracking is not None
    assert tracking.source == str(tmp_path / "rat.avi")


def test_without_opencv_a_real_tracker_is_refused_and_a_simulated_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compatibility, "find_spec", lambda name: None)
    assert mistakes(rig(tmp_path, TRACKER)) == [f"3: devices.tracker: a tracker needs OpenCV: {INSTALL}"]
    assert load_rig_spec(rig(tmp_path, TRACKER, driver="sim")).tracking is not None


def test_the_circles_of_a_rig_are_what_its_tracker_watches(tmp_path: Path) -> None:
    plan = load_rig_spec(rig(tmp_path, TRACKER, START))
    assert plan.host_inputs == {"start.zone"}
    assert plan.wiring.channels == ()
    assert load_rig_spec("sim_t_maze").host_inputs == frozenset()


def test_a_beam_on_a_pin_whose_edges_a_mega_does_not_see_is_said_with_what_would_be_right(tmp_path: Path) -> None:
    path = rig(tmp_path, "  barrier: {kind: ttl_in, pin: 22}\n", "  shock: {kind: ttl_out, pin: 23}\n", chip="mega")
    (said,) = mistakes(path)
    assert said == (
        "3: devices.barrier.pin: an Arduino Mega sees no edges on pin 22: "
        "for an input use 2 to 3, 10 to 15, 18 to 21, 50 to 53 or 62 to 69"
    )


PICO_PINS = "use 2 to 22 or 26 to 28"


@pytest.mark.parametrize("device", ["{kind: light, pin: PIN}", "{kind: ttl_in, pin: PIN}", "{kind: speaker, pin: PIN}"])
@pytest.mark.parametrize(
    ("pin", "said"),
    [
        (0, f"is not for devices: it is the serial line to the computer, which every byte switches; {PICO_PINS}"),
        (1, f"is not for devices: it is the serial line to the computer, which every byte switches; {PICO_PINS}"),
        (23, f"is not for devices: it sets the mode of the board's power supply, and has no contact; {PICO_PINS}"),
        (24, f"is not for devices: it senses the 5 V of USB, and has no contact; {PICO_PINS}"),
        (25, f"is not for devices: it is the LED on the board, and has no contact; {PICO_PINS}"),
    ],
)
def test_a_pin_that_a_pico_needs_itself_is_said_with_what_it_does_and_what_would_be_right(
    tmp_path: Path, device: str, pin: int, said: str
) -> None:
    path = rig(tmp_path, f"  it: {device}\n".replace("PIN", str(pin)), chip="pico")
    assert mistakes(path) == [f"3: devices.it.pin: pin {pin} of a Raspberry Pi Pico {said}"]


@pytest.mark.parametrize("pin", [29, 34, 40])
def test_the_number_of_a_contact_of_a_pico_is_none_of_a_pin(tmp_path: Path, pin: int) -> None:
    path = rig(tmp_path, f"  it: {{kind: hopper, pin: {pin}, light: 2, beam: 3}}\n", chip="pico")
    said = f"a Raspberry Pi Pico has no pin {pin}: {PICO_PINS}, the numbers behind GP"
    assert mistakes(path) == [f"3: devices.it.pin: {said}"]


@pytest.mark.parametrize("pin", [2, 13, 22, 26, 28])
def test_every_other_pin_of_a_pico_can_be_an_input_and_a_valve(tmp_path: Path, pin: int) -> None:
    feeder = f"{{kind: feeder, pin: {pin}, measured: {{date: 2026-11-03, pulses: 100, pellets: 100}}}}"
    for device in (feeder, f"{{kind: ttl_in, pin: {pin}}}"):
        assert load_rig_spec(rig(tmp_path, f"  it: {device}\n", chip="pico")).wiring.channels[0].pin == pin


def test_the_panic_button_of_a_pico_needs_a_pin_for_devices(tmp_path: Path) -> None:
    (said,) = mistakes(with_panic(tmp_path, "25", chip="pico"))
    assert said.startswith("2: boards.uno.panic: pin 25 of a Raspberry Pi Pico is not for devices: it is the LED")
    assert load_rig_spec(with_panic(tmp_path, "22", chip="pico")).wiring.panic == PanicInput("uno", 22)


def test_a_driver_whose_boards_are_picos_has_their_pins_whatever_chip_the_file_names(tmp_path: Path) -> None:
    lamp = "  lamp: {kind: light, pin: 24}\n"
    path = Path(rig(tmp_path, lamp, chip="mega"))
    with pytest.raises(ConfigError, match="pin 24 of a Raspberry Pi Pico is not for devices"):
        load_rig_spec(str(path), "pico")
    path.write_text(path.read_text().replace("driver: serial, chip: mega", "driver: pico"))
    (said,) = mistakes(str(path))
    assert said.startswith("3: devices.lamp.pin: pin 24 of a Raspberry Pi Pico is not for devices: ")


def with_chip(base: str, chip: str) -> tuple[Path, str]:
    """Extend a rig file with another chip; return the file, and its one mistake."""
    mine = Path(base).with_name("mine.yaml")
    mine.write_text(f"extends: {Path(base).name}\nboards:\n  uno: {{chip: {chip}}}\n")
    with pytest.raises(ConfigError) as caught:
        load_rig_spec(str(mine))
    (said,) = caught.value.mistakes
    return mine, said


def test_a_pico_takes_the_place_of_an_uno_at_the_same_pins_and_not_that_of_a_mega(tmp_path: Path) -> None:
    base = rig(tmp_path, "  lamp: {kind: light, pin: 24}\n", "  left: {kind: port, beam: 10}\n", chip="mega")
    mine, said = with_chip(base, "pico")
    assert said.startswith(f"{mine}:3: devices.lamp.pin: pin 24 of a Raspberry Pi Pico is not for devices: ")
    assert said.endswith(f"; {PICO_PINS}; the pin is from {base}:3, give it here")


def test_a_pin_of_an_extended_file_that_another_chip_lacks_is_said_where_the_chip_is_changed(tmp_path: Path) -> None:
    base = rig(tmp_path, "  barrier: {kind: ttl_in, pin: 7}\n")
    mine, said = with_chip(base, "mega")
    assert said.startswith(f"{mine}:3: devices.barrier.pin: an Arduino Mega sees no edges on pin 7: ")
    assert said.endswith(f"; the pin is from {base}:3, give it here")


def test_what_belongs_to_a_protocol_is_said_to_belong_there(tmp_path: Path) -> None:
    path = rig(tmp_path, LAMP)
    with Path(path).open("a") as file:
        file.write("params: {reward_ul: 3}\n")
    assert mistakes(path) == ["4: params: is not allowed here; move it to the protocol's file"]


BEAMS = (
    "  near: {kind: port, beam: 5}\n",
    "  far: {kind: port, beam: 6, beam_min_on_us: 30000}\n",
    "  goal: {kind: zone, beam: 7}\n",
    "  lamp: {kind: light, pin: 8}\n",
)


def beams(tmp_path: Path) -> Rig:
    return read_rig(Path(rig(tmp_path, *BEAMS)))


def test_the_longer_counts_of_what_a_protocol_and_a_rig_file_ask_of_an_input(tmp_path: Path) -> None:
    asked = beams(tmp_path).with_min_on({"near": 10_000, "far": 10_000, "goal": 20_000, "not_there": 10_000})
    inputs = [channel for channel in rig_spec_of(asked).wiring.channels if isinstance(channel, Input)]
    assert {channel.name: channel.confirm_on_us for channel in inputs} == {
        "near.beam": 10_000,
        "far.beam": 30_000,
        "goal.beam": 20_000,
    }


@pytest.mark.parametrize(
    ("us_of", "said"),
    [
        ({"lamp": 10_000}, "lamp: no input of a light can be told how long it has to last"),
        ({"near": 1_000_001}, "near: beam_min_on_us 1000001: Input should be less than or equal to 1000000"),
    ],
)
def test_an_input_that_cannot_wait_so_long_is_said(tmp_path: Path, us_of: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=f"min_on_us of the protocol's parameters: {said}"):
        beams(tmp_path).with_min_on(us_of)


LAMP = "  lamp: {kind: light, pin: 10}\n"


def with_panic(tmp_path: Path, panic: str, *, driver: str = "serial", chip: str = "uno") -> str:
    path = tmp_path / "maze.yaml"
    path.write_text(f"boards:\n  uno: {{driver: {driver}, chip: {chip}, panic: {panic}}}\ndevices:\n{LAMP}")
    return str(path)


def test_the_board_of_a_rig_gets_its_panic_input(tmp_path: Path) -> None:
    assert load_rig_spec(with_panic(tmp_path, "12")).wiring.panic == PanicInput("uno", 12)
    path = with_panic(tmp_path, "{pin: 12, inverted: true}")
    assert load_rig_spec(path).wiring.panic == PanicInput("uno", 12, inverted=True)


@pytest.mark.parametrize("panic", ["5", "{pin: 5}"])
def test_a_panic_input_needs_a_pin_that_can_be_an_input(tmp_path: Path, panic: str) -> None:
    (said,) = mistakes(with_panic(tmp_path, panic, chip="mega"))
    assert said.startswith("2: boards.uno.panic: an Arduino Mega sees no edges on pin 5: for an input use 2 to 3, ")


def test_a_panic_input_is_refused_where_the_board_has_none(tmp_path: Path) -> None:
    (said,) = mistakes(with_panic(tmp_path, "12", driver="firmata"))
    assert said.startswith(
        "2: boards.uno.panic: a board of driver 'firmata' has no panic input: leave this out, or put "
    )


def test_a_board_that_times_nothing_by_itself_sends_no_sync_signal(tmp_path: Path) -> None:
    path = rig(tmp_path, "  lamp: {kind: light, pin: 8}\n", "  clock: {kind: ttl_out, pin: 9, sync: code}\n")
    assert load_rig_spec(path).wiring.channels[1].name == "clock"
    text = Path(path).read_text().replace("driver: serial, chip: uno", "driver: firmata")
    Path(path).write_text(text)
    (said,) = mistakes(path)
    assert said.startswith("4: devices.clock.sync: the board has to time this signal by itself, and Firmata has none: ")
    assert said.endswith("and write `driver: serial`")


def test_a_sync_signal_that_cannot_be_is_said_with_its_line(tmp_path: Path) -> None:
    path = rig(tmp_path, "  clock: {kind: ttl_out, pin: 9, sync: {period_s: 0.3}}\n")
    (said,) = mistakes(path)
    assert said.startswith("3: devices.clock.sync: a code of 16 bits of 20 ms takes 0.38 s")
    path = rig(tmp_path, "  clock: {kind: ttl_out, pin: 9, sync: {bitz: 8}}\n")
    (said,) = mistakes(path)
    assert said.startswith("3: devices.clock.sync.bitz: ")
