"""The victim: a warm process that forks ``rig`` commands, of which one call to the system goes wrong.

Started as ``python victim.py CONTROL_FD``, with ``calls.c`` before the system's library. Every message on the control
socket is a JSON object with the end of a pipe beside it; the answer is the pid of the child, and the pipe is closed
when the child is gone.
"""

import ctypes
import json
import os
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import protocols.two_armed_bandit.task  # noqa: F401 - it is warm then
import rig.boards.serial.driver
import rig.cli.dispatch
import rig.cli.records.recover
import rig.cli.run.before
import rig.cli.run.session
import rig.cli.subject.entries
import rig.cli.subject.facts
import rig.cli.subject.give
from rig.cli.main import main
from rig.session.run import collect_environment, journal_file

SYNC_S = 0.02
"""So often is the journal synced, in a session that lasts half a second."""


def no_process(*words: Any, **options: Any) -> Any:
    """Refuse to start another program, such as the display: a session goes on without."""
    raise OSError(1, "not in this test")


def serve(control: socket.socket) -> None:
    journal_file.SYNC_S = SYNC_S
    collect_environment.git_state = lambda paths: []
    rig.cli.terminal.display.subprocess.Popen = no_process
    while True:
        message, ends, _, _ = socket.recv_fds(control, 1 << 16, 1)
        if not message:
            return
        pid = os.fork()
        if pid == 0:
            control.close()
            play(json.loads(message))
        os.close(ends[0])
        control.sendall(b"%d\n" % pid)
        reap()


def reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def play(order: dict[str, Any]) -> None:
    status = 99
    out = Path(order["out"])
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(out / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        calls = ctypes.CDLL(None)
        calls.calls_watch(order["folder"].encode(), os.open(out / "calls", os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
        if order["fault"]:
            call, path, *numbers = order["fault"]
            calls.calls_fault(call.encode(), path.encode(), *numbers)
        try:
            status = main(order["words"])
        except SystemExit as end:
            status = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with (out / "status").open("w") as file:
            file.write(str(status))
        os._exit(0)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control:
        serve(control)
