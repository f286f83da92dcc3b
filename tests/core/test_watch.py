import pytest

from rig.core.events import Edge
from rig.core.watch import InputWatch


@pytest.fixture
def said():
    return []


@pytest.fixture
def watch(said):
    return InputWatch(1_000, lambda *what: said.append(what))


def edge(channel, level, t_us):
    return Edge(channel, level, t_us, 0, 1)


@pytest.mark.parametrize(("at_us", "warnings"), [(1_049, []), (1_050, [("left", 50)]), (9_999, [("left", 50)])])
def test_an_input_that_stays_on_for_too_long_is_named_with_its_beginning(watch, said, at_us, warnings):
    watch.edge(edge("left", 1, 50))
    watch.tick(at_us)
    assert said == warnings


def test_a_stuck_input_is_named_once_until_it_changes(watch, said):
    watch.edge(edge("left", 1, 0))
    watch.tick(1_000)
    watch.tick(5_000)
    assert said == [("left", 0)]
    watch.edge(edge("left", 0, 6_000))
    watch.edge(edge("left", 1, 7_000))
    watch.tick(8_000)
    assert said == [("left", 0), ("left", 7_000)]


def test_an_input_that_went_off_in_time_is_not_stuck(watch, said):
    watch.edge(edge("left", 1, 0))
    watch.edge(edge("left", 0, 999))
    watch.tick(5_000)
    assert said == []


def test_off_before_it_was_ever_on_is_no_harm(watch, said):
    watch.edge(edge("left", 0, 0))
    watch.tick(5_000)
    assert said == []


def test_inputs_that_never_changed_are_listed_in_their_order(watch):
    watch.edge(edge("b", 0, 0))
    assert watch.silent(["c", "b", "a"]) == ["c", "a"]
