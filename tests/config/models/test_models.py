import pytest
from pydantic import Field

from rig.config.inheritance import load_config
from rig.config.models.calibration_file import CalibrationFile
from rig.config.models.protocol_file import REWARD_LIMITS, ProtocolFile, SessionLimits
from rig.config.models.rig_file import rig_file_model
from rig.config.validate import validate
from rig.devices.base import Device, DeviceConfig
from rig.devices.kinds import installed_kinds


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


@pytest.mark.parametrize("written", ["12", "{pin: 12}", "{pin: 12, inverted: false}"])
def test_a_panic_input_is_a_pin_or_a_mapping(rig, written):
    found = rig(ONE_BOARD.replace("serial", f"serial, panic: {written}") + "devices: {}\n")
    panic = found.boards["uno"].panic
    assert (panic.pin, panic.inverted) == (12, False)
    assert RIG.model_validate(found.model_dump()) == found


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("twelve", "panic: must be a pin, or a mapping such as {pin: 12, inverted: true}, got 'twelve'"),
        ("true", "panic: must be a pin, or a mapping such as {pin: 12, inverted: true}, got true"),
        ("{inverted: true}", "panic.pin: required key is missing"),
        ("{pin: 12, invert: true}", "panic.invert: unknown key; did you mean 'inverted'?"),
        ("300", "panic: must be <= 255, got 300"),
    ],
)
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


def test_the_mistakes_of_several_devices_are_listed_with_what_their_kind_accepts(rig, mistakes):
    text = """devices:
  left: {kind: port, beam: -6, lihgt: 3}
  right: {kind: prot}
  lost: {beam: 3}
  none: {kind: }
  five: 5
  lamp: {kind: lamp, beam: 3, light: 4}
"""
    assert mistakes(rig, ONE_BOARD + text) == [
        "rig.yaml:4: devices.left.beam: must be >= 0, got -6",
        "rig.yaml:4: devices.left.lihgt: unknown key; did you mean 'light'? accepted: kind, board, beam, light",
        "rig.yaml:5: devices.right.kind: unknown kind 'prot'; did you mean 'port'? accepted: port, lamp",
        "rig.yaml:6: devices.lost.kind: required key is missing; accepted: port, lamp",
        "rig.yaml:7: devices.none.kind: required key is missing; accepted: port, lamp",
        "rig.yaml:8: devices.five: must be a mapping (key: value), got 5",
        "rig.yaml:9: devices.lamp.beam: unknown key; accepted: kind, board, light",
    ]


def test_names_are_small_letters_digits_and_underscores(rig, mistakes):
    text = "boards:\n  Uno: {driver: serial}\ndevices:\n  2left: {kind: lamp, light: 3}\n"
    rule = "a name is small letters, digits and _, a letter first, such as left_port"
    assert mistakes(rig, text) == [f"rig.yaml:2: boards.Uno: {rule}", f"rig.yaml:4: devices.2left: {rule}"]


def test_a_rig_has_a_board(rig, mistakes):
    assert mistakes(rig, "boards: {}\ndevices: {}\n") == [
        "rig.yaml:1: boards: must have at least 1 entries, got a mapping"
    ]


def test_the_only_board_is_the_reference(rig):
    found = rig(ONE_BOARD + "devices:\n  lamp: {kind: lamp, light: 3}\n")
    assert found.reference == "uno"
    assert found.board_of("lamp") == "uno"


def test_one_of_several_boards_is_the_reference_and_has_the_devices_that_name_none(rig):
    text = "devices:\n  a: {kind: lamp, light: 3}\n  b: {kind: lamp, light: 3, board: mega}\n"
    found = rig(TWO_BOARDS + text)
    assert found.reference == "uno"
    assert (found.board_of("a"), found.board_of("b")) == ("uno", "mega")


