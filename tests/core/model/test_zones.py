import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.model.zones import NEVER_US, CircularZone, ZoneDetector

LEFT = CircularZone("left", -100, 0, 30, 5, 20_000, 300_000)
RIGHT = LEFT._replace(name="right", x_cm=100)
FRAME_US = 16_667


def seen(presence: ZoneDetector, *x_cm: float, first: int = 0) -> list[tuple[str, int, int]]:
    """Show an animal on a line, a place a frame; give what changes, its time as the number of a frame."""
    changes = []
    for frame, x in enumerate(x_cm, first):
        changes += [(name[:-5], level, us // FRAME_US) for name, level, us in presence.update(frame * FRAME_US, x, 0)]
    return changes


@pytest.fixture
def presence() -> ZoneDetector:
    return ZoneDetector([LEFT, RIGHT])


def test_a_circle_names_its_place() -> None:
    assert LEFT.name == "left"


def test_an_animal_is_in_a_zone_when_it_has_been_inside_for_long_enough_and_since_the_first_frame(
    presence: ZoneDetector,
) -> None:
    assert seen(presence, 0, -71, -71) == []
    assert seen(presence, -71, first=3) == [("left", 1, 1)]


def test_who_only_passes_through_was_never_there(presence: ZoneDetector) -> None:
    assert seen(presence, 0, -71, -71, -69, -71, -71, -69) == []


def test_who_leans_out_of_the_circle_is_still_there_within_its_margin(presence: ZoneDetector) -> None:
    assert seen(presence, -75, -75, -75) == [("left", 1, 0)]
    assert seen(presence, *[-66.0] * 100, first=3) == []
    assert seen(presence, *[-64.0] * 18, first=103) == []
    assert seen(presence, -64, first=121) == [("left", 0, 103)]


def test_who_bobs_out_and_comes_back_within_the_margin_has_not_left(presence: ZoneDetector) -> None:
    seen(presence, -75, -75, -75)
    assert seen(presence, *[-64.0] * 17, -66, *[-64.0] * 17, first=3) == []


def test_who_is_in_another_zone_has_left_the_first_one(presence: ZoneDetector) -> None:
    seen(presence, -75, -75, -75)
    assert seen(presence, -40, 0, 75, 75, 75, first=3) == [("left", 0, 3), ("right", 1, 5)]


def test_frames_without_the_animal_tell_nothing(presence: ZoneDetector) -> None:
    seen(presence, -75, -75, -75)
    assert seen(presence, -60, first=3) == []
    assert seen(presence, -60, first=60) == [("left", 0, 3)]  # between them it was not found


def test_it_tells_when_what_has_begun_will_count(presence: ZoneDetector) -> None:
    assert presence.next_change_us >= NEVER_US
    seen(presence, 0, -75)
    assert presence.next_change_us == FRAME_US + 20_000
    seen(presence, -75, -75, first=2)
    assert presence.next_change_us >= NEVER_US
    assert ZoneDetector([]).next_change_us == NEVER_US


@given(st.lists(st.floats(-150, 150), max_size=300))
def test_zones_are_entered_and_left_in_turn_and_nobody_is_in_two(places: list[float]) -> None:
    level = {"left": 0, "right": 0}
    for name, now, _ in seen(ZoneDetector([LEFT, RIGHT]), *places):
        assert level[name] == 1 - now
        level[name] = now
        assert sum(level.values()) <= 1


@pytest.mark.parametrize("order", [1, -1])
def test_an_entry_that_counts_at_once_ends_a_stay_elsewhere_whatever_the_order_of_the_zones(order: int) -> None:
    circles = [LEFT._replace(confirm_on_us=0), RIGHT._replace(confirm_on_us=0)]
    zones = ZoneDetector(circles[::order])
    zones.update(0, 100, 0)
    changes = zones.update(FRAME_US, -100, 0)
    assert [(change.channel, change.level) for change in changes] == [("right.zone", 0), ("left.zone", 1)]
