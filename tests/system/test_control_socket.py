"""The folder of the sockets, and the program that asks one."""

import os
import socket
import stat
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.platform.files import is_private
from rig.system import control_socket
from rig.system.carriers import listen
from rig.system.control_socket import ask, folders, make_folder, running, socket_of
from rig.system.handshake import RESPONSE_BYTES

posix = pytest.mark.skipif(os.name == "nt", reason="the folders, rights and links of POSIX")


@pytest.fixture
def folder(runtime: Path) -> Path:
    return runtime


def answered(folder: Path, answer: bytes) -> Path:
    """A socket at which a thread answers one request with these bytes."""
    make_folder()
    listener = listen(folder, 1)
    listener._listener.setblocking(True)

    def serve() -> None:
        with listener._listener, listener.accept() as client, suppress(OSError):
            if (handshake := listener.handshake(client)) is not None:
                client.sendall(handshake.greeting)
                client.sendall(handshake.prove(client.recv(RESPONSE_BYTES)))
            client.recv(4096)
            client.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return listener.path


@posix
def test_the_folder_is_made_for_its_user_alone(folder: Path) -> None:
    assert make_folder() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o755)
    assert not is_private(folder)
    assert make_folder() == folder
    assert is_private(folder)


@posix
def test_a_link_is_no_private_folder(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir(0o700)
    folder.symlink_to(folder.parent / "elsewhere")
    with pytest.raises(OSError, match="belongs to another user"):
        make_folder()


@posix
def test_a_folder_of_another_user_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_folder()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not is_private(folder)
    with pytest.raises(OSError, match="another user"):
        make_folder()
    assert running() == []


def test_where_no_folder_can_be_made_the_reason_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("a file")
    with pytest.raises(OSError, match="is missing, or belongs"):
        make_folder()
    monkeypatch.setenv(control_socket.FOLDER, str(folder.parent / "not" / "there"))
    with pytest.raises(OSError, match="is missing"):
        make_folder()


@posix
def test_a_system_without_a_temporary_folder_has_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(control_socket.FOLDER, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/elsewhere")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere/at/all"])
    found = folders()
    assert found[0] == Path("/run/elsewhere/rig")
    # Sessions of other programs may run on this computer.
    assert all(path.parent in found for path, _ in running())


@posix
def test_sockets_are_looked_up_where_a_desktop_and_where_cron_would_put_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(control_socket.FOLDER, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/elsewhere")
    assert folders()[0] == Path("/run/elsewhere/rig")
    assert Path(f"/tmp/rig-{os.geteuid()}") in folders()
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/" + "long" * 30)
    assert all(len(str(path)) < 100 for path in folders())


@posix
def test_a_system_whose_sessions_have_ports_takes_folders_with_long_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(control_socket.FOLDER, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/" + "long" * 30)
    monkeypatch.setattr(control_socket, "HAS_LOCAL_SOCKETS", False)
    assert folders()[0] == Path("/run/" + "long" * 30 + "/rig")


def test_the_socket_of_a_killed_session_is_recognized_and_removed(folder: Path) -> None:
    make_folder()
    listener = listen(folder, 1)
    path = listener.path
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600
    listener._listener.close()
    assert socket_of(os.getpid()) == path
    assert running() == []
    assert not path.exists()


@posix
def test_what_no_session_has_left_is_in_no_list_and_stays(folder: Path) -> None:
    make_folder()
    for name in ("notes.sock", "7.sock", "jupyter.port", "٧.port", f"{'9' * 200}.port"):
        (folder / name).write_text("of another program")
    os.mkfifo(folder / "6.port")  # whose open would wait for ever
    names = set(os.listdir(folder))
    assert running() == []
    assert set(os.listdir(folder)) == names


def test_a_stale_socket_with_the_number_of_this_program_is_replaced(folder: Path) -> None:
    make_folder()
    first = listen(folder, 1)
    first._listener.close()
    second = listen(folder, 1)
    assert second.path == first.path
    second.close()
    assert not first.path.exists()


def test_a_path_that_is_too_long_opens_nothing(carrier: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"too long|cannot be written"):
        listen(tmp_path / ("long" * 60), 1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "ended without an answer"),
        (b"nonsense\n", "ended without an answer"),
        (b"[" * 20_000 + b"\n", "ended without an answer"),
        (b"[]\n", "is no session"),
        (b'{"ok": 1}\n', "is no session"),
    ],
)
def test_an_answer_that_is_none_gets_a_clear_error(folder: Path, answer: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ask(answered(folder, answer), {"do": "status"})


def test_an_answer_comes_back(folder: Path) -> None:
    assert ask(answered(folder, b'{"ok": true}\n'), {"do": "status"}) == {"ok": True}


def test_a_session_that_does_not_answer_is_not_waited_for(folder: Path) -> None:
    make_folder()
    listener = listen(folder, 1)
    path = listener.path
    with listener._listener:
        with pytest.raises(ConfigError, match="does not answer: its protocol may not return"):
            ask(path, {"do": "status"}, 0.01)
        ((found, status),) = running(0.01)
        assert found == path
        assert "does not answer" in status["error"]


def test_a_reward_that_a_blocked_session_may_still_give_is_not_asked_for_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = socket.socketpair()
    ours.settimeout(0.01)
    monkeypatch.setattr(control_socket, "connect", lambda path, timeout_s: ours)
    with theirs, pytest.raises(ConfigError, match="may still be done: look before asking again"):
        ask(folder / "1.sock", {"do": "reward"}, 0.01)


def test_a_request_that_is_too_long_is_not_sent(folder: Path) -> None:
    with pytest.raises(ConfigError, match="at most 4096 are possible"):
        ask(folder / "1.sock", {"do": "note", "text": "a" * 4096})
