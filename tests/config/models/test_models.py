import pytest
from pydantic import Field

from rig.config.inheritance import load_config
from rig.config.models.calibration_file import CalibrationFile
from rig.config.models.protocol_file import REWARD_LIMITS, ProtocolFile, SessionLimits
from rig.config.models.rig_file import rig_file_model
from rig.config.validate import validate
from rig.devices.base import Device, DeviceConfig
from rig.devices.kinds import installed_kinds
from tests.tables import rows


class PortConfig(DeviceConfig):
    beam: int = Field(ge=0)
    light: int | None = None

    def pins(self) -> dict[str, int]:
        pins = {"beam": self.beam, "light": self.light}
        return {role: pin for role, pin in pins.items() if pin is not None}


class LampConfig(DeviceConfig):
    light: int

    def pins(self) -> dict[str, int]:
        return {"light": self.light}


class Port(Device):
    Config = PortConfig


class Lamp(Device):
    Config = LampConfig


RIG = rig_file_model({"port": Port, "lamp": Lamp})
ONE_BOARD = "boards:\n  uno: {driver: serial}\n"
TWO_BOARDS = "boards:\n  uno: {driver: serial, reference: true}\n  mega: {driver: sim}\n"


@pytest.fixture
def rig(write):
    return lambda text, model=RIG: validate(model, load_config(write(text, "rig.yaml")))


def test_each_device_is_read_by_the_class_of_its_kind(rig):
    found = rig(ONE_BOARD + "devices:\n  left: {kind: port, beam: 6}\n  lamp: {kind: lamp, light: 7}\n")
    assert found.devices["left"] == PortConfig(kind="port", beam=6)
    assert found.devices["lamp"] == LampConfig(kind="lamp", light=7)


def test_a_board_has_the_defaults_of_the_wire(rig):
    board = rig(ONE_BOARD + "devices: {}\n").boards["uno"]
    assert (board.baud, board.lease_s, board.reference, board.id, board.port) == (
        500_000,
        2.0,
        False,
        None,
        None,
    )


def test_the_speed_that_restarts_a_pico_is_refused_at_its_line(rig, mistakes):
    text = "boards:\n  pico:\n    driver: serial\n    baud: 1200\ndevices: {}\n"
    (found,) = mistakes(lambda: rig(text))
    assert "rig.yaml:4: boards.pico.baud: closing a port at 1200 baud restarts a Pico as a drive" in found


@pytest.mark.parametrize("written", ["12", "{pin: 12}", "{pin: 12, inverted: false}"])
def test_a_panic_input_is_a_pin_or_a_mapping(rig, written):
    found = rig(ONE_BOARD.replace("serial", f"serial, panic: {written}") + "devices: {}\n")
    panic = found.boards["uno"].panic
    assert (panic.pin, panic.inverted) == (12, False)
    assert RIG.model_validate(found.model_dump()) == found


@rows("written", "said")
def test_another_panic_input_is_refused(rig, mistakes, written, said):
    text = ONE_BOARD.replace("serial", f"serial, panic: {written}") + "devices: {}\n"
    (found,) = mistakes(lambda: rig(text))
    assert said in found


def test_the_pin_of_the_panic_input_is_taken(rig, mistakes):
    text = ONE_BOARD.replace("serial", "serial, panic: 6") + "devices:\n  left: {kind: port, beam: 6}\n"
    (found,) = mistakes(lambda: rig(text))
    assert found.endswith("devices.left.beam: pin 6 of board 'uno' is already used by boards.uno.panic")


def test_all_that_is_written_comes_out_again(rig):
    found = rig(ONE_BOARD + "devices:\n  left: {kind: port, beam: 6}\n")
    assert found.model_dump()["devices"]["left"]["beam"] == 6
    assert RIG.model_validate(found.model_dump()) == found


def test_devices_already_built_are_accepted():
    found = RIG(boards={"uno": {"driver": "sim"}}, devices={"left": PortConfig(kind="port", beam=1)})
    assert found.devices["left"].pins() == {"beam": 1}


def test_a_rig_of_one_kind_of_device_is_read_too(rig, mistakes):
    model = rig_file_model({"port": Port})
    assert mistakes(rig, ONE_BOARD + "devices:\n  left: {kind: port, beam: 1, baem: 3}\n", model) == [
        "rig.yaml:4: devices.left.baem: unknown key; did you mean 'beam'? accepted: kind, board, beam, light"
    ]


@rows("case", "text", "expected")
def test_each_mistake_of_a_rig_file_is_told_in_its_words(rig, mistakes, text, expected):
    assert mistakes(rig, text) == expected


def test_the_only_board_is_the_reference(rig):
    found = rig(ONE_BOARD + "devices:\n  lamp: {kind: lamp, light: 3}\n")
    assert found.reference == "uno"
    assert found.board_of("lamp") == "uno"


