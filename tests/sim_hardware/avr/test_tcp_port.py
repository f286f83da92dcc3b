"""A served TCP port: one program at a time, whatever others do. The time is virtual, the sockets are real."""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable

import pytest

from rig.core.errors import ConfigError
from rig.system.tcp_address import LOOPBACK, TcpAddress, parse_url
from sim_hardware.avr.tcp_port import MOST_UNREAD_BYTES, SILENT_S, TcpPort
from tests.virtual_sockets import socket_loops

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux's loopback delivers at once")


class Device:
    """A device that records what reaches it."""

    def __init__(self) -> None:
        self.openings = 0
        self.received = b""
        self.port = TcpPort(TcpAddress(LOOPBACK, 0), self)

    def handle_opening(self) -> None:
        self.openings += 1

    def handle_bytes(self, data: bytes) -> None:
        self.received += data

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        address = parse_url(self.port.name)
        ends = await asyncio.open_connection(address.host, address.port)
        await settled()
        return ends


async def settled() -> None:
    """Wait until all that was sent has arrived."""
    await asyncio.sleep(0.001)


def at_a_port(story: Callable[[Device], Awaitable[None]]) -> None:
    async def main() -> None:
        device = Device()
        device.port.plug()
        try:
            await story(device)
        finally:
            device.port.unplug()
            await settled()

    with socket_loops() as runner:
        runner.run(main())


def test_bytes_pass_both_ways_and_an_opening_is_reported_once() -> None:
    async def story(device: Device) -> None:
        reader, writer = await device.connect()
        writer.write(bytes(range(256)))
        await settled()
        device.port.write(b"edge")
        assert await reader.read(100) == b"edge"
        assert (device.openings, device.received) == (1, bytes(range(256)))
        writer.close()

    at_a_port(story)


def test_a_second_program_is_hung_up_on_and_the_first_notices_nothing() -> None:
    async def story(device: Device) -> None:
        _, writer = await device.connect()
        for _ in range(100):
            second, end = await device.connect()
            assert await ended(second)
            end.close()
        writer.write(b"mine")
        await settled()
        assert (device.openings, device.received, device.port.is_open) == (1, b"mine", True)
        writer.close()

    at_a_port(story)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the other end has closed the connection."""
    try:
        return await asyncio.wait_for(reader.read(1), 0.1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_a_program_that_has_closed_the_port_leaves_it_to_the_next() -> None:
    async def story(device: Device) -> None:
        for expected in (1, 2, 3):
            _, writer = await device.connect()
            writer.close()
            await settled()
            assert (device.openings, device.port.is_open) == (expected, False)

    at_a_port(story)


@pytest.mark.parametrize(("silent_s", "is_taken"), [(SILENT_S - 0.5, False), (SILENT_S, True)])
def test_a_program_without_a_session_loses_the_port_to_the_next_after_the_longest_lease(
    silent_s: float, *, is_taken: bool
) -> None:
    """So does one whose computer has gone without a word: the connection then stays half open."""

    async def story(device: Device) -> None:
        silent, writer = await device.connect()
        await asyncio.sleep(silent_s)
        assert not await ended(silent), "no other program wants it"
        _, next_writer = await device.connect()
        assert (await ended(silent), device.openings) == (is_taken, 1 + is_taken)
        for end in (writer, next_writer):
            end.close()

    at_a_port(story)


def test_a_program_with_a_session_keeps_the_port() -> None:
    async def story(device: Device) -> None:
        reader, writer = await device.connect()
        for _ in range(100):
            writer.write(b"\0")
            await asyncio.sleep(SILENT_S / 5)
        second, end = await device.connect()
        assert await ended(second)
        assert not await ended(reader)
        for open_end in (writer, end):
            open_end.close()

    at_a_port(story)


def test_a_pulled_cable_refuses_every_program_and_the_port_comes_back_with_its_number() -> None:
    async def story(device: Device) -> None:
        name = device.port.name
        reader, writer = await device.connect()
        device.port.unplug()
        device.port.unplug()
        device.port.write(b"lost")
        assert await ended(reader)
        with pytest.raises(ConnectionRefusedError):
            await device.connect()
        device.port.plug()
        device.port.plug()
        assert device.port.name == name
        _, again = await device.connect()
        assert device.openings == 2
        for end in (writer, again):
            end.close()

    at_a_port(story)


def test_a_port_that_is_unplugged_at_once_leaves_no_listener() -> None:
    async def story(device: Device) -> None:
        device.port.unplug()
        with pytest.raises(ConnectionRefusedError):
            await device.connect()

    at_a_port(story)


def test_a_program_that_does_not_read_costs_no_memory() -> None:
    async def story(device: Device) -> None:
        address = parse_url(device.port.name)
        deaf = socket.create_connection((address.host, address.port))
        await settled()
        for _ in range(2_000):
            device.port.write(bytes(1024) * 8)
        program = device.port._program
        assert program is not None
        assert program._transport is not None
        assert program._transport.get_write_buffer_size() < MOST_UNREAD_BYTES + 8 * 1024
        deaf.close()

    at_a_port(story)


def test_a_stalled_port_keeps_what_a_program_sends() -> None:
    async def story(device: Device) -> None:
        device.port.stall(True)
        _, writer = await device.connect()
        writer.write(b"orders")
        await settled()
        device.port.stall(True)
        assert device.received == b""
        device.port.stall(False)
        await settled()
        assert device.received == b"orders"
        writer.close()

    at_a_port(story)


def test_a_port_that_another_program_has_is_refused_with_what_to_do() -> None:
    async def story(device: Device) -> None:
        other = TcpPort(parse_url(device.port.name), device)
        with pytest.raises(ConfigError, match=r"cannot be served: .*in use.*: give another one"):
            other.plug()

    at_a_port(story)


def test_a_host_that_is_not_this_computer_is_refused() -> None:
    async def story(device: Device) -> None:
        with pytest.raises(ConfigError, match=r"of no-such-host\.invalid: cannot be served"):
            TcpPort(TcpAddress("no-such-host.invalid", 0), device).plug()

    at_a_port(story)
