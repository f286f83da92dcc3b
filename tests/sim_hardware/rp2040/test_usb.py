"""The port of a Pico as the computer at its cable has it: packets, openings, cables, and the way to the bootloader."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Pulse, Set
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ, ResetCause, TraceEvent
from sim_hardware.avr.firmware import firmware_image
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.rp2040.firmware_chip import firmware_on_usb
from tests.avr_tools import need_pico_tools
from tests.sim_hardware.avr.line import Line

pytestmark = pytest.mark.slow

US, MS = HZ // 1_000_000, HZ // 1_000
VALVE, LIGHT, INPUT = 8, 22, 2
CHANNELS = (
    Input("plain", Role.LINE, INPUT, 0, 0, 0),
    Output("valve", Role.LINE, VALVE, max_on_us=60_000_000),
    Output("light", Role.LINE, LIGHT, inverted=True),
)
PULSE = Arm(1, None, (("plain", 1, Pulse("valve", 1_000)),))
DATA_IN, DATA_OUT = 0x82, 0x02
HELLO = frame.encode(wire.GET_HELLO.pack())


class UsbLine(Line):
    """A board on USB. What the model of the controller finds wrong is a failure."""

    chip: Avr8jsChip

    def __init__(self, seed: int = 0) -> None:
        super().__init__("pico", CHANNELS, lambda kind, baud, _: firmware_on_usb(kind, baud, seed))

    def state(self, command: str = "state", **arguments: object) -> dict[str, Any]:
        state = self.chip.usb(command, **arguments)
        assert state["faults"] == []
        return state

    def transfer(self, *setup: int, data: Sequence[int] = (), steps: int | None = None) -> list[Any]:
        """Make a control transfer: a setup of eight bytes. Return its end, and the bytes of the device.

        ``steps`` is after how many transactions the host breaks it off.
        """
        self.state("transfer", setup=setup, data=data, steps=steps)
        for _ in range(100):
            self.run(MS)
            results = self.state()["results"]
            if results:
                (result,) = results
                return list(result)
        raise AssertionError("the transfer does not end")

    def set_open(self, is_open: bool) -> None:
        self.state("open", isOn=is_open)
        self.run(5 * MS)
        assert self.state()["isOpen"] == is_open

    def edge(self, level: int) -> None:
        self.chip.pin(INPUT, level)
        self.run(MS)

    def pulses(self) -> int:
        """Return how many pulses of the valve have begun since the last call."""
        count = sum(pin == VALVE and level == 1 for _, pin, level in self.levels)
        self.levels.clear()
        return count

    def last_stamp(self) -> int:
        """Return the stamp of the last edge of the session, in ticks."""
        return int([message for message in self.answers if message[0] == wire.EDGE.code][-1][-1])

    def edges_heard(self) -> list[int]:
        """Return the levels of the edges of the session, in their order."""
        first: dict[int, int] = {}
        for message in self.answers:
            if message[0] == wire.EDGE.code:
                first.setdefault(message[1], message[2] >> 7)
        return list(first.values())


@pytest.fixture
def line() -> Iterator[UsbLine]:
    need_pico_tools()
    usb = UsbLine()
    yield usb
    usb.state()


def test_a_computer_finds_the_board_by_its_names_and_opens_it(line: UsbLine) -> None:
    maker, product, number = line.state()["strings"]
    assert (maker, product) == ("rig", "rig board")
    assert len(bytes.fromhex(number)) == 8
    assert UsbLine(1).state()["strings"][2] != number
    assert line.hello().opened.name == "pico"


def test_orders_and_events_pass_while_the_line_is_full(line: UsbLine) -> None:
    line.open()
    levels = []
    for turn in range(40):
        line.chip.send(HELLO * 12)
        line.edge(1 - turn % 2)
        levels.append(1 - turn % 2)
        line.order(Set("light", turn % 2 == 0))
    line.run(100 * MS)
    assert len(line.edges_heard()) == len(levels)
    hellos = [message for message in line.answers if message[0] == wire.HELLO.code]
    assert len(hellos) == 40 * 12
    assert line.ask(wire.GET_HEALTH.pack(), wire.HEALTH)[1] == 0, "frames were damaged"


def test_an_edge_has_its_stamp_and_reaches_its_pin_as_ever_while_packets_come_and_go(line: UsbLine) -> None:
    start = line.open()
    delays, stamps = [], []
    for turn in range(60):
        line.order(PULSE)
        line.run(2 * MS)
        line.chip.send(frame.encode(wire.EVENT_ACK.pack(line.heard, 5)) * 10)
        line.run((100 + 7 * turn) * US)
        line.levels.clear()
        at = line.chip.cycle
        line.edge(1)
        delays.append(next(cycle for cycle, pin, level in line.levels if pin == VALVE and level) - at)
        stamps.append((line.last_stamp() - start) * US / 2 - at)
        line.edge(0)
    assert max(delays) <= 13 * US
    assert max(stamps) - min(stamps) <= US


@pytest.mark.parametrize("seconds", [0.2, pytest.param(10, marks=pytest.mark.campaign)])
def test_while_the_computer_does_not_read_reflexes_work_and_events_are_kept(line: UsbLine, seconds: float) -> None:
    line.open(lease_ms=60_000)
    line.order(PULSE)
    line.state("read", isOn=False)
    for _ in range(20):
        line.edge(1)
        line.edge(0)
    assert line.pulses() == 1
    line.run(round(seconds * HZ))
    assert line.edges_heard() == []
    line.state("read", isOn=True)
    line.run(HZ // 2)
    assert line.edges_heard() == 20 * [1, 0]
    line.order(PULSE)
    line.edge(1)
    assert line.pulses() == 1


def test_what_the_board_has_no_room_for_is_counted_and_told(line: UsbLine) -> None:
    line.open(lease_ms=60_000)
    line.state("read", isOn=False)
    for turn in range(1_200):
        line.chip.pin(INPUT, 1 - turn % 2)
        line.run(MS // 4)
    line.state("read", isOn=True)
    line.run(50 * MS)
    line.chip.send(frame.encode(wire.EVENT_ACK.pack(line.heard, 0)))
    line.run(50 * MS)
    line.edge(1)
    line.run(50 * MS)
    (overflow,) = {message for message in line.answers if message[0] == wire.OVERFLOW.code}
    lost = 1_201 - len(line.edges_heard())
    assert lost > 0
    assert overflow[2] == lost
    assert line.ask(wire.GET_HEALTH.pack(), wire.HEALTH)[4] == lost


def test_a_reset_of_the_bus_leaves_the_session_as_it_is(line: UsbLine) -> None:
    line.open()
    line.order(PULSE)
    line.chip.send(HELLO * 20)
    line.run(300 * US)
    line.state("reset")
    line.edge(1)
    assert line.pulses() == 1
    line.run(60 * MS)
    assert line.state()["isOpen"]
    line.chip.send(HELLO)
    line.run(HZ // 2)
    assert line.edges_heard() == [1]
    line.order(Set("light", True))


def test_a_cable_that_is_put_back_finds_the_session_where_it_is(line: UsbLine) -> None:
    line.open(lease_ms=60_000)
    line.order(PULSE)
    line.state("plug", isOn=False)
    line.run(HZ)
    line.edge(1)
    assert line.pulses() == 1
    line.state("plug", isOn=True)
    line.run(60 * MS)
    assert line.state()["isOpen"]
    line.chip.send(HELLO)
    line.run(HZ // 2)
    assert line.edges_heard() == [1]


def test_half_a_frame_of_the_time_before_spoils_no_frame_after_an_opening(line: UsbLine) -> None:
    line.open()
    line.state("read", isOn=False)
    line.chip.send(HELLO * 6 + HELLO[:-3])
    line.run(10 * MS)
    line.set_open(False)
    line.edge(1)
    line.run(100 * MS)
    line.state("read", isOn=True)
    line.answers.clear()
    line.set_open(True)
    assert len(line.answers) == 1, "the packet that was offered before has one HELLO and a half"
    line.run(100 * MS)
    assert len(line.answers) == 1, "the board is silent until the computer speaks"
    line.chip.send(HELLO)
    line.run(10 * MS)
    assert [message[0] for message in line.answers][:2] == [wire.HELLO.code] * 2


def test_a_closed_port_is_told_nothing_and_its_session_lasts_until_its_lease(line: UsbLine) -> None:
    line.open(lease_ms=500)
    line.order(Set("valve", True))
    line.set_open(False)
    line.answers.clear()
    line.edge(1)
    line.levels.clear()
    line.run(HZ)
    assert [(pin, level) for _, pin, level in line.levels] == [(VALVE, 0)]
    line.chip.send(HELLO)
    line.run(10 * MS)
    line.set_open(True)
    assert line.answers == []


def test_a_stalled_endpoint_goes_on_when_the_computer_clears_it(line: UsbLine) -> None:
    for endpoint in (DATA_IN, DATA_OUT):
        assert line.transfer(2, 3, 0, 0, endpoint, 0, 0, 0) == ["ack"]
        assert line.transfer(0x82, 0, 0, 0, endpoint, 0, 2, 0) == ["ack", 1, 0]
        line.chip.send(HELLO)
        line.run(20 * MS)
        assert line.transfer(2, 1, 0, 0, endpoint, 0, 0, 0) == ["ack"]
        line.run(20 * MS)
        assert line.hello().opened.name == "pico"


def test_a_refused_request_harms_nothing(line: UsbLine) -> None:
    assert line.transfer(0xC0, 0x51, 0, 0, 0, 0, 18, 0) == ["stall"]
    assert line.transfer(0x40, 0x51, 0, 0, 0, 0, 2, 0, data=(1, 2)) == ["stall"]
    assert line.transfer(0x80, 8, 0, 0, 0, 0, 1, 0) == ["ack", 1]
    assert line.hello().opened.name == "pico"


def test_a_request_that_is_broken_off_leaves_nothing_to_the_next_one(line: UsbLine) -> None:
    get_configuration = (0x80, 6, 0, 2, 0, 0, 67, 0)
    set_coding = {"setup": (0x21, 0x20, 0, 0, 0, 0, 7, 0), "data": (0xB0, 4, 0, 0, 0, 0, 8)}
    for steps in (1, 2, 3):
        assert line.transfer(*get_configuration, steps=steps)[0] == "aborted"
        assert line.transfer(0x80, 8, 0, 0, 0, 0, 1, 0) == ["ack", 1]
    assert line.transfer(*set_coding["setup"], data=set_coding["data"], steps=1) == ["aborted"]
    assert line.transfer(0xA1, 0x21, 0, 0, 0, 0, 7, 0) == ["ack", 0x20, 0xA1, 7, 0, 0, 0, 8]
    assert len(line.transfer(*get_configuration)) == 1 + 67


def test_1200_baud_and_a_closed_port_start_the_bootloader_with_the_outputs_at_rest(line: UsbLine) -> None:
    line.open()
    line.order(Set("valve", True), Set("light", True))
    line.state("baud", baud=1_200)
    line.run(20 * MS)
    line.state("open", isOn=False)
    events = []
    while not any(event.kind is TraceEvent.BOOTLOADER for event in events):
        events += line.chip.run(line.chip.cycle + 5 * MS)
    kinds = [(event.kind, event.pin, event.value) for event in events if event.kind is not TraceEvent.BYTE]
    assert kinds == [
        (TraceEvent.LEVEL, VALVE, 0),
        (TraceEvent.LEVEL, LIGHT, 1),
        (TraceEvent.BOOTLOADER, 0, 0),
        # A pin that is no output has the level of its resistor.
        (TraceEvent.LEVEL, LIGHT, 0),
    ]


def test_the_computer_of_the_simulator_s_own_authors_finds_the_port_too() -> None:
    """rp2040js has a host of its own. It reads at once and knows no toggles, but we have not written it."""
    need_pico_tools()
    line = Line("pico", CHANNELS, lambda kind, baud, seed: Avr8jsChip(kind, [firmware_image()], port="usb-cdc"))
    assert line.hello().opened.name == "pico"
    line.open()
    line.order(PULSE)
    line.chip.pin(INPUT, 1)
    line.run(10 * MS)
    assert [message[2] >> 7 for message in line.answers if message[0] == wire.EDGE.code][:1] == [1]


def test_a_board_that_starts_again_is_found_again(line: UsbLine) -> None:
    line.chip.reset(ResetCause.BUTTON)
    line.chip.run(line.chip.cycle)
    line.run(60 * MS)
    assert line.hello().reset == "button"
