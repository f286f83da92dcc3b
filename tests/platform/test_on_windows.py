"""The sides of Windows, in a process from which the names of POSIX are gone."""

import subprocess
import sys
from pathlib import Path

import pytest

from rig.system.control_socket import FOLDER
from tests.platform.on_windows import EVERY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has")


def output(modules: str, code: str) -> str:
    command = [sys.executable, "-m", "tests.platform.on_windows", modules, code]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_every_module_can_be_imported() -> None:
    assert int(output(EVERY, "print(len(wanted))")) > 1000


KEYS = """
import asyncio, ctypes, msvcrt
from rig.platform.keys import keys_on_loop
typed = []
kernel32 = ctypes.WinDLL("kernel32")

async def main():
    msvcrt.pressed = ["e", "\\xe0K", "y"]
    with keys_on_loop(typed.append):
        msvcrt.pressed = ["a", "\\xe0K", "\\x00H", "\\x00;", "q", "\\xe0"]
        while not typed:
            await asyncio.sleep(0.01)
        print(hex(kernel32.mode))
    print(hex(kernel32.mode))

asyncio.run(main())
print(ascii(typed))
"""


def test_keys_arrive_together_arrows_as_on_posix_and_a_letter_stays_one() -> None:
    *modes, typed = output("rig.platform.keys", KEYS).splitlines()
    assert typed == f"{[f'a{chr(27)}[D{chr(27)}[Aqà']!a}"
    assert modes == ["0x1b7", "0x1f7"]  # quick-edit off, and on again


IN_THREAD = """
import ctypes, os
from rig.platform import keys
kernel32, opened = ctypes.WinDLL("kernel32"), os.open
os.open = lambda path, flags: opened(os.devnull, flags)
restore = keys.kept_mode(0)
with keys.keys_in_thread(print) as reads:
    print(reads, hex(kernel32.mode))
print(hex(kernel32.mode))
kernel32.mode = 0x1b7
restore()
print(hex(kernel32.mode))
"""


def test_a_click_stops_no_program_while_a_display_reads_keys() -> None:
    assert output("rig.platform.keys", IN_THREAD) == "True 0x1b7\n0x1f7\n0x1f7\n"


PIPE = """
import ctypes, msvcrt
from rig.platform.processes import make_pipe_nonblocking
calls = []

def set_state(handle, mode, *others):
    calls.append((handle.value, mode._obj.value, others))

msvcrt.get_osfhandle = lambda descriptor: 100 + descriptor
ctypes.WinDLL("kernel32").SetNamedPipeHandleState = set_state
make_pipe_nonblocking(7)
print(calls)
"""


def test_a_display_that_stands_still_does_not_stop_the_session() -> None:
    assert output("rig.platform.processes", PIPE) == "[(107, 1, (None, None))]\n"


CLOSES = """
import _thread
from contextlib import contextmanager
import rig.platform.signals as signals
sent = []
_thread.interrupt_main = sent.append
signals.stop_on_console_close = lambda stop: stop()
signals.console_close_handled()
print(sent)
"""


def test_a_console_that_closes_sends_the_signal_that_a_session_handles() -> None:
    assert output("rig.platform.signals", CLOSES) == "[21]\n"


def test_a_board_is_served_at_no_port() -> None:
    code = """
from rig.core.errors import ConfigError
from sim_hardware.avr.pseudo_port import open_port
try:
    open_port(None)
except ConfigError as error:
    print(error)
"""
    assert "Windows has no pseudo-terminals" in output("sim_hardware.avr.pseudo_port", code)


ASKED = """
import threading
from rig.platform.local_sockets import HAS_LOCAL_SOCKETS
from rig.system import carriers, control_socket

# Of Linux: it has neither the numbers of processes nor the attributes of folders that the side of Windows reads.
carriers.is_running = lambda pid, mark: True
carriers.start_mark = str
control_socket.is_private = lambda folder: folder.is_dir()

listener = carriers.listen(control_socket.make_folder(), 1)
listener._listener.setblocking(True)

def answer():
    with listener.accept() as client:
        handshake = listener.handshake(client)
        client.sendall(handshake.greeting)
        client.sendall(handshake.prove(client.recv(4096)))
        client.recv(4096)
        client.sendall(b'{"ok": true}' + bytes([10]))

threading.Thread(target=answer).start()
print(HAS_LOCAL_SOCKETS, listener.path.parent, listener.path.suffix)
print([status for _, status in control_socket.running()])
listener.close()
"""


def test_a_session_is_asked_at_a_port_and_found_in_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.delenv(FOLDER, raising=False)
    said = output("rig.system.control_socket", ASKED)
    assert said.splitlines() == [f"False {tmp_path / 'rig'} .port", "[{'ok': True}]"]


REPLACES = """
import os
import rig.platform.files as files
from threading import Event
refusals, pauses = [], []

def replace(source, target):
    if refusals:
        raise refusals.pop()

class Pause(Event):
    def wait(self, seconds):
        pauses.append(seconds)

os.replace, files.Event = replace, Pause
for refused in (2, 99):
    refusals[:], pauses[:] = [PermissionError()] * refused, []
    try:
        files.move_path("a", "b")
    except PermissionError:
        print("refused")
    print(round(sum(pauses), 3))
"""


