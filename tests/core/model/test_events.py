import pytest
from msgspec.structs import replace

from rig.core.model.events import BoardTime, Edge, Fault, Flood, LeaseExpired, Overflow, Refused, Request, ZoneEvent


@pytest.mark.parametrize(
    ("channel", "source"), [("left.beam", "left"), ("lever", "lever"), ("wheel.a.rising", "wheel"), (".beam", "")]
)
def test_an_edge_knows_the_device_it_comes_from(channel, source):
    assert Edge(0, channel, 1, 0, 1).source == source


def test_two_edges_are_the_same_when_everything_about_them_is():
    edge = Edge(5, "left.beam", 1, 0, 1)
    assert edge == Edge(5, "left.beam", 1, 0, 1)
    assert all(edge != replace(edge, **{name: 9}) for name in ("level", "t_us", "fired", "number"))


@pytest.mark.parametrize("event", [Edge, BoardTime, Refused, LeaseExpired, Overflow, Flood, ZoneEvent, Request, Fault])
def test_every_event_has_a_time(event):
    assert event.__struct_fields__[0] == "t_us"


@pytest.mark.parametrize("event", [Edge, BoardTime, Refused, LeaseExpired, Overflow, Flood])
def test_what_a_board_tells_has_its_number_in_the_boards_order(event):
    assert event.__struct_fields__[-1] == "number"


def test_a_crossing_is_an_edge_in_no_boards_order_that_fires_nothing():
    edge = ZoneEvent(5, "left.zone", 1, 77, 900).edge
    assert edge == Edge(5, "left.zone", 1, fired=0, number=0)


def test_a_request_of_a_host_without_a_board_is_exact():
    assert Request(5, "stop") == Request(5, "stop", raw_us=0, uncertainty_us=0)