def test_one_of_several_boards_is_the_reference_and_has_the_devices_that_name_none(rig):
    text = "devices:\n  a: {kind: lamp, light: 3}\n  b: {kind: lamp, light: 3, board: mega}\n"
    found = rig(TWO_BOARDS + text)
    assert found.reference == "uno"
    assert (found.board_of("a"), found.board_of("b")) == ("uno", "mega")


@pytest.mark.parametrize("lease", [0.1, 11])
def test_a_lease_is_neither_too_short_to_renew_nor_too_long_to_be_safe(rig, mistakes, lease):
    text = f"boards:\n  uno: {{driver: serial, lease_s: {lease}}}\ndevices: {{}}\n"
    assert "boards.uno.lease_s: must be " in mistakes(rig, text)[0]


@pytest.mark.parametrize("limit", REWARD_LIMITS)
def test_any_one_limit_is_enough(limit):
    assert getattr(SessionLimits(session_s=60, **{limit: 5}), limit) == 5


@rows("case", "text", "expected")
def test_each_mistake_of_a_protocol_file_is_told_in_its_words(write, mistakes, text, expected):
    assert mistakes(lambda: validate(ProtocolFile, load_config(write(text)))) == expected


@pytest.mark.parametrize("limit", REWARD_LIMITS)
def test_a_wrong_limit_is_not_called_missing_as_well(write, mistakes, limit):
    path = write(f"protocol: x\nstop: {{session_s: 60, {limit}: 0}}\n")
    assert mistakes(lambda: validate(ProtocolFile, load_config(path))) == [
        f"a.yaml:2: stop.{limit}: must be > 0, got 0"
    ]


def test_the_example_of_the_design_is_read(write):
    text = """protocol: two_armed_bandit
simulation: {rig: sim_nose_ports}
params: {p_high: 0.8, q_stay: 0.98, choice_window_s: 2.0, iti_min_s: 1.0, reward_ul: 2.5}
stop: {session_s: 2400, max_rewards: 800, max_ul: 2000}
"""
    found = validate(ProtocolFile, load_config(write(text)))
    assert found.params["reward_ul"] == 2.5
    assert found.stop == SessionLimits(session_s=2400, max_rewards=800, max_ul=2000, min_trials=1, grace_s=30)


POINTS = "valve: left\ndate: 2026-11-03\npoints:\n"


def test_a_calibration_is_read_with_its_openings_in_whole_microseconds(write):
    found = validate(
        CalibrationFile, load_config(write(POINTS + "- {open_ms: 10.0006, ul: 1}\n- {open_ms: 35, ul: 2.5}\n"))
    )
    assert [point.open_us for point in found.points] == [10_001, 35_000]
    assert (found.pulses, found.note) == (100, "")


@rows("case", "text", "expected")
def test_each_mistake_of_a_calibration_file_is_told_in_its_words(write, mistakes, text, expected):
    assert mistakes(lambda: validate(CalibrationFile, load_config(write(text)))) == expected


@pytest.mark.parametrize(("date", "got"), [("20261103", "20261103"), ("'20261103'", "'20261103'"), ("0", "0")])
def test_a_number_is_not_a_date(write, mistakes, date, got):
    text = f"valve: left\ndate: {date}\npoints: [{{open_ms: 1, ul: 1}}, {{open_ms: 2, ul: 2}}]\n"
    path = write(text)
    assert mistakes(lambda: validate(CalibrationFile, load_config(path))) == [
        f"a.yaml:2: date: must be a date, YYYY-MM-DD, got {got}"
    ]


# --- screens --------------------------------------------------------------------------------------------------

CHAMBER = ONE_BOARD + "devices:\n  eye: {kind: ttl_in, pin: 2}\n  lamp: {kind: light, pin: 3}\n"


def test_a_rig_may_have_a_screen(rig):
    found = rig(CHAMBER + "screen: {px_per_cm: 30, patch_cm: 1, photodiode: eye}\n", rig_file_model(installed_kinds()))
    assert found.screen.spec().photodiode == "eye"
    assert rig(CHAMBER, rig_file_model(installed_kinds())).screen is None


@rows("text", "mistake")
def test_a_mistake_of_the_screen_is_reported_at_its_line(rig, mistakes, text, mistake):
    told = mistakes(rig, CHAMBER + text, rig_file_model(installed_kinds()))
    assert any(line.startswith(mistake) for line in told), told


def test_no_device_is_called_screen(rig, mistakes):
    (told,) = mistakes(
        rig, ONE_BOARD + "devices:\n  screen: {kind: light, pin: 3}\n", rig_file_model(installed_kinds())
    )
    assert told == (
        "rig.yaml:4: devices.screen: no device is called so: the touch screen has a section of its own, screen:"
    )


@rows("point", "said")
def test_a_slip_of_the_unit_in_a_calibration_is_reported_at_its_line(write, mistakes, point, said):
    path = write(POINTS + "- {open_ms: 10, ul: 2}\n- " + point + "\n")
    assert mistakes(lambda: validate(CalibrationFile, load_config(path)))[0].startswith(f"a.yaml:5: {said}")
