"""The server at a session's socket, in virtual time: it never waits for a client."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rig.session.run.control_requests import ControlRequest
from rig.session.run.control_server import MAX_CLIENTS, POLL_S, SILENT_S, ControlServer, Reply
from rig.system import carriers
from tests.control_client import ControlClient, handshake_s
from tests.private_folder import private_folder

FILE_ONLY = pytest.mark.parametrize("carrier", ["file"], indirect=True)


@pytest.fixture
def folder(carrier: str) -> Iterator[Path]:
    with private_folder() as found:
        yield found


class Served:
    """A server that keeps what it was asked for, and answers at once unless it is told to wait."""

    def __init__(self, folder: Path) -> None:
        self.requests: list[ControlRequest] = []
        self.replies: list[Reply] = []
        self.at_once = True
        self.server = ControlServer(folder, self._handle)

    def _handle(self, request: ControlRequest, reply: Reply) -> None:
        self.requests.append(request)
        self.replies.append(reply)
        if self.at_once:
            reply({"ok": True, "text": request.text})


@pytest.fixture
def served(folder: Path) -> Served:
    return Served(folder)


async def test_a_request_is_answered_and_the_socket_is_gone_afterwards(served: Served, folder: Path) -> None:
    with served.server as server:
        client = ControlClient(server.path)
        client.ask(do="note", text="one")
        client.ask(do="note", text="two")
        await asyncio.sleep(3 * POLL_S + handshake_s())
        assert client.answers == [{"ok": True, "text": "one"}, {"ok": True, "text": "two"}]
        client.close()
    assert [request.text for request in served.requests] == ["one", "two"]
    assert os.listdir(folder) == []


async def test_nonsense_gets_one_sentence_and_a_later_request_its_answer(served: Served) -> None:
    with served.server as server:
        client = ControlClient(server.path)
        client.send(b"\x00\xff nonsense\n")
        client.ask(do="status")
        await asyncio.sleep(3 * POLL_S + handshake_s())
        first, second = client.answers
        assert first["ok"] is False
        assert "no JSON" in first["error"]
        assert second["ok"] is True
        client.close()


async def test_a_line_without_end_is_refused_and_the_client_disconnected(served: Served) -> None:
    with served.server as server:
        client = ControlClient(server.path)
        client.send(b"a" * 5000)
        await asyncio.sleep(4 * POLL_S + handshake_s())
        assert "at most 4096 bytes" in client.answers[0]["error"]
        assert client.is_closed
        client.close()
    assert served.requests == []


@pytest.mark.parametrize("sent", [b"", b'{"do": "sta'])
async def test_half_a_line_and_then_nothing_is_not_waited_for(served: Served, sent: bytes) -> None:
    with served.server as server:
        client = ControlClient(server.path)
        client.send(sent)
        await asyncio.sleep(SILENT_S - 1)
        assert client.answers == []
        assert not client.is_closed
        await asyncio.sleep(2)
        assert client.answers == []
        assert client.is_closed
        client.close()


async def test_one_byte_now_and_then_is_no_sign_of_life(served: Served) -> None:
    with served.server as server:
        client = ControlClient(server.path)
        for _ in range(12):
            client.send(b" ")
            await asyncio.sleep(1)
        assert client.answers == []
        assert client.is_closed
        client.close()


async def test_a_client_that_never_reads_is_disconnected_and_others_are_answered(served: Served) -> None:
    with served.server as server:
        deaf, other = ControlClient(server.path), ControlClient(server.path)
        for _ in range(20_000):
            deaf.ask(do="note", text="a" * 900)
            if len(served.requests) > 1_000:
                break
            await asyncio.sleep(POLL_S)
            other.ask(do="status")
        assert len(other.answers) > 100
        before = len(served.requests)
        await asyncio.sleep(2 * SILENT_S)
        assert len(served.requests) <= before + 40
        deaf.close()
        other.close()


async def test_hundreds_of_clients_are_refused_in_small_steps(served: Served) -> None:
    with served.server as server:
        clients: list[ControlClient] = []
        for _ in range(500):  # of the 1024 files that a process may often have open
            with suppress(BlockingIOError):
                clients.append(ControlClient(server.path))
            if len(clients) % 8 == 0:
                await asyncio.sleep(POLL_S)
        await asyncio.sleep(20 * POLL_S + handshake_s())
        for client in clients:
            client.ask(do="status")
        await asyncio.sleep(20 * POLL_S + handshake_s())
        answers = [client.answers for client in clients]
        assert sum(answer[0]["ok"] for answer in answers if answer) == MAX_CLIENTS
        refused = [answer[0]["error"] for answer in answers if answer and not answer[0]["ok"]]
        assert set(refused) == {f"{MAX_CLIENTS} programs are connected to this session already"}
        for client in clients:
            client.close()
        await asyncio.sleep(2 * POLL_S + handshake_s())
        late = ControlClient(server.path)
        late.ask(do="status")
        await asyncio.sleep(3 * POLL_S + handshake_s())
        assert late.answers[0]["ok"] is True
        late.close()


@FILE_ONLY
async def test_another_user_s_program_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers, "is_of_other_user", lambda connection: True)
    with served.server as server:
        client = ControlClient(server.path)
        client.ask(do="end")
        await asyncio.sleep(2 * POLL_S + handshake_s())
        assert client.answers == [{"ok": False, "error": "this session belongs to another user"}]
        client.close()
    assert served.requests == []


FOREIGN = """
import os, socket, sys
os.setgid(65534); os.setuid(65534)
client = socket.socket(socket.AF_UNIX)
try:
    client.connect(sys.argv[1])
    client.sendall(b'{"do": "end"}' + bytes([10]))
    print("connected", flush=True)
    print(client.makefile().read())
