"""The nouns of a maze: zones, feeders and a speaker."""

from typing import Any

import pytest
from pydantic import ValidationError

from rig.core.errors import ActionError, TaskError
from rig.core.model.actions import Pulse, Ramp, RewardAction, Tone, Train
from rig.core.model.board import Input, Output, Tones
from rig.core.model.channels import Role
from rig.core.model.zones import CircularZone
from rig.devices import Feeder, FeederConfig, Speaker, SpeakerConfig, Zone, ZoneConfig

COUNTED = {"date": "2026-11-03", "pulses": 100, "pellets": 100}


def feeder(**fields: Any) -> Feeder:
    return Feeder(
        "left_feeder", FeederConfig.model_validate({"kind": "feeder", "pin": 8, "measured": COUNTED, **fields})
    )


# --- zones ----------------------------------------------------------------------------------------------------


def test_a_zone_is_entered_at_the_first_instant_and_left_when_its_beam_has_been_clear_for_long() -> None:
    zone = Zone("left", ZoneConfig(kind="zone", beam=4))
    assert zone.channels == (Input("left", Role.BEAM, 4, 5_000, 1_000, 300_000),)
    assert (zone.entered, zone.left) == (("left.beam", 1), ("left.beam", 0))
    assert (zone.occupied.edge, zone.empty.edge) == (zone.entered, zone.left)


def test_the_filter_of_a_zone_is_what_the_rig_file_says() -> None:
    config = ZoneConfig(kind="zone", beam=4, debounce_us=1, confirm_on_us=2, confirm_off_us=3, inverted=True)
    assert Zone("left", config).channels == (Input("left", Role.BEAM, 4, 1, 2, 3, inverted=True),)
    assert config.pins() == {"beam": 4}


def test_a_zone_without_a_beam_is_a_circle_that_a_tracker_watches() -> None:
    config = ZoneConfig(kind="zone", x_cm=1, y_cm=2, radius_cm=30)
    zone = Zone("left", config)
    assert (zone.channels, config.pins(), zone.detector) == ((), {}, "tracker")
    assert zone.circle == CircularZone("left", 1, 2, 30, 5, 1_000, 300_000)
    assert (zone.entered, zone.empty) == (("left.zone", 1), ("left.zone", 0))
    beam = Zone("left", ZoneConfig(kind="zone", beam=4))
    assert (beam.circle, beam.detector) == (None, "beam")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "nothing tells who is in this zone: give it a beam"),
        ({"x_cm": 0, "y_cm": 0}, "nothing tells who is in this zone: give it a beam"),
        ({"beam": 4, "radius_cm": 3}, "told by a beam or by the tracker: give beam, or x_cm, y_cm and radius_cm"),
    ],
)
def test_a_zone_is_defined_by_a_beam_or_by_a_whole_circle(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ZoneConfig.model_validate({"kind": "zone", **fields})


# --- feeders --------------------------------------------------------------------------------------------------


def test_a_feeder_occupies_its_motor_and_where_it_has_one_its_sensor() -> None:
    motor = Output("left_feeder", Role.FEEDER, 8, max_on_us=50_000)
    assert feeder().channels == (motor,)
    assert feeder(sensor=9).channels == (motor, Input("left_feeder", Role.SENSOR, 9, 5_000, 0, 0, machine=True))
    assert (feeder().dropped, feeder(sensor=9).dropped) == (None, ("left_feeder.sensor", 1))


def test_pellets_are_one_pulse_each_one_gap_apart() -> None:
    one, three = feeder().pellets(), feeder(gap_s=0.4, pulse_ms=30).pellets(3)
    assert one == RewardAction(Pulse("left_feeder.feeder", 50_000), "left_feeder", pellets=1)
    assert three == RewardAction(Train("left_feeder.feeder", 30_000, 400_000, 3), "left_feeder", pellets=3)
    assert str(three) == "train left_feeder.feeder 30000 400000 3 (3 pellets)"
    assert feeder(gap_s=0.4, drop_s=0.25).takes_s(3) == pytest.approx(1.05)


@pytest.mark.parametrize("count", [0, -1, 21])
def test_a_silly_number_of_pellets_is_refused(count: int) -> None:
    with pytest.raises(TaskError, match=f"left_feeder: {count} pellets at once: wanted 1 to 20"):
        feeder().pellets(count)


def test_a_reward_of_a_feeder_is_one_pellet_or_a_whole_number_of_them() -> None:
    assert feeder().reward() == feeder().pellets()
    assert feeder().reward(2.0) == feeder().pellets(2)


@pytest.mark.parametrize("size", [0.5, 1.5, 2.5, 19.999, float("nan"), float("inf")])
def test_a_part_of_a_pellet_is_refused(size: float) -> None:
    with pytest.raises(ActionError, match=r"left_feeder: .* pellets: wanted a whole number") as caught:
        feeder().reward(size)
    assert (str(caught.value.asked), caught.value.unit) == (str(size), "pellets")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"measured": None}, "a feeder needs a calibration: count the pellets of 100 pulses"),
        ({"measured": {**COUNTED, "pellets": 97}}, "100 pulses gave 97 pellets, and one pulse is to give one"),
        ({"pulse_ms": 500, "gap_s": 0.5}, "pulses of 500 ms do not fit into gap_s 0.5"),
    ],
)
def test_a_feeder_that_cannot_be_trusted_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        feeder(**fields)


