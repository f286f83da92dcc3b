"""The host's end of a TCP port that stands for a serial port."""

import asyncio
import errno
import socket
import struct
from collections.abc import Awaitable, Callable
from unittest.mock import Mock

import pytest

from rig.boards.serial import transport_tcp
from rig.boards.serial.driver import opened
from rig.boards.serial.transport import MOST_UNSENT_BYTES
from rig.boards.transport import QUIET_S, Transport
from rig.core.errors import BoardNotFoundError
from rig.system.tcp_address import LOOPBACK, TcpAddress
from tests.boards.serial.host_ends import EVERY_BYTE, HostEnd, until

SOON_S = 20.0


class Near(HostEnd):
    """The host's end, and the far end."""

    def __init__(self) -> None:
        super().__init__()
        with socket.create_server((LOOPBACK, 0)) as listener:
            self.address = TcpAddress(LOOPBACK, listener.getsockname()[1])
            self.transport: Transport = opened(str(self.address), 500_000)
            self.far, _ = listener.accept()
        self.far.setblocking(False)

    def read(self) -> bytes:
        try:
            return self.far.recv(1 << 16)
        except BlockingIOError:
            return b""


def on_a_loop(story: Callable[[Near], Awaitable[None]]) -> None:
    async def live() -> None:
        near = Near()
        try:
            await near.play(story(near), SOON_S)
        finally:
            near.far.close()

    asyncio.run(live())


def test_every_byte_passes_as_it_is_in_both_directions() -> None:
    async def story(near: Near) -> None:
        near.transport.write(EVERY_BYTE)  # before the loop has the connection
        near.far.send(EVERY_BYTE)
        await until(lambda: len(near.heard) == 256)
        near.transport.write(EVERY_BYTE)
        sent = b""
        while len(sent) < 512:
            sent += near.read()
            await asyncio.sleep(0.001)
        assert (near.heard, sent) == (EVERY_BYTE, 2 * EVERY_BYTE)

    on_a_loop(story)


def test_a_board_behind_it_may_have_been_reset() -> None:
    near = Near()
    assert QUIET_S - 1.5 < near.transport.quiet_s <= QUIET_S
    near.transport.close()
    near.far.close()


def test_a_board_that_takes_nothing_any_more_is_lost_once() -> None:
    async def story(near: Near) -> None:
        while not near.lost:
            near.transport.write(bytes(MOST_UNSENT_BYTES) * 64)
            await asyncio.sleep(0)
        near.transport.write(b"more")
        await asyncio.sleep(0.01)
        assert near.lost == [f"{near.address} takes nothing any more"]

    on_a_loop(story)


def hang_up(near: Near) -> None:
    near.far.close()


def reset(near: Near) -> None:
    """Close the far end with a reset, as a program that dies with unread bytes."""
    near.far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    near.far.close()


@pytest.mark.parametrize("end", [hang_up, reset])
def test_an_end_after_the_boards_first_word_is_a_pulled_cable(end: Callable[[Near], None]) -> None:
    async def story(near: Near) -> None:
        near.far.send(b"hello")
        await until(lambda: near.heard == b"hello")
        end(near)
        await until(lambda: bool(near.lost))
        near.transport.write(b"anyone?")
        await asyncio.sleep(0.01)
        assert len(near.lost) == 1
        assert near.lost[0].startswith(str(near.address))
        assert "was the cable pulled" in near.lost[0]

    on_a_loop(story)


@pytest.mark.parametrize("end", [hang_up, reset])
def test_an_end_before_it_names_the_likely_reason(end: Callable[[Near], None]) -> None:
    async def story(near: Near) -> None:
        end(near)
        await until(lambda: bool(near.lost))
        assert "does another program have it open?" in near.lost[0]

    on_a_loop(story)


def test_nothing_is_reported_after_closing() -> None:
    async def story(near: Near) -> None:
        await asyncio.sleep(0.01)
        near.transport.close()
        near.transport.close()
        near.transport.write(b"nothing")
        await asyncio.sleep(0.01)
        near.far.close()
        await asyncio.sleep(0.01)
        assert (near.heard, near.lost) == (b"", [])

    on_a_loop(story)


def test_a_connection_that_is_closed_before_the_loop_has_it_leaves_no_socket_open() -> None:
    async def story(near: Near) -> None:
        near.transport.close()
        await until(lambda: near.transport._socket.fileno() < 0)  # type: ignore[attr-defined]
        assert near.lost == []

    on_a_loop(story)


def test_a_connection_that_was_never_started_closes() -> None:
    near = Near()
    near.transport.close()
    assert near.far.recv(10) == b""
    near.far.close()


def test_what_was_written_just_before_closing_still_arrives() -> None:
    async def story(near: Near) -> None:
        await asyncio.sleep(0.01)
        near.transport.write(b"all off")
        near.transport.close()
        await until(lambda: near.read() == b"all off")

    on_a_loop(story)


# --- what cannot be opened ----------------------------------------------------------------------------------------


def refusal(address: TcpAddress) -> str:
    with pytest.raises(BoardNotFoundError) as caught:
        opened(str(address), 500_000)
    return str(caught.value)


def free_address() -> TcpAddress:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return TcpAddress(LOOPBACK, listener.getsockname()[1])


def test_a_port_without_a_program_is_refused_with_what_to_start() -> None:
    address = free_address()
    assert refusal(address) == (
        f"{address}: no program listens there: start one, such as `rig board serve RIG --tcp {address.port}`"
    )


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutError("timed out"), "no computer answers there"),
        (socket.gaierror(-2, "Name or service not known"), "no computer has the name 127.0.0.1"),
        (PermissionError(13, "Permission denied"), "cannot be opened: Permission denied"),
    ],
)
def test_another_failure_names_its_reason(monkeypatch: pytest.MonkeyPatch, error: OSError, why: str) -> None:
    def refuse(*words: object, **more: object) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", refuse)
    assert why in refusal(free_address())


def test_a_connection_to_itself_is_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may give the free port, to which it connects, to our own end."""
    address = free_address()

    def connect_to_itself(to: tuple[str, int], timeout: float) -> socket.socket:
        end = socket.socket()
        end.bind(to)
        end.connect(to)
        return end

    monkeypatch.setattr(transport_tcp.socket, "create_connection", connect_to_itself)
    assert "no program listens there" in refusal(address)


@pytest.mark.parametrize("question", ["getpeername", "setsockopt"])
def test_a_connection_that_has_ended_at_once_is_refused_and_closed(
    monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """The system then refuses every question about the connection."""
    ended = Mock(spec=socket.socket, getsockname=lambda: (LOOPBACK, 1), getpeername=lambda: (LOOPBACK, 2))
    setattr(ended, question, Mock(side_effect=OSError(errno.ENOTCONN, "Transport endpoint is not connected")))
    monkeypatch.setattr(transport_tcp.socket, "create_connection", lambda to, timeout: ended)
    assert "has hung up before the board answered" in refusal(free_address())
    ended.close.assert_called_once_with()
