"""Other programs of this computer: how they are started, told apart and stopped; and the priority of this one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    OWN_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
    DETACHED = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW

    # In a virtual environment sys.executable starts the interpreter as a child of its own, with another number: a
    # session would be looked for, and stopped, by the number of a program that waits for it. The name is private, but
    # the only one that Python has for it: multiprocessing.popen_spawn_win32 starts its workers the same way, with the
    # same variable. The program of the base need not be named python.exe. An interpreter that lacks the name has no
    # such launcher.
    PYTHON: str = getattr(sys, "_base_executable", sys.executable)

    def python_environment() -> dict[str, str] | None:
        """Return the environment in which `PYTHON` is the interpreter of this virtual environment."""
        return None if sys.executable == PYTHON else {**os.environ, "__PYVENV_LAUNCHER__": sys.executable}

    _MAY_ASK = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
    _STILL_ACTIVE = 259
    _PIPE_NOWAIT = 1
    _NO_SUCH_PROCESS = 87  # ERROR_INVALID_PARAMETER
    _SEND_BREAK = (
        "import ctypes, sys; kernel = ctypes.WinDLL('kernel32'); pid = int(sys.argv[1]); "
        "sys.exit(not (kernel.AttachConsole(pid) and kernel.GenerateConsoleCtrlEvent(1, pid)))"
    )
    _BELOW_NORMAL = 0x4000  # BELOW_NORMAL_PRIORITY_CLASS

    def start_mark(pid: int) -> str:
        """Return what tells this program from a later one with the same number: the time of its creation."""
        return _creation(pid) or ""

    def is_running(pid: int, mark: str = "") -> bool:
        """Whether a program runs, with this number and this mark of `start_mark`; one that may not be asked runs."""
        created = _creation(pid)
        return created is not None and (mark in ("", created) or created == "")

    def _creation(pid: int) -> str | None:
        """Return when a program was created; None for one that has ended, empty for one that may not be asked."""
        # Not os.kill(pid, 0), which sends Ctrl-C here.
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        if not (number := kernel.OpenProcess(_MAY_ASK, False, pid)):
            return None if ctypes.get_last_error() == _NO_SUCH_PROCESS else ""
        handle = wintypes.HANDLE(number)
        created, *others = (wintypes.FILETIME() for _ in range(4))
        status = wintypes.DWORD()
        try:
            is_known = kernel.GetExitCodeProcess(handle, ctypes.byref(status)) and kernel.GetProcessTimes(
                handle, ctypes.byref(created), *map(ctypes.byref, others)
            )
        finally:
            kernel.CloseHandle(handle)
        if not is_known:
            return ""
        return str(created.dwHighDateTime << 32 | created.dwLowDateTime) if status.value == _STILL_ACTIVE else None

    def request_stop(pid: int) -> bool:
        """Send a program of `DETACHED` Ctrl-Break; return whether Windows has sent it. Raises ``OSError``."""
        # Only a program at its console can send it, and this one must keep its own.
        command = [PYTHON, "-c", _SEND_BREAK, str(pid)]
        sent = subprocess.run(command, creationflags=subprocess.DETACHED_PROCESS, env=python_environment(), check=False)
        return sent.returncode == 0

    def lower_priority() -> None:
        """Set this program to go after a session, also where there is one processor only."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.SetPriorityClass(wintypes.HANDLE(kernel.GetCurrentProcess()), _BELOW_NORMAL)

    def make_pipe_nonblocking(descriptor: int) -> None:
        """Set writes to a full pipe to raise ``OSError``. Without it a display that stands still stops the session."""
        # os.set_blocking does this from Python 3.12 on.
        mode = wintypes.DWORD(_PIPE_NOWAIT)
        ctypes.WinDLL("kernel32").SetNamedPipeHandleState(
            wintypes.HANDLE(msvcrt.get_osfhandle(descriptor)), ctypes.byref(mode), None, None
        )
else:
    OWN_GROUP = 0
    """The creation flags of a child that Ctrl-C does not reach; on POSIX its signals are blocked instead."""
    DETACHED = 0
    """The creation flags of a child that a closing terminal does not reach; on POSIX it has a session of its own."""

    PYTHON = sys.executable
    """The interpreter; a process that is started with it and `python_environment` has the number of the interpreter."""

    _NICENESS = 10

    def python_environment() -> dict[str, str] | None:
        """Return None: a new process of `PYTHON` needs the environment of this one."""
        return None

    def start_mark(pid: int) -> str:
        """Return what tells this program from a later one with the same number; empty where the system does not say."""
        fields = _stat(pid)
        return fields[19].decode() if len(fields) > 19 else ""

    def is_running(pid: int, mark: str = "") -> bool:
        """Whether a program runs, with this number and this mark of `start_mark`.

        One that has ended, and that its parent has not seen yet, does not run.
        """
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # another user's
            return False
        fields = _stat(pid)
        if not fields:
            return True
        return fields[0] not in (b"Z", b"X") and mark in ("", start_mark(pid))

    def _stat(pid: int) -> list[bytes]:
        """Return what Linux says of a program, its state first; empty on other systems."""
        try:
            # The name is in parentheses and may hold any character.
            return (Path("/proc") / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return []

    def request_stop(pid: int) -> bool:
        """Send a program the signal to stop; return whether the system has sent it. Raises ``OSError``."""
        os.kill(pid, signal.SIGTERM)
        return True

    def lower_priority() -> None:
        """Set this program to go after a session, also where there is one processor only."""
        with suppress(OSError):  # it has the lowest priority
            os.nice(_NICENESS)

    def make_pipe_nonblocking(descriptor: int) -> None:
        """Set writes to a full pipe to raise ``BlockingIOError``, which is an ``OSError``."""
        os.set_blocking(descriptor, False)


if sys.platform == "linux":

    def usable_processors() -> int:
        """Return the number of processors that this program may use."""
        return len(os.sched_getaffinity(0))

    def restrict_processors(pid: int, processors: Sequence[int]) -> None:
        """Set the processors that a program may use; all of them if none of these is there, or it has ended."""
        with suppress(OSError):
            os.sched_setaffinity(pid, processors)
else:

    def usable_processors() -> int:
        """Return the number of processors."""
        return os.cpu_count() or 1

    def restrict_processors(pid: int, processors: Sequence[int]) -> None:
        """Return at once: the system offers no choice."""