# --- speakers -------------------------------------------------------------------------------------------------


def speaker() -> Speaker:
    return Speaker("speaker", SpeakerConfig(kind="speaker", pin=10))


def test_a_speaker_sounds_tones_and_ramps_of_them() -> None:
    assert speaker().channels == (Output("speaker", Role.TONE, 10, max_on_us=1_000_000),)
    assert speaker().tone(1000, 100) == Tone("speaker.tone", 1000, 100_000)
    assert speaker().ramp(1875, -175, 100, 6, 1.0) == Ramp("speaker.tone", 1875, -175, 100_000, 1_000_000, 6)


@pytest.mark.parametrize(("hz", "step_hz"), [(20_001, 0), (0, 0), (19_900, 50), (300, -100)])
def test_what_no_board_sounds_is_refused(hz: int, step_hz: int) -> None:
    with pytest.raises(TaskError, match="cannot be sounded: wanted 1 to 20000 Hz"):
        speaker().ramp(hz, step_hz, 100, 4, 1.0)


@pytest.mark.parametrize(("hz", "made"), [(1000, 1000.0), (1175, 1175.088), (20_000, 20_000.0)])
def test_a_board_makes_the_next_frequency_that_its_step_allows(hz: int, made: float) -> None:
    assert Tones("square", 62.5).actual_hz(hz) == pytest.approx(made, abs=0.001)


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (1000.5, "a tone of 1000.5 ms: the rig file allows 1000 ms at most: .* raise max_tone_ms"),
        (0, "a tone of 0 ms: wanted more than"),
    ],
)
def test_a_tone_that_the_board_would_not_sound_for_so_long_is_refused_when_it_is_made(ms: float, said: str) -> None:
    for make in (lambda: speaker().tone(1000, ms), lambda: speaker().ramp(1000, 10, ms, 3, 2.0)):
        with pytest.raises(TaskError, match=f"speaker: {said}"):
            make()
    assert speaker().tone(1000, 1000).us == 1_000_000


@pytest.mark.parametrize(
    ("count", "every_s", "said"),
    [(0, 1.0, "a ramp of 0 tones: wanted 1 or more"), (2, 0.1, "tones of 100 ms do not fit into 0.1 s")],
)
def test_a_ramp_without_tones_or_without_room_for_them_is_refused(count: int, every_s: float, said: str) -> None:
    with pytest.raises(TaskError, match=said):
        speaker().ramp(1000, 10, 100, count, every_s)
