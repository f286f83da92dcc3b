"""The victim: a warm process that forks real sessions on sockets, to be killed one by one.

SequenceStarted as ``python kill_child.py CONTROL_FD``. Every message on the control socket is a JSON object with one
socket beside it; the answer is the pid of the child whose session runs on that socket.
"""

import asyncio
import json
import os
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import datetime

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.config import SessionLimits, rig_file_model
from rig.core.clock import running
from rig.core.journal.journal import Journal
from rig.devices.calibration import Calibration
from rig.devices.kinds import installed_kinds
from rig.records.session.power_loss import boot_id
from rig.records.session.read_environment import ENVIRONMENT
from rig.session.run.journal_file import Recorder, write_json
from rig.session.run.session import Session
from rig.session.spec.build import spec_for_rig
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask

LEASE_S = 0.3
START = "2026-11-21T09:00:00"


def spec_of(seed: int) -> SessionSpec:
    """Make a bandit of trials that take some 20 ms, on a rig whose drops take 1 ms."""
    calibration = Calibration("quick", "both", "2026-11-03", ((1_000, 1.0), (4_000, 4.0)))
    port = {"kind": "port", "beam_lockout_us": 500, "beam_min_on_us": 100}
    devices = {
        "left": {**port, "beam": 6, "light": 10, "valve": 3, "calibration": "quick"},
        "center": {**port, "beam": 5, "light": 8},
        "right": {**port, "beam": 7, "light": 9, "valve": 4, "calibration": "quick"},
    }
    boards = {"board": {"driver": "serial", "port": "socket", "lease_s": LEASE_S}}
    rig = Rig(
        "sockets", rig_file_model(installed_kinds()).model_validate({"boards": boards, "devices": devices}), {}, ()
    )
    rig = Rig(rig.name, rig.file, {"quick": calibration}, ())
    quick = {"iti_min_s": 0.001 * (seed % 3), "choice_window_s": 0.2, "reward_ul": 1.0, "min_poke_ms": 0}
    params = TwoArmedBandit.params_type.model_validate({**quick, "p_high": 0.9, "q_stay": 0.8})
    limits = SessionLimits.model_validate({"session_s": 30, "max_rewards": 10_000, "max_ul": 10_000})
    request = SessionRequest(seed=seed, subject="M1", start=datetime.datetime.fromisoformat(START))
    return spec_for_rig(rig, FoundTask("two_armed_bandit", TwoArmedBandit), params, limits, request)


class SocketTransport(Transport):
    """A port that is one end of a socket pair."""

    quiet_s = 0.0

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._loop = asyncio.get_running_loop()

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._loop.add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            data = self._end.recv(4096)
        except OSError:
            data = b""
        if data:
            self._on_bytes(data)
        else:
            self._loop.remove_reader(self._end)
            self._on_lost("the other end of the socket is closed")

    def write(self, data: bytes) -> None:
        try:
            self._end.send(data)
        except OSError as error:
            self._loop.call_soon(self._on_lost, str(error))

    def close(self) -> None:
        self._loop.remove_reader(self._end)


async def session(end: socket.socket, folder: Path, seed: int) -> None:
    write_json(folder / ENVIRONMENT, {"boot": boot_id()})
    recorder = Recorder(folder, synced=True, on_full=lambda error: played.fail(error))
    transport = SocketTransport(end)
    played = Session(
        spec_of(seed),
        Journal(recorder.append, secure=recorder.secure),
        lambda inbox: SerialBoard(transport, running(), inbox, nonce=seed),
    )
    try:
        await played.run()
    finally:
        recorder.close()


def serve(control: socket.socket) -> None:
    while True:
        message, ends, _, _ = socket.recv_fds(control, 4096, 1)
        if not message:
            return
        order: dict[str, Any] = json.loads(message)
        pid = os.fork()
        if pid == 0:
            control.close()
            play(socket.socket(fileno=ends[0]), Path(order["folder"]), order["seed"])
        os.close(ends[0])
        control.sendall(b"%d\n" % pid)


def play(end: socket.socket, folder: Path, seed: int) -> None:
    status = 1
    try:
        asyncio.run(session(end, folder, seed))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control:
        serve(control)