def test_several_boards_without_a_reference_are_refused(rig, mistakes):
    assert mistakes(rig, TWO_BOARDS.replace(", reference: true", "") + "devices: {}\n") == [
        "rig.yaml:1: boards: one of several boards must say reference: true; its clock times the session"
    ]


def test_two_references_are_refused_at_each(rig, mistakes):
    text = "boards:\n  uno: {driver: a, reference: true}\n  mega: {driver: b, reference: yes}\ndevices: {}\n"
    assert mistakes(rig, text) == [
        "rig.yaml:2: boards.uno.reference: only one board may be the reference; uno and mega are",
        "rig.yaml:3: boards.mega.reference: only one board may be the reference; uno and mega are",
    ]


def test_a_device_is_wired_to_a_board_that_exists(rig, mistakes):
    assert mistakes(rig, TWO_BOARDS + "devices:\n  lamp: {kind: lamp, light: 3, board: meag}\n") == [
        "rig.yaml:5: devices.lamp.board: there is no board 'meag'; did you mean 'mega'? accepted: uno, mega"
    ]


def test_no_two_channels_of_a_board_share_a_pin(rig, mistakes):
    text = """devices:
  left: {kind: port, beam: 6, light: 6}
  right: {kind: port, beam: 6, light: 7}
  other: {kind: port, beam: 6, board: mega}
"""
    assert mistakes(rig, TWO_BOARDS + text) == [
        "rig.yaml:5: devices.left.light: pin 6 of board 'uno' is already used by devices.left.beam",
        "rig.yaml:6: devices.right.beam: pin 6 of board 'uno' is already used by devices.left.beam",
    ]


@pytest.mark.parametrize("lease", [0.1, 11])
def test_a_lease_is_neither_too_short_to_renew_nor_too_long_to_be_safe(rig, mistakes, lease):
    text = f"boards:\n  uno: {{driver: serial, lease_s: {lease}}}\ndevices: {{}}\n"
    assert "boards.uno.lease_s: must be " in mistakes(rig, text)[0]


@pytest.mark.parametrize("limit", REWARD_LIMITS)
def test_any_one_limit_is_enough(limit):
    assert getattr(SessionLimits(session_s=60, **{limit: 5}), limit) == 5


def test_a_session_without_a_limit_is_refused_beside_its_other_mistakes(write, mistakes):
    path = write("protocol: x\nstop:\n  session_s: 1e9\n  max_trials: 5\n")
    assert mistakes(lambda: validate(ProtocolFile, load_config(path))) == [
        "a.yaml:2: stop: a limit is required: give max_rewards, max_ul, max_pellets or max_access_s",
        "a.yaml:3: stop.session_s: must be <= 86400, got 1000000000",
    ]


@pytest.mark.parametrize("limit", REWARD_LIMITS)
def test_a_wrong_limit_is_not_called_missing_as_well(write, mistakes, limit):
    path = write(f"protocol: x\nstop: {{session_s: 60, {limit}: 0}}\n")
    assert mistakes(lambda: validate(ProtocolFile, load_config(path))) == [
        f"a.yaml:2: stop.{limit}: must be > 0, got 0"
    ]


def test_a_grace_of_more_than_a_day_is_refused(write, mistakes):
    path = write("protocol: x\nstop: {session_s: 60, max_ul: 5, grace_s: 86401}\n")
    assert mistakes(lambda: validate(ProtocolFile, load_config(path))) == [
        "a.yaml:2: stop.grace_s: must be <= 86400, got 86401"
    ]