except OSError as error:
    print(error.strerror, flush=True)
"""
"""A program of another user that asks for the end of the session."""


def foreign_program(path: Path, *, folder_is_open: bool) -> "subprocess.Popen[str]":
    if folder_is_open:  # as after a mistake with chmod: the user at the other end is still asked for
        path.parent.chmod(0o755)
        path.chmod(0o666)
    words = [sys.executable, "-c", FOREIGN, os.fspath(path)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd="/")


@FILE_ONLY
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("folder_is_open", [False, True])
async def test_a_real_program_of_another_user_is_refused(served: Served, folder_is_open: bool) -> None:
    said: list[str] = []
    with served.server as server, foreign_program(server.path, folder_is_open=folder_is_open) as foreign:
        assert foreign.stdout is not None
        said.append(foreign.stdout.readline())
        await asyncio.sleep(3 * POLL_S + handshake_s())
        said.append(foreign.stdout.read())
    if folder_is_open:
        assert said[0] == "connected\n"
        assert json.loads(said[1]) == {"ok": False, "error": "this session belongs to another user"}
    else:
        assert said == ["Permission denied\n", ""]
    assert served.requests == []


@FILE_ONLY
async def test_a_program_of_which_the_system_says_nothing_is_closed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(connection: object) -> int:
        raise OSError("it has gone")

    monkeypatch.setattr(carriers, "is_of_other_user", gone)
    with served.server as server:
        client = ControlClient(server.path)
        await asyncio.sleep(2 * POLL_S + handshake_s())
        assert client.answers == []
        assert client.is_closed
        client.close()


async def test_who_leaves_before_the_answer_disturbs_nobody(served: Served) -> None:
    served.at_once = False
    with served.server as server:
        client = ControlClient(server.path)
        client.ask(do="reward", source="left")
        await asyncio.sleep(2 * POLL_S + handshake_s())
        client.close()
        served.replies[0]({"ok": True})
        await asyncio.sleep(2 * POLL_S + handshake_s())


async def test_who_waits_at_the_end_of_the_session_gets_an_answer(served: Served) -> None:
    served.at_once = False
    waiting: list[ControlClient] = []
    with served.server as server:
        waiting.append(ControlClient(server.path))
        waiting[0].ask(do="reward", source="left")
        await asyncio.sleep(2 * SILENT_S)
    assert waiting[0].answers == [{"ok": False, "error": "the session has ended"}]
    served.replies[0]({"ok": True})
    waiting[0].close()
