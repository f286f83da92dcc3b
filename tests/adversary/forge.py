"""What runs ``rig`` commands of which one call to the system goes wrong, and boards that outlive them."""

import asyncio
import errno
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent
LONGEST_S = 60.0

NONE, FAIL, SHORT, KILL_BEFORE, KILL_AFTER = range(5)
ACTIONS = ("none", "fails", "falls short", "is not reached", "is the last")

ERRORS: dict[str, tuple[int, ...]] = {
    "create": (errno.EACCES, errno.EMFILE, errno.ENOSPC, errno.EROFS, errno.EDQUOT),
    "open": (errno.EACCES, errno.EMFILE, errno.EIO, errno.ENOENT),
    "write": (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EINTR),
    "read": (errno.EIO, errno.EINTR),
    "sendfile": (errno.EIO, errno.ENOSPC),
    "fsync": (errno.EIO, errno.ENOSPC),
    "fdatasync": (errno.EIO, errno.EDQUOT),
    "close": (errno.EIO, errno.EDQUOT),
    "rename": (errno.EACCES, errno.ENOSPC, errno.EIO, errno.EROFS),
    "mkdir": (errno.EACCES, errno.ENOSPC, errno.EROFS),
    "rmdir": (errno.EACCES,),
    "unlink": (errno.EACCES, errno.EIO, errno.EROFS),
    "ftruncate": (errno.EIO,),
    "flock": (errno.ENOLCK, errno.EINTR),
    "access": (errno.EACCES,),
    "stat": (errno.EACCES, errno.EIO),
    "lstat": (errno.EACCES, errno.EIO),
    "fstat": (errno.EIO,),
    "statvfs": (errno.EIO,),
    "opendir": (errno.EACCES, errno.EMFILE, errno.EIO),
    "readdir": (errno.EIO,),
    "readlink": (errno.EACCES,),
}
CHANGES = {"create", "write", "sendfile", "fsync", "fdatasync", "rename", "mkdir", "rmdir", "unlink", "ftruncate"}


@dataclass(frozen=True)
class Fault:
    """What goes wrong: the n-th call of a kind on a file, counted from 0."""

    call: str
    path: str
    nth: int
    action: int
    error: int = 0
    for_good: bool = False

    def __str__(self) -> str:
        error = errno.errorcode.get(self.error, "")
        return f"{self.call} {self.path} #{self.nth} {ACTIONS[self.action]} {error}{' for good' * self.for_good}"

    @property
    def kills(self) -> bool:
        return self.action in (KILL_BEFORE, KILL_AFTER)


def faults_of(calls: list[str]) -> list[Fault]:
    """List all that can go wrong with the calls of a recorded run."""
    faults: list[Fault] = []
    seen: Counter[str] = Counter()
    for key in calls:
        call, _, path = key.partition(" ")
        nth, seen[key] = seen[key], seen[key] + 1
        faults += [Fault(call, path, nth, action) for action in (KILL_BEFORE, KILL_AFTER)]
        for error in ERRORS[call]:
            faults.append(Fault(call, path, nth, FAIL, error))
            if call in CHANGES and error not in (errno.EINTR, errno.EACCES):
                faults.append(Fault(call, path, nth, FAIL, error, for_good=True))
        if call in ("write", "sendfile", "read"):
            faults.append(Fault(call, path, nth, SHORT))
        if call in ("write", "sendfile"):
            faults.append(Fault(call, path, nth, SHORT, errno.ENOSPC, for_good=True))
    return faults


def compiled(folder: Path) -> Path:
    """Compile what stands between a program and the system."""
    library = folder / "calls.so"
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([*command, str(HERE / "calls.c"), "-ldl", "-lpthread"], check=True)
    return library


@dataclass(frozen=True)
class Ran:
    """A command that is over; ``status`` is None when it was killed."""

    status: int | None
    said: str
    calls: list[str]

    @property
    def met(self) -> bool:
        return any(call.startswith("MET ") for call in self.calls)


class Forge:
    """The warm process, which makes victims."""

    def __init__(self, folder: Path) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
        command = [sys.executable, "-W", "error", str(HERE / "victim.py"), str(theirs.fileno())]
        environment = kept | {"LD_PRELOAD": str(compiled(folder)), "TERM": "dumb"}
        self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
        theirs.close()
        self._out = folder / "out"
        self._out.mkdir()
        self._number = 0

    def __enter__(self) -> "Forge":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ours.close()
        assert self._server.wait(10) == 0

    async def run(self, folder: Path, words: list[str], fault: Fault | None = None) -> Ran:
        """Run a command, whose calls on what lies in a folder are seen, and one of which may go wrong."""
        self._number += 1
        out = self._out / str(self._number)
        out.mkdir()
        over, end = os.pipe()
        order: dict[str, Any] = {"words": words, "folder": str(folder), "out": str(out)}
        order["fault"] = fault and [fault.call, fault.path, fault.nth, fault.action, fault.error, int(fault.for_good)]
        socket.send_fds(self._ours, [json.dumps(order).encode()], [end])
        os.close(end)
        answer = self._ours.recv(64)
        assert answer.endswith(b"\n"), "the warm process has died"
        await self._gone(over, int(answer))
        status = out / "status"
        calls = (out / "calls").read_text().splitlines() if (out / "calls").exists() else []
        ran = Ran(int(status.read_text()) if status.exists() else None, (out / "said").read_text(), calls)
        shutil.rmtree(out)
        return ran

    async def _gone(self, over: int, pid: int) -> None:
        loop = asyncio.get_running_loop()
        gone = loop.create_future()
        loop.add_reader(over, lambda: gone.done() or gone.set_result(None))
        try:
            async with asyncio.timeout(LONGEST_S):
                await gone
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise
        finally:
            loop.remove_reader(over)
            os.close(over)