def test_a_limit_written_as_null_is_none(write, mistakes):
    path = write("protocol: x\nstop:\n  session_s: 60\n  max_access_s:\n")
    assert mistakes(lambda: validate(ProtocolFile, load_config(path))) == [
        "a.yaml:4: stop.max_access_s: a limit is required: give max_rewards, max_ul, max_pellets or max_access_s"
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


def test_points_must_grow_in_both_and_each_that_does_not_is_named(write, mistakes):
    path = write(POINTS + "- {open_ms: 10, ul: 2}\n- {open_ms: 10.0001, ul: 3}\n- {open_ms: 20, ul: 1.5}\n")
    assert mistakes(lambda: validate(CalibrationFile, load_config(path))) == [
        "a.yaml:5: points[1].open_ms: must be longer than in the point before (10 ms), got 10.0001",
        "a.yaml:6: points[2].ul: must be larger than in the point before (3 ul), got 1.5",
    ]


def test_one_point_is_no_calibration(write, mistakes):
    path = write(POINTS + "- {open_ms: 10, ul: 2}\n")
    assert mistakes(lambda: validate(CalibrationFile, load_config(path))) == [
        "a.yaml:3: points: must have at least 2 entries, got a list of 1"
    ]


@pytest.mark.parametrize(("date", "got"), [("20261103", "20261103"), ("'20261103'", "'20261103'"), ("0", "0")])
def test_a_number_is_not_a_date(write, mistakes, date, got):
    text = f"valve: left\ndate: {date}\npoints: [{{open_ms: 1, ul: 1}}, {{open_ms: 2, ul: 2}}]\n"
    path = write(text)
    assert mistakes(lambda: validate(CalibrationFile, load_config(path))) == [
        f"a.yaml:2: date: must be a date, YYYY-MM-DD, got {got}"
    ]


def test_a_day_that_does_not_exist_is_refused(write, mistakes):
    path = write("valve: left\ndate: 2026-13-45\npoints: [{open_ms: 1, ul: 1}, {open_ms: 2, ul: 2}]\n")
    assert mistakes(lambda: validate(CalibrationFile, load_config(path))) == [
        "a.yaml:2: date: must be a date, YYYY-MM-DD, got '2026-13-45'"
    ]


# --- screens --------------------------------------------------------------------------------------------------

CHAMBER = ONE_BOARD + "devices:\n  eye: {kind: ttl_in, pin: 2}\n  lamp: {kind: light, pin: 3}\n"


def test_a_rig_may_have_a_screen(rig):
    found = rig(CHAMBER + "screen: {px_per_cm: 30, patch_cm: 1, photodiode: eye}\n", rig_file_model(installed_kinds()))
    assert found.screen.spec().photodiode == "eye"
    assert rig(CHAMBER, rig_file_model(installed_kinds())).screen is None


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (
            "screen: {px_per_cm: 30, patch_cm: 1, photodiode: eyes}\n",
            "rig.yaml:6: screen.photodiode: there is no input 'eyes' of kind ttl_in; did you mean 'eye'?",
        ),
        ("screen: {px_per_cm: 30, photodiode: eye}\n", "rig.yaml:6: screen: a photodiode needs a square to look at"),
        ("screen: {px_per_cn: 30}\n", "rig.yaml:6: screen.px_per_cn: unknown key; did you mean 'px_per_cm'?"),
        ("screen: {}\n", "rig.yaml:6: screen.px_per_cm: required key is missing"),
    ],
)
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


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("{open_ms: 0.04, ul: 2.5}", "points[1].open_ms: must be >= 1, got 0.04"),
        ("{open_ms: 40000, ul: 2.5}", "points[1].ul: 2.5 ul in 40000 ms cannot be one drop: a valve gives 0.001 to 1"),
        (
            "{open_ms: 40, ul: 250}",
            "points[1].ul: 250 ul in 40 ms cannot be one drop: a valve gives 0.001 to 1 ul per ms; is this the",
        ),
    ],
)
def test_a_slip_of_the_unit_in_a_calibration_is_reported_at_its_line(write, mistakes, point, said):
    path = write(POINTS + "- {open_ms: 10, ul: 2}\n- " + point + "\n")
    assert mistakes(lambda: validate(CalibrationFile, load_config(path)))[0].startswith(f"a.yaml:5: {said}")
