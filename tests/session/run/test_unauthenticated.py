"""Programs at a session's port that do not know its secret: they get nothing, and keep no other program out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from rig.session.run.control_requests import ControlRequest
from rig.session.run.control_server import (
    HANDSHAKE_S,
    MAX_CLIENTS,
    MAX_UNAUTHENTICATED,
    POLL_S,
    SILENT_S,
    ControlServer,
    Reply,
)
from rig.system.carriers import CARRIER, LOOPBACK, read_port
from rig.system.handshake import GREETING_BYTES, ClientHandshake
from tests.control_client import ControlClient
from tests.private_folder import private_folder

END = b'{"do": "end"}\n'
STEPS = 4 * POLL_S


class Served:
    """A server at a port, which keeps what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.requests: list[str] = []
        self.server = ControlServer(folder, self._handle)

    def _handle(self, request: ControlRequest, reply: Reply) -> None:
        self.requests.append(request.do)
        reply({"ok": True})


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv(CARRIER, "tcp")
    with private_folder() as folder:
        yield Served(folder)


class Intruder:
    """A connection to the port that does what it likes."""

    def __init__(self, path: Path) -> None:
        self.port, self.secret = read_port(path)
        self.socket = socket.create_connection((LOOPBACK, self.port), 1)
        self.socket.setblocking(False)

    def send(self, raw: bytes) -> None:
        self.socket.send(raw)

    def received(self) -> bytes:
        try:
            return self.socket.recv(1 << 16)
        except BlockingIOError:
            return b""

    @property
    def is_closed(self) -> bool:
        try:
            return self.socket.recv(1 << 16) == b""
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.socket.close()


def response_to(intruder: Intruder, secret: bytes | None = None) -> bytes:
    return ClientHandshake(secret or intruder.secret, intruder.received()).response


async def test_a_request_without_a_handshake_is_not_done(served: Served) -> None:
    with served.server as server, closing(Intruder(server.path)) as intruder:
        intruder.send(END * 20)
        await asyncio.sleep(STEPS)
        assert len(intruder.received()) in (0, GREETING_BYTES)
        assert intruder.is_closed
    assert served.requests == []


async def test_a_wrong_secret_is_told_nothing(served: Served) -> None:
    with served.server as server, closing(Intruder(server.path)) as intruder:
        await asyncio.sleep(POLL_S)
        intruder.send(response_to(intruder, bytes(32)))
        await asyncio.sleep(STEPS)
        assert intruder.is_closed
    assert served.requests == []


async def test_a_handshake_that_was_recorded_opens_nothing(served: Served) -> None:
    with served.server as server, closing(Intruder(server.path)) as honest, closing(Intruder(server.path)) as thief:
        await asyncio.sleep(POLL_S)
        recorded = response_to(honest)
        honest.send(recorded)
        thief.received()
        thief.send(recorded)
        await asyncio.sleep(STEPS)
        assert not honest.is_closed
        assert thief.is_closed


async def test_a_request_behind_the_proof_is_too_early(served: Served) -> None:
    with served.server as server, closing(Intruder(server.path)) as hasty:
        await asyncio.sleep(POLL_S)
        hasty.send(response_to(hasty) + END)
        await asyncio.sleep(STEPS)
        assert hasty.is_closed
    assert served.requests == []


@pytest.mark.parametrize("sent", [b"", b"abc", b"abc\n"])
async def test_half_a_handshake_is_waited_for_shortly(served: Served, sent: bytes) -> None:
    with served.server as server, closing(Intruder(server.path)) as intruder:
        intruder.send(sent)
        await asyncio.sleep(HANDSHAKE_S - 2 * POLL_S)
        intruder.received()
        assert not intruder.is_closed
        await asyncio.sleep(STEPS)
        assert intruder.is_closed


async def test_unauthenticated_clients_take_no_place_of_this_user_s_programs(served: Served) -> None:
    with served.server as server, ExitStack() as stack:
        for _ in range(MAX_CLIENTS):
            known = stack.enter_context(closing(ControlClient(server.path)))
            known.ask(do="status")
            await asyncio.sleep(STEPS)
            assert known.answers == [{"ok": True}]
        for _ in range(MAX_UNAUTHENTICATED):
            stack.enter_context(closing(Intruder(server.path)))
        await asyncio.sleep(STEPS)
        one_more = stack.enter_context(closing(ControlClient(server.path)))
        one_more.ask(do="status")
        await asyncio.sleep(2 * STEPS)
        assert one_more.answers == [{"ok": False, "error": "16 programs are connected to this session already"}]
        assert one_more.is_closed


async def test_a_flood_keeps_no_program_out(served: Served) -> None:
    with served.server as server, ExitStack() as stack:
        answered = 0
        for _ in range(20):
            for _ in range(8):
                stack.enter_context(closing(Intruder(server.path)))
            with closing(ControlClient(server.path)) as user:
                user.ask(do="status")
                await asyncio.sleep(STEPS + 2 * POLL_S)
                answered += user.answers == [{"ok": True}]
            assert sum(not client.is_authenticated for client in server._clients) <= MAX_UNAUTHENTICATED
        assert answered == 20
        await asyncio.sleep(SILENT_S + 1)
        assert server._clients == []
