"""A real port, played by a pseudo-terminal: what is true of it holds for every other port of this system."""

import asyncio
import errno
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace

import pytest
import serial

from rig.boards.serial import transport
from rig.boards.serial.board import SerialBoard
from rig.boards.serial.transport import MOST_UNSENT_BYTES, PolledTransport, SerialTransport, open_transport
from rig.boards.transport import QUIET_S
from rig.core.engine.inbox import Inbox
from rig.core.journal.journal import Journal
from rig.core.model.actions import Set
from rig.core.model.board import Output, Wiring
from rig.core.model.channels import Role
from sim_hardware.board.board import SimBoard
from tests.boards.serial.host_ends import EVERY_BYTE, HostEnd, until

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX"),
]

SOON_S = 5.0


class Far:
    """The far end of a port: what a board would hold."""

    def __init__(self) -> None:
        self.fd, self._near = os.openpty()
        self.path = os.ttyname(self._near)
        os.set_blocking(self.fd, False)

    def read(self) -> bytes:
        try:
            return os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return b""

    def hang_up(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def close(self) -> None:
        self.hang_up()
        os.close(self._near)


@pytest.fixture
def far() -> Iterator[Far]:
    end = Far()
    yield end
    end.close()


class Near(HostEnd):
    """The host's end of a serial port."""

    def __init__(self, far: Far) -> None:
        super().__init__()
        self.transport = SerialTransport(far.path, 500_000)


def on_a_loop(far: Far, story: Callable[[Near], Awaitable[None]]) -> None:
    async def live() -> None:
        near = Near(far)
        await near.play(story(near), SOON_S)

    asyncio.run(live())


def test_every_byte_passes_as_it_is_in_both_directions(far: Far) -> None:
    async def story(near: Near) -> None:
        os.write(far.fd, EVERY_BYTE)
        await until(lambda: len(near.heard) == 256)
        near.transport.write(EVERY_BYTE)
        sent = b""
        while len(sent) < 256:
            sent += far.read()
            await asyncio.sleep(0.001)
        assert near.heard == sent == EVERY_BYTE

    on_a_loop(far, story)


def test_what_the_port_cannot_take_yet_is_sent_later_and_in_order(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_UNSENT_BYTES", 1 << 20)

    async def story(near: Near) -> None:
        said = b"".join(n.to_bytes(4, "big") for n in range(50_000))
        for start in range(0, len(said), 1000):
            near.transport.write(said[start : start + 1000])
        read = b""
        while len(read) < len(said):
            read += far.read()
            await asyncio.sleep(0)
        assert read == said
        near.transport.write(b"and on")
        await until(lambda: far.read() == b"and on")
        assert near.lost == []

    on_a_loop(far, story)


def test_a_port_that_takes_nothing_any_more_is_lost_once_and_says_so(far: Far) -> None:
    async def story(near: Near) -> None:
        for _ in range(200):
            near.transport.write(bytes(1000))
        assert near.lost == []
        await until(lambda: bool(near.lost))
        near.transport.write(b"more")
        await asyncio.sleep(0.01)
        assert len(near.lost) == 1
        assert "takes nothing any more" in near.lost[0]
        assert far.path in near.lost[0]

    on_a_loop(far, story)
    assert MOST_UNSENT_BYTES >= 48


def test_a_port_that_goes_away_is_lost_once_and_says_so(far: Far) -> None:
    async def story(near: Near) -> None:
        far.hang_up()
        await until(lambda: bool(near.lost))
        near.transport.write(b"anyone?")
        await asyncio.sleep(0.01)
        assert len(near.lost) == 1
        assert near.lost[0].startswith(far.path)
        assert near.lost[0].endswith("was the cable pulled?")

    on_a_loop(far, story)


def test_a_port_found_gone_while_writing_is_lost_after_the_write_and_not_within(
    far: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(near: Near) -> None:
        def refuse(fd: int, data: bytes) -> int:
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(os, "write", refuse)
        near.transport.write(b"hello?")
        monkeypatch.undo()
        assert near.lost == []
        await until(lambda: bool(near.lost))
        assert "Input/output error" in near.lost[0]

    on_a_loop(far, story)


def test_silence_is_not_a_hang_up(far: Far) -> None:
    async def story(near: Near) -> None:
        near.transport._read()  # as after a wake-up for nothing
        await asyncio.sleep(0.01)
        assert near.lost == []
        os.write(far.fd, b"still here")
        await until(lambda: near.heard == b"still here")

    on_a_loop(far, story)


def test_nothing_is_reported_after_closing(far: Far) -> None:
    async def story(near: Near) -> None:
        near.transport.close()
        near.transport.close()
        near.transport.write(b"nothing")
        os.write(far.fd, b"nothing")
        await asyncio.sleep(0.01)
        far.hang_up()
        await asyncio.sleep(0.01)
        assert near.heard == b""
        assert near.lost == []

    on_a_loop(far, story)


def test_closing_calls_off_a_loss_that_was_not_told_yet(far: Far) -> None:
    async def story(near: Near) -> None:
        near.transport._fail("too late")
        near.transport.close()
        await asyncio.sleep(0.01)
        assert near.lost == []

    on_a_loop(far, story)


def test_closing_takes_no_time_even_with_bytes_that_nobody_reads(far: Far) -> None:
    async def story(near: Near) -> None:
        while not near.transport._unsent:
            near.transport.write(bytes(500))
        start = time.perf_counter()
        near.transport.close()
        assert time.perf_counter() - start < 0.5

    on_a_loop(far, story)


def test_what_was_written_just_before_closing_still_arrives(far: Far) -> None:
    async def story(near: Near) -> None:
        near.transport.write(b"all off")
        near.transport.close()
        await until(lambda: far.read() == b"all off")

    on_a_loop(far, story)


def test_a_port_that_still_owes_bytes_is_closed_beside_the_loop(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(near: Near) -> None:
        port = near.transport._port
        monkeypatch.setattr(SerialTransport, "_owes", lambda self: True)
        near.transport.close()
        await until(lambda: not port.is_open)

    on_a_loop(far, story)


def test_a_closed_port_can_be_opened_again(far: Far) -> None:
    for _ in range(3):
        open_transport(far.path, 500_000).close()


def test_a_port_that_a_session_has_is_refused_to_the_next(far: Far) -> None:
    first = open_transport(far.path, 500_000)
    with pytest.raises(OSError, match="lock") as caught:
        open_transport(far.path, 500_000)
    assert caught.value.errno == errno.EAGAIN
    first.close()


def test_settings_that_the_port_refuses_are_an_oserror(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    import termios  # here: Windows has none, and imports this file

    def refuse(*args: object) -> None:
        raise termios.error(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(termios, "tcsetattr", refuse)
    with pytest.raises(OSError, match="Invalid argument"):
        open_transport(far.path, 500_000)


def test_a_board_behind_a_port_is_opened_and_closed_like_any_other(far: Far) -> None:
    async def story(near: Near) -> None:
        loop = asyncio.get_running_loop()
        chip = SimBoard(loop, lambda data: os.write(far.fd, data) and None, lambda pin, value: None)
        loop.add_reader(far.fd, lambda: chip.receive(far.read()))
        inbox = Inbox(Journal(lambda line: None))
        board = SerialBoard(near.transport, loop, inbox)
        opened = await board.open(Wiring((Output("lamp", Role.LIGHT, 8),)))
        board.batch([Set("lamp.light", True)], 0, 0, 1)
        health = await board.close()
        loop.remove_reader(far.fd)
        assert opened.name == "sim"
        assert (health.complete, health.executed) == (True, 1)

    on_a_loop(far, story)


# --- Windows, whose ports are asked instead ---------------------------------------------------------------------


class FakeFast:
    """Stands in for pyserial-asyncio-fast, which is installed on Windows only."""

    def __init__(self, loop: asyncio.AbstractEventLoop, receiver: asyncio.Protocol, port: serial.Serial) -> None:
        self.receiver, self.port, self.sent, self.closed = receiver, port, b"", False

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def polled(far: Far, monkeypatch: pytest.MonkeyPatch) -> Iterator[PolledTransport]:
    monkeypatch.setitem(sys.modules, "serial_asyncio_fast", SimpleNamespace(SerialTransport=FakeFast))  # type: ignore[arg-type]
    monkeypatch.setattr(transport, "LOOP_WATCHES_PORTS", False)
    polled = open_transport(far.path, 500_000)
    assert isinstance(polled, PolledTransport)
    yield polled
    polled._port.close()


def test_on_windows_the_port_is_asked(polled: PolledTransport) -> None:
    heard: list[bytes] = []
    lost: list[str] = []

    async def live() -> None:
        polled.write(b"no reader yet")
        polled.start(heard.append, lost.append)

    asyncio.run(live())
    fast = polled._transport
    polled.write(b"orders")
    fast.receiver.data_received(b"edge")
    fast.receiver.connection_lost(None)
    assert (fast.sent, heard, lost) == (b"orders", [b"edge"], [])
    fast.receiver.connection_lost(OSError("Access is denied"))
    assert "Access is denied" in lost[0]
    polled.close()
    assert fast.closed


def test_on_windows_a_port_that_was_never_started_closes(polled: PolledTransport) -> None:
    polled.close()
    assert not polled._port.is_open


def test_the_quiet_time_counts_from_the_opening_of_the_port(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.0, 101.5, 109.0])
    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=lambda: next(times)))
    port = SerialTransport(far.path, 500_000)
    left_s = [port.quiet_s for _ in range(3)]
    port.close()
    assert left_s == [QUIET_S, QUIET_S - 1.5, 0.0]


def test_a_board_that_its_port_cannot_reset_may_be_asked_at_once(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "may_reset_board", lambda path: path != far.path)
    port = open_transport(far.path, 500_000)
    assert port.quiet_s == 0
    port.close()
