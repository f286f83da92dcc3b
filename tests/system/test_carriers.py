"""The port of a session: who finds it, who passes, and what a program that is no session does to a client."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.platform.local_sockets import REFUSES_AT_ONCE
from rig.system import carriers, control_socket
from rig.system.carriers import LOOPBACK, FileListener, PortListener, connect, listen, read_port
from rig.system.control_socket import SessionGoneError, ask, make_folder, running, socket_of
from rig.system.handshake import ServerHandshake
from tests.private_folder import private_folder


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(carriers.CARRIER, "tcp")
    with private_folder() as found:
        monkeypatch.setenv(control_socket.FOLDER, str(found / "rig"))
        yield make_folder()


@pytest.fixture
def listener(folder: Path) -> Iterator[PortListener]:
    listener = listen(folder, 8)
    assert isinstance(listener, PortListener)
    yield listener
    listener.close()


def answering(listener: PortListener, serve: Callable[[socket.socket], object]) -> threading.Thread:
    """Have a thread do something to the next client, in place of a session."""
    listener._listener.setblocking(True)

    def run() -> None:
        with listener.accept() as client, suppress(OSError):
            serve(client)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


@pytest.mark.skipif(os.name == "nt", reason="sockets that are files")
def test_posix_has_a_socket_that_is_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(carriers.CARRIER)
    opened = listen(folder, 1)
    opened.close()
    assert isinstance(opened, FileListener)


def test_the_carrier_is_chosen_in_small_letters_or_capitals(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(carriers.CARRIER, "TCP")
    opened = listen(folder, 1)
    opened.close()
    assert isinstance(opened, PortListener)


def test_a_fork_of_a_session_does_not_remove_its_file(listener: PortListener, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as fork:
        fork.setattr(os, "getpid", lambda: 1)
        listener.close()
    assert listener.path.exists()
    listener.close()
    assert not listener.path.exists()


@pytest.mark.skipif(os.name == "nt", reason="sockets that are files")
def test_no_request_is_sent_to_a_program_of_another_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(carriers.CARRIER)
    opened = listen(folder, 1)
    monkeypatch.setattr(carriers, "is_of_other_user", lambda connection: True)
    with pytest.raises(ConfigError, match="another user's program"):
        ask(opened.path, {"do": "status"})
    with opened.accept() as connection:
        assert connection.recv(1) == b""
    opened.close()


@pytest.mark.skipif(os.name == "nt", reason="sockets that are files")
def test_a_stale_file_of_the_other_carrier_does_not_hide_a_new_session(folder: Path) -> None:
    stale = folder / f"{os.getpid()}.port"
    stale.touch()
    opened = FileListener(folder, 1)
    assert socket_of(os.getpid()) == opened.path
    opened.close()
    assert not stale.exists()


def test_only_its_user_can_read_the_secret_and_each_session_has_another(folder: Path, listener: PortListener) -> None:
    assert os.name == "nt" or stat.S_IMODE(listener.path.stat().st_mode) == 0o600
    _, secret = read_port(listener.path)
    again = PortListener(folder, 1)
    assert read_port(again.path)[1] != secret
    again.close()


def test_the_port_is_of_the_loopback_interface_alone(listener: PortListener) -> None:
    assert listener._listener.getsockname()[0] == LOOPBACK


def test_a_file_that_cannot_be_written_opens_no_port(folder: Path) -> None:
    folder.rmdir()
    with pytest.raises(OSError, match="cannot be written"):
        PortListener(folder, 1)


def test_a_program_at_the_port_that_does_not_know_the_secret_gets_no_request(listener: PortListener) -> None:
    heard: list[bytes] = []

    def impostor(client: socket.socket) -> None:
        handshake = ServerHandshake(bytes(32))
        client.sendall(handshake.greeting)
        client.recv(4096)
        client.sendall(handshake.greeting)  # as long as a proof
        heard.append(client.recv(4096))

    thread = answering(listener, impostor)
    with pytest.raises(ConfigError, match="the server does not know the secret"):
        ask(listener.path, {"do": "end"})
    thread.join(10)
    assert heard == [b""]
    assert listener.path.exists()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, "no message of the handshake"),
        (b"abc", "has closed the connection"),
        (b"", "has closed the connection"),
    ],
)
def test_what_answers_there_may_be_no_session(listener: PortListener, sent: bytes, said: str) -> None:
    answering(listener, lambda client: client.sendall(sent))
    with pytest.raises(ConfigError, match=said):
        ask(listener.path, {"do": "status"})


class Trickle(socket.socket):
    """A connection that has one more byte after each second of its clock."""

    now_s = 0.0

    def recv(self, *sizes: int) -> bytes:
        self.now_s += 1
        return b"0"


def test_a_program_that_sends_byte_by_byte_gets_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    with Trickle() as connection:
        monkeypatch.setattr(time, "monotonic", lambda: connection.now_s)
        with pytest.raises(TimeoutError):
            carriers._receive(connection, 65, 8.0)
        assert connection.now_s == 8


def test_a_session_that_ends_during_the_handshake_has_ended(listener: PortListener) -> None:
    def end(client: socket.socket) -> None:
        client.sendall(listener.handshake(client).greeting)
        client.recv(4096)
        listener.close()

    answering(listener, end)
    with pytest.raises(SessionGoneError, match="has ended"):
        ask(listener.path, {"do": "end"})


def test_a_program_that_says_nothing_is_not_waited_for(listener: PortListener) -> None:
    with pytest.raises(ConfigError, match="does not answer"):
        ask(listener.path, {"do": "status"}, 0.01)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "[" * 100_000,
        '{"port": "x", "secret": ""}',
        '{"port": 80, "secret": "00"}',
        '{"port": 80, "secret": 1}',
    ],
)
def test_a_damaged_file_names_no_session(listener: PortListener, text: str) -> None:
    listener.path.write_text(text)
    ((path, status),) = running()
    assert path == listener.path
    assert "is no file of a session" in status["error"]


def test_the_file_of_a_killed_session_is_removed_whoever_has_its_port_now(
    listener: PortListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carriers, "is_running", lambda pid, mark: False)
    with pytest.raises(SessionGoneError):
        ask(listener.path, {"do": "status"}, 0.01)
    assert not listener.path.exists()
    assert running() == []


def prove(listener: PortListener, client: socket.socket) -> None:
    """Pass the handshake as a session does, and answer one request."""
    handshake = listener.handshake(client)
    client.sendall(handshake.greeting)
    client.sendall(handshake.prove(client.recv(4096)))
    client.recv(4096)
    client.sendall(b'{"ok": true}\n')


@pytest.mark.skipif(not REFUSES_AT_ONCE, reason="there a process that has ended is asked nothing")
def test_a_session_of_another_container_is_asked_though_no_process_here_has_its_number(
    listener: PortListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carriers, "is_running", lambda pid, mark: False)
    answering(listener, lambda client: prove(listener, client))
    assert ask(listener.path, {"do": "status"}) == {"ok": True}
    assert listener.path.exists()


def test_windows_asks_no_port_of_a_process_that_has_ended(
    listener: PortListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carriers, "REFUSES_AT_ONCE", False)
    monkeypatch.setattr(carriers, "is_running", lambda pid, mark: False)
    with pytest.raises(SessionGoneError):
        ask(listener.path, {"do": "status"})
    with pytest.raises(BlockingIOError):
        listener.accept()


@pytest.mark.parametrize("content", [b"", bytes(90)])
def test_the_damaged_file_of_a_killed_session_is_removed(
    listener: PortListener, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener.path.write_bytes(content)
    monkeypatch.setattr(carriers, "is_running", lambda pid, mark: False)
    assert running() == []
    assert not listener.path.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells programs with one number apart")
def test_a_later_process_with_the_number_of_a_killed_session_is_no_session(listener: PortListener) -> None:
    fields = json.loads(listener.path.read_text())
    listener.path.write_text(json.dumps({**fields, "mark": f"{fields['mark']}0"}))
    assert running(0.01) == []
    assert not listener.path.exists()


def test_a_name_that_is_no_number_is_no_session(folder: Path, listener: PortListener) -> None:
    (folder / "a.port").write_text(json.dumps({"port": 80, "secret": "00" * 32}))
    with pytest.raises(OSError, match="is no file of a session"):
        connect(folder / "a.port", 1)
