import pytest

from rig.core.engine.activity import ActivityLimits, ActivityMonitor
from rig.core.model.events import Edge


@pytest.fixture
def said():
    return []


@pytest.fixture
def watch(said):
    return ActivityMonitor(ActivityLimits(1_000), lambda what, *where: said.append(where))


def edge(channel, level, t_us):
    return Edge(t_us, channel, level, 0, 1)


@pytest.mark.parametrize(("at_us", "warnings"), [(1_049, []), (1_050, [("left", 50)]), (9_999, [("left", 50)])])
def test_an_input_that_stays_on_for_too_long_is_named_with_its_beginning(watch, said, at_us, warnings):
    watch.on_edge(edge("left", 1, 50))
    watch.check(at_us)
    assert said == warnings


def test_a_stuck_input_is_named_once_until_it_changes(watch, said):
    watch.on_edge(edge("left", 1, 0))
    watch.check(1_000)
    watch.check(5_000)
    assert said == [("left", 0)]
    watch.on_edge(edge("left", 0, 6_000))
    watch.on_edge(edge("left", 1, 7_000))
    watch.check(8_000)
    assert said == [("left", 0), ("left", 7_000)]


def test_an_input_that_went_off_in_time_is_not_stuck(watch, said):
    watch.on_edge(edge("left", 1, 0))
    watch.on_edge(edge("left", 0, 999))
    watch.check(5_000)
    assert said == []


def test_off_before_it_was_ever_on_is_no_harm(watch, said):
    watch.on_edge(edge("left", 0, 0))
    watch.check(5_000)
    assert said == []


def test_inputs_that_never_changed_are_listed_in_their_order(watch):
    watch.on_edge(edge("b", 0, 0))
    assert watch.inactive_inputs(["c", "b", "a"]) == ["c", "a"]


def test_the_time_must_be_known_when_the_first_of_the_inputs_that_are_on_has_been_on_for_too_long(watch):
    assert watch.next_check_us > 1 << 61
    watch.on_edge(edge("right", 1, 70))
    watch.on_edge(edge("left", 1, 50))
    assert watch.next_check_us == 1_050
    watch.on_edge(edge("left", 0, 80))
    assert watch.next_check_us == 1_070
    watch.check(1_070)
    assert watch.next_check_us > 1 << 61


# --- a photodiode before the screen ---------------------------------------------------------------------------


@pytest.fixture
def lit(said):
    return ActivityMonitor(ActivityLimits(1_000, photodiode="eye.in"), lambda *what: said.append(what))


def test_a_photodiode_may_stay_on_for_as_long_as_its_picture_stays(lit, said):
    lit.on_frame_shown(1, 50)
    lit.on_edge(edge("eye.in", 1, 60))
    assert lit.next_check_us > 1 << 61
    lit.check(900_000)
    assert said == []


@pytest.mark.parametrize(("frames", "levels", "since_us"), [([1], [], 50), ([1, 2], [1], 60), ([], [1], 60)])
def test_a_photodiode_that_does_not_follow_the_screen_is_named(lit, said, frames, levels, since_us):
    for number, frame in enumerate(frames):
        lit.on_frame_shown(frame, 50 + number)
    for level in levels:
        lit.on_edge(edge("eye.in", level, 60))
    assert lit.next_check_us == since_us + 1_000
    lit.check(since_us + 999)
    assert said == []
    lit.check(since_us + 1_000)
    assert said == [("photodiode", "eye.in", since_us)]


def test_any_other_input_beside_a_photodiode_is_stuck_when_it_stays_on(lit, said):
    lit.on_frame_shown(1, 50)
    lit.on_edge(edge("left", 1, 60))
    lit.on_edge(edge("eye.in", 1, 60))
    lit.check(1_060)
    assert said == [("stuck", "left", 60)]


# --- an animal that does nothing ------------------------------------------------------------------------------


@pytest.fixture
def patient(said):
    limits = ActivityLimits(alert_us=100, idle_us=250, external_inputs=frozenset({"sync.in"}))
    return ActivityMonitor(limits, lambda *what: said.append(what))


def test_silence_is_said_once_and_then_ends_the_session(patient, said):
    assert [patient.check(t_us) for t_us in (99, 100, 200, 249)] == [None] * 4
    assert said == [("idle", "", 0)]
    end = patient.check(250)
    assert end is not None
    assert end.reason == "idle"


def test_the_time_must_be_known_when_something_is_to_be_said(patient):
    assert patient.next_check_us == 100
    patient.check(100)
    assert patient.next_check_us == 250
    patient.on_edge(edge("left", 1, 120))
    assert patient.next_check_us == 220


def test_any_edge_of_the_animal_is_a_sign_of_life_and_a_machine_is_none(patient, said):
    for t_us in range(0, 1_000, 90):
        patient.on_edge(edge("left", t_us // 90 % 2, t_us))
        assert patient.check(t_us + 89) is None
    assert said == []
    patient.on_edge(edge("sync.in", 1, 1_200))
    assert patient.check(1_240) is not None


def test_without_limits_silence_is_no_matter(watch):
    assert watch.check(1 << 50) is None
