"""What subjects at the disks see and are told."""

import math
import random
from collections import Counter

import pytest

from protocols.disk_bandit.subjects.disk_choice import NEVER, DiskValues, disks_in, draw_by_weight, log_rate
from rig.core.model.scene import Disk, Scene, Text


def test_disks_are_found_by_their_names() -> None:
    top, center = (Disk(x_cm=1, y_cm=2, diameter_cm=2, color="#ffffff", name=name) for name in ("disk0", "disk8"))
    others = (
        Disk(x_cm=5, y_cm=2, diameter_cm=2, color="#ffffff", name="disk9"),
        Disk(x_cm=8, y_cm=2, diameter_cm=2, color="#ffffff"),
        Text(x_cm=1, y_cm=9, width_cm=2, height_cm=1, text="8", name="disk1"),
    )
    assert disks_in(Scene(items=(center, *others, top))) == {8: center, 0: top}


def test_a_day_is_read_from_the_protocols_note() -> None:
    note = {"vi_s": [3, None, 27], "p_reward": [None] * 3, "prev_vi_s": [9, 3, None]}
    day = DiskValues.of({"assignment": note})
    assert day == DiskValues({0: 3, 2: 27}, {}, {0: 9, 1: 3})
    assert day.value(log_rate) == {0: -math.log(3), 2: -math.log(27)}
    assert day.previous_value(log_rate) == {0: -math.log(9), 1: -math.log(3)}


def test_probabilities_are_worth_their_logarithm_and_nothing_is_left_of_intervals_then() -> None:
    day = DiskValues.of({"assignment": {"p_reward": [0.61, 0.0], "prev_vi_s": [9, 3]}})
    assert day.value(log_rate) == {0: math.log(0.61), 1: math.log(NEVER)}
    assert day.previous_value(log_rate) == {}


def test_a_note_may_list_the_intervals_of_several_sessions() -> None:
    told = {"assignment": {"vi_s": [[3, 9], [27, None]]}}
    assert DiskValues.of_session(told, 1) == DiskValues({0: 3, 1: 9}, {}, {})
    assert DiskValues.of_session(told, 2) == DiskValues({0: 27}, {}, {0: 3, 1: 9})
    assert DiskValues.of_session(told, 0) == DiskValues.of_session({}, 1) == DiskValues({}, {}, {})


def test_a_protocol_that_tells_nothing_leaves_nothing_to_know() -> None:
    assert DiskValues.of({}).value(log_rate) == DiskValues.of({}).previous_value(log_rate) == {}


def test_a_place_is_drawn_with_the_chance_that_its_weight_is() -> None:
    draw = random.Random(1)
    drawn = Counter(draw_by_weight(draw.random(), (2, 5, 7), (1, 0, 3)) for _ in range(4000))
    assert drawn[5] == 0
    assert drawn[7] / 4000 == pytest.approx(0.75, abs=6 * 0.007)
    assert draw_by_weight(math.nextafter(1, 0), (2, 5), (0.1, 0.2)) == 5
