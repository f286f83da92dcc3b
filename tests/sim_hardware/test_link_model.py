"""The cable: what one end sends, when and how it reaches the other, and what can be done to it."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_hardware.link_model import FTDI_BRIDGE, UNO_BRIDGE, CableTransport, LinkFaults, SerialCable
from tests.sim_hardware.fake_clock import FakeClock


class Ends:
    """A cable with a listener at each end."""

    def __init__(self, **faults: Any) -> None:
        self.clock = FakeClock()
        self.cable = SerialCable(self.clock, LinkFaults(**faults))
        self.at_board: list[tuple[float, bytes]] = []
        self.at_host: list[tuple[float, bytes]] = []
        self.lost: list[str] = []
        self.cable.to_board.deliver = lambda data: self.at_board.append((self.clock.time(), data))
        self.host = CableTransport(self.cable)
        self.host.start(lambda data: self.at_host.append((self.clock.time(), data)), self.lost.append)

    def later(self, when: float, what: Callable[..., object], *args: Any) -> None:
        self.clock.call_at(when, what, *args)


def joined(arrived: list[tuple[float, bytes]]) -> bytes:
    return b"".join(data for _, data in arrived)


def test_bytes_arrive_unharmed_after_the_latency_each_way() -> None:
    ends = Ends(latency_s=0.002)
    ends.later(1.0, ends.host.write, b"to the board")
    ends.later(1.0, ends.cable.to_host.send, b"to the host")
    ends.clock.run()
    assert ends.at_board == [(1.002, b"to the board")]
    assert ends.at_host == [(1.002, b"to the host")]


def test_nothing_is_delivered_within_the_call_that_sent_it_even_without_latency() -> None:
    ends = Ends(latency_s=0.0)
    ends.host.write(b"x")
    assert ends.at_board == []
    ends.clock.run()
    assert ends.at_board == [(0.0, b"x")]


@given(st.integers(0, 1000), st.lists(st.floats(0, 0.05), min_size=2, max_size=40))
def test_jitter_delays_and_never_reorders(seed: int, gaps: list[float]) -> None:
    ends = Ends(latency_s=0.001, jitter_s=0.02, seed=seed)
    now, sent = 0.0, []
    for place, gap in enumerate(gaps):
        now += gap
        sent.append(now)
        ends.later(now, ends.cable.to_host.send, bytes([place]))
    ends.clock.run()
    assert [data for _, data in ends.at_host] == [bytes([place]) for place in range(len(gaps))]
    for sent_at, (arrived_at, _) in zip(sent, ends.at_host, strict=True):
        assert sent_at + 0.001 <= arrived_at <= sent_at + 0.021 + 1e-12


def test_jitter_is_spread_over_its_range() -> None:
    ends = Ends(latency_s=0.0, jitter_s=0.01)
    for place in range(200):
        ends.later(float(place), ends.cable.to_host.send, b"x")
    ends.clock.run()
    delays = [arrived_at - place for place, (arrived_at, _) in enumerate(ends.at_host)]
    assert min(delays) < 0.002
    assert max(delays) > 0.008
    assert abs(sum(delays) / 200 - 0.005) < 6 * 0.01 / math.sqrt(12 * 200)


BYTES = 60_000


def many(**faults: Any) -> bytes:
    ends = Ends(latency_s=0.0, **faults)
    for _ in range(BYTES // 100):
        ends.cable.to_host.send(bytes(100))
    ends.clock.run()
    return joined(ends.at_host)


def sigma(rate: float) -> float:
    return math.sqrt(BYTES * rate * (1 - rate))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rate", [0.001, 0.02])
def test_bytes_are_dropped_doubled_and_flipped_at_the_rates_that_were_asked_for(rate: float, seed: int) -> None:
    assert abs(BYTES - len(many(drop=rate, seed=seed)) - BYTES * rate) < 6 * sigma(rate)
    assert abs(len(many(double=rate, seed=seed)) - BYTES - BYTES * rate) < 6 * sigma(rate)
    flipped = Counter(many(flip=rate, seed=seed))
    assert sum(flipped.values()) == BYTES
    assert abs(BYTES - flipped[0] - BYTES * rate) < 6 * sigma(rate)
    assert set(flipped) <= {0, *(1 << bit for bit in range(8))}
    if rate == 0.02:
        assert len(flipped) == 9


def test_damage_is_the_same_for_the_same_seed_and_different_each_way() -> None:
    def both(seed: int) -> tuple[bytes, bytes]:
        ends = Ends(drop=0.2, flip=0.2, seed=seed)
        ends.host.write(bytes(200))
        ends.cable.to_host.send(bytes(200))
        ends.clock.run()
        return joined(ends.at_board), joined(ends.at_host)

    assert both(1) == both(1)
    assert both(1) != both(2)
    assert both(1)[0] != both(1)[1]


# --- the plug -----------------------------------------------------------------------------------------------


def test_a_pulled_cable_carries_nothing_any_more_and_the_host_is_reported_once() -> None:
    ends = Ends(latency_s=0.01)
    ends.later(0.0, ends.cable.to_host.send, b"in time")
    ends.later(0.015, ends.cable.to_host.send, b"on its way")
    ends.later(0.02, ends.cable.disconnect)
    ends.later(0.02, ends.cable.disconnect)
    ends.later(0.03, ends.cable.to_host.send, b"too late")
    ends.later(0.03, ends.host.write, b"too late")
    ends.clock.run()
    assert joined(ends.at_host) == b"in time"
    assert ends.at_board == []
    assert ends.lost == ["the cable was pulled"]


@pytest.mark.parametrize("limit", [0, 1, 7, 8, 9])
def test_a_cable_that_is_cut_after_so_many_bytes_carries_no_more_than_those(limit: int) -> None:
    ends = Ends(latency_s=0.001, cut_after_bytes=limit)
    for place in range(8):
        ends.later(float(place), ends.host.write if place % 2 else ends.cable.to_host.send, b"12")
    ends.clock.run()
    arrived = len(joined(ends.at_host)) + len(joined(ends.at_board))
    assert arrived == limit // 2 * 2
    assert ends.lost == ["the cable was pulled"]


def test_a_cable_that_is_not_used_up_is_not_cut() -> None:
    ends = Ends(cut_after_bytes=10)
    ends.host.write(b"0123456789")
    ends.clock.run()
    assert joined(ends.at_board) == b"0123456789"
    assert ends.lost == []


def test_a_host_that_has_let_go_hears_nothing_and_may_still_be_heard() -> None:
    ends = Ends()
    ends.cable.to_host.send(b"on its way")
    ends.host.write(b"all off")
    ends.host.close()
    ends.clock.run()
    assert ends.at_host == []
    assert joined(ends.at_board) == b"all off"


# --- a receiver that does not read --------------------------------------------------------------------------


def test_what_is_held_arrives_in_one_piece_when_it_is_released_and_in_order() -> None:
    ends = Ends(latency_s=0.001)
    lane = ends.cable.to_host
    ends.later(0.0, lane.send, b"a")
    ends.later(1.0, lane.hold)
    ends.later(1.0, lane.send, b"b")
    ends.later(2.0, lane.hold)
    ends.later(2.0, lane.send, b"c")
    ends.later(3.0, lane.release)
    ends.later(4.0, lane.send, b"d")
    ends.later(5.0, lane.release)
    ends.clock.run()
    assert ends.at_host == [(0.001, b"a"), (3.0, b"bc"), (4.001, b"d")]


def test_holding_one_way_does_not_hold_the_other() -> None:
    ends = Ends(latency_s=0.001)
    ends.cable.to_host.hold()
    ends.host.write(b"x")
    ends.cable.to_host.send(b"y")
    ends.clock.run()
    assert joined(ends.at_board) == b"x"
    assert ends.at_host == []


# --- the USB chip ---------------------------------------------------------------------------------------------


def test_the_usb_chip_of_an_uno_hands_bytes_over_at_most_one_period_later() -> None:
    ends = Ends(latency_s=0.0, **UNO_BRIDGE)
    sent = [n * 0.001_7 for n in range(500)]
    for at in sent:
        ends.later(at, ends.cable.to_host.send, b"edge")
    ends.clock.run()
    arrived = [at for at, data in ends.at_host for _ in range(len(data) // 4)]
    delays = [there - at for there, at in zip(arrived, sent, strict=True)]
    assert joined(ends.at_host) == b"edge" * len(sent)
    assert 0 <= min(delays) < max(delays) <= UNO_BRIDGE["bridge_s"] + 1e-9
    assert sum(delays) / len(delays) == pytest.approx(UNO_BRIDGE["bridge_s"] / 2, rel=0.05)


def test_the_usb_chip_hands_a_full_packet_over_at_once() -> None:
    ends = Ends(latency_s=0.0, **UNO_BRIDGE)
    ends.later(1.0, ends.cable.to_host.send, bytes(200))
    ends.clock.run()
    assert [(at, len(data)) for at, data in ends.at_host[:2]] == [(1.0, 96), (1.0, 96)]
    assert len(joined(ends.at_host)) == 200


def test_the_usb_chip_holds_nothing_back_on_the_way_to_the_board() -> None:
    ends = Ends(latency_s=0.0, **FTDI_BRIDGE)
    ends.later(1.0, ends.host.write, b"order")
    ends.clock.run()
    assert ends.at_board == [(1.0, b"order")]


def test_the_timer_of_the_usb_chip_has_its_own_phase_by_the_seed() -> None:
    def arrival(seed: int) -> float:
        ends = Ends(latency_s=0.0, seed=seed, **UNO_BRIDGE)
        ends.later(1.0, ends.cable.to_host.send, b"edge")
        ends.clock.run()
        return ends.at_host[0][0]

    assert arrival(1) == arrival(1) != arrival(2)