def test_a_file_that_another_program_has_open_is_replaced_when_it_is_closed() -> None:
    assert output("rig.platform.files", REPLACES) == "0.1\nrefused\n1.0\n"


ASKS = """
import ctypes
from types import SimpleNamespace
from rig.platform.processes import is_running, start_mark

def refuse(rights, inherits, pid):
    return 0

ctypes.WinDLL = lambda name, use_last_error: SimpleNamespace(OpenProcess=refuse)
for error in (5, 87):
    ctypes.get_last_error = lambda: error
    print(is_running(7), is_running(7, "a mark"), ascii(start_mark(7)))
"""


def test_only_a_process_that_windows_does_not_know_has_ended() -> None:
    assert output("rig.platform.processes", ASKS) == "True True ''\nFalse False ''\n"


SHARES = """
import subprocess
from types import SimpleNamespace
from rig.platform.shared_sockets import start_with_socket

def start(command, stdin, env, creationflags):
    print(creationflags == subprocess.CREATE_NEW_PROCESS_GROUP)
    return SimpleNamespace(pid=7)

subprocess.Popen = start
print(start_with_socket(["camera"], SimpleNamespace(share=lambda pid: bytes([pid])))[1])
"""


def test_the_signal_that_stops_a_session_does_not_reach_the_camera() -> None:
    assert output("rig.platform.shared_sockets", SHARES) == "True\n07\n"


BASE = """
import importlib, sys
import rig.platform.processes as processes
sys._base_executable = "python3.11.exe"
importlib.reload(processes)
print(processes.PYTHON, processes.python_environment()["__PYVENV_LAUNCHER__"] == sys.executable)
"""


def test_the_interpreter_of_a_virtual_environment_is_started_without_its_launcher() -> None:
    assert output("rig.platform.processes", BASE) == "python3.11.exe True\n"


STOPS = """
import subprocess
from types import SimpleNamespace
from rig.platform.processes import request_stop

def run(command, creationflags, env, check):
    print(command[3], creationflags == subprocess.DETACHED_PROCESS)
    return SimpleNamespace(returncode=command[3] == "8")

subprocess.run = run
print(request_stop(7), request_stop(8))
"""


def test_a_session_is_stopped_by_a_program_that_may_go_to_its_console() -> None:
    assert output("rig.platform.processes", STOPS) == "7 True\n8 True\nTrue False\n"


SERVES = """
import asyncio
from rig.boards.driver_lookup import ServedPlace
from rig.boards.serial.driver import opened
from rig.system.tcp_address import LOOPBACK, TcpAddress
from sim_hardware.avr.ports import port_at

class Echo:
    def handle_opening(self):
        print("opened")

    def handle_bytes(self, data):
        self.port.write(data)

async def main():
    device = Echo()
    device.port = port_at(ServedPlace(tcp=TcpAddress(LOOPBACK, 0)), device)
    device.port.plug()
    transport = opened(device.port.name, 500_000)
    received = asyncio.get_running_loop().create_future()
    transport.start(received.set_result, print)
    transport.write(b"all off")
    print((await asyncio.wait_for(received, 20)).decode())
    transport.close()
    device.port.unplug()

asyncio.run(main())
"""


def test_a_board_is_served_and_opened_at_a_tcp_port() -> None:
    modules = "rig.boards.serial.driver,sim_hardware.avr.ports"
    assert output(modules, SERVES) == "opened\nall off\n"


WORDS = """
from pathlib import Path
from rig.platform.command_line import command_line, expanded
for name in ("sim1", "sim2", "other", "odd [1]"):
    Path(name).mkdir()
Path("odd [1]", "x").touch()
print(expanded(["analyze", "sim*", "s?m2", "none*", "odd [1]/*", "-x*"]))
print(command_line(["rig", "C:\\\\my data\\\\", "a&b", "D:\\\\x-1.yaml", "50%", ""]))
"""


def test_a_star_means_files_although_the_shell_leaves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    monkeypatch.chdir(tmp_path)
    expanded, typed = output("rig.platform.command_line", WORDS).splitlines()
    assert expanded == "['analyze', 'sim1', 'sim2', 'sim2', 'none*', 'odd [1]/x', '-x*']"
    assert typed == r'''rig "C:\my data\\" "a&b" D:\x-1.yaml "50%" ""'''


LENGTH = """
import ctypes
from types import SimpleNamespace
from rig.platform.files import longest_path
for library in (SimpleNamespace(), SimpleNamespace(RtlAreLongPathsEnabled=lambda: 0),
                SimpleNamespace(RtlAreLongPathsEnabled=lambda: 1)):
    ctypes.WinDLL = lambda name: library
    print(longest_path())
"""


def test_windows_says_how_long_a_path_may_be() -> None:
    assert output("rig.platform.files", LENGTH) == "259\n259\nNone\n"
