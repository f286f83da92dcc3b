"""Time from an edge to the order that answers it through the whole driver, relative to a raw echo of pyserial.

Both run on a pty instead of a board. A peer at its far end sends an EDGE frame, or twelve bytes, and measures the time
to the answer. The host reads, decodes, journals, resumes a task, journals its command and writes it. For comparison
pyserial reads twelve bytes and writes them back. The frames of the peer were recorded from the simulated board in a
session of the same task.

The driver runs once as in a real session, which keeps the processor awake if it is allowed to, and once without that.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

import serial

from benchmarks.measure import Measure, Options, Others, in_quiet
from benchmarks.peer import HEAD
from rig.boards.serial.board import SerialBoard
from rig.boards.serial.transport import SerialTransport
from rig.boards.transport import Transport
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.config import SessionLimits, rig_file_model
from rig.core.clock import running
from rig.core.journal.journal import Journal
from rig.core.model.rig_spec import SimulationOptions
from rig.core.model.rows import Row
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from rig.devices import Port
from rig.devices.kinds import installed_kinds
from rig.session.run.cpu_latency import KeepCpuAwake
from rig.session.run.gc_control import GcPaused
from rig.session.run.journal_file import Recorder
from rig.session.run.session import Session
from rig.session.spec.build import spec_for_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.rig_file import Rig
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from sim_hardware import loop
from sim_hardware.driver import SimRig
from sim_hardware.world.body import Body

EVENTS = 2000
ROUNDS = 7
# Random gaps: a fixed period could lock to the kernel's timer and hide the wake-up time.
GAPS_US = (200, 1000)
BAUD = 500_000
# Ends with 0, as every frame does: the peer counts zeros.
ECHO = b"elevenbytes\0"
HERE = Path(__file__).parent


class Step(NamedTuple):
    """Step of the peer: send bytes, then read until a number of frames have ended."""

    said: bytes
    frames: int
    timed: bool


Peer = list[str]


# --- the task, and the frames of the board in it ---------------------------------------------------------------------


@dataclass
class Box:
    """Box with one port with a light."""

    port: Port


class Answer(Task[TaskParams, Box, Row]):
    """Task that answers every edge with the light."""

    @state(to=("answer",))
    async def answer(self) -> Next:
        """Switch the light on at every entry and off at every exit."""
        port = self.box.port
        while True:
            edge = await self.first(port.poked, port.freed)
            (port.light.on if edge.level else port.light.off)()


def make_spec() -> SessionSpec:
    """Return the specification of the session on both boards."""
    devices = {"port": {"kind": "port", "beam": 6, "light": 10}}
    file = rig_file_model(installed_kinds()).model_validate(
        {"boards": {"uno": {"driver": "serial"}}, "devices": devices}
    )
    stop = SessionLimits(session_s=3600, grace_s=0, max_rewards=1)
    return spec_for_rig(
        Rig("bench", file, {}, ()), FoundTask("answer", Answer), TaskParams(), stop, SessionRequest(seed=1)
    )


def record(events: int) -> list[Step]:
    """Run the session on the simulated board; return its bytes and the number of host frames after each."""
    said: list[tuple[bool, bytes]] = []

    async def live() -> None:
        spec = make_spec()
        rig = SimRig(spec.plan, SimulationOptions(faults={"latency_s": 0.0}))
        tap = Tap(rig.transport, said)
        session = Session(spec, Journal(lambda line: None), lambda inbox: SerialBoard(tap, running(), inbox))
        await session.run(_poke(rig, rig.body, events))

    loop.run(live())
    return list(_steps(said))


async def _poke(rig: SimRig, body: Body, events: int) -> None:
    for place in range(events):
        await body.wait(0.01)
        if place % 2:
            body.leave("port")
        else:
            body.enter("port")
    await body.wait(0.005)
    rig.cable.disconnect()
    await body.wait(1.0)


class Tap(Transport):
    """Transport that records all bytes and their direction."""

    def __init__(self, inner: Transport, said: list[tuple[bool, bytes]]) -> None:
        self._inner = inner
        self._said = said

    @property
    def quiet_s(self) -> float:
        """Return for how long the host must still send nothing."""
        return self._inner.quiet_s

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver received bytes."""

        def hear(data: bytes) -> None:
            self._said.append((True, data))
            on_bytes(data)

        self._inner.start(hear, on_lost)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._said.append((False, data))
        self._inner.write(data)

    def close(self) -> None:
        """Close the transport."""
        self._inner.close()


def _steps(said: list[tuple[bool, bytes]]) -> Iterator[Step]:
    """Yield the peer's script: bytes of the board, then the number of host frames before its next bytes."""
    spoken, frames = b"", 0
    for by_board, data in said:
        if by_board:
            yield _step(spoken, frames)
            spoken, frames = data, 0
        else:
            frames += data.count(0)
    yield _step(spoken, frames)


def _step(spoken: bytes, frames: int) -> Step:
    payload = frame.decode(spoken[:-1]) if spoken else None
    return Step(spoken, frames, timed=payload is not None and payload[0] == wire.EDGE.code and frames > 0)


# --- one round each way ---------------------------------------------------------------------------------------------


def drive(steps: list[Step], peer: Peer, processor: AbstractContextManager[object]) -> list[float]:
    """Run the session through the whole driver; return the peer's times in seconds."""
    with TemporaryDirectory() as name, far_end() as (path, fd), GcPaused(), processor:
        recorder = Recorder(Path(name), synced=True)
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            try:
                return runner.run(_drive(SerialTransport(path, BAUD), recorder, Playing(peer, fd, steps)))
            finally:
                recorder.close()


async def _drive(transport: Transport, recorder: Recorder, playing: Playing) -> list[float]:
    journal = Journal(recorder.append)
    session = Session(make_spec(), journal, lambda inbox: SerialBoard(transport, running(), inbox))
    outcome = await session.run()  # until the peer closes the pty
    if "was the cable pulled" not in outcome.detail:
        raise RuntimeError(f"the session ended before its script: {outcome.reason}: {outcome.detail}")
    return playing.times()


def echo(events: int, peer: Peer) -> list[float]:
    """Return the peer's times in seconds when pyserial's blocking read and write answer it."""
    steps = [Step(ECHO, 1, timed=True)] * events
    with far_end() as (path, fd), GcPaused(), serial.Serial(path, BAUD, exclusive=True) as port:
        playing = Playing(peer, fd, steps)
        for _ in range(events):
            port.write(port.read(len(ECHO)))
        return playing.times()


@contextmanager
def far_end() -> Iterator[tuple[str, int]]:
    """Open a pty; yield the path of its near end and the descriptor of its far end, which the peer closes."""
    far, near = os.openpty()
    try:
        yield os.ttyname(near), far
    finally:
        os.close(near)


class Playing:
    """Running peer process; it closes the pty at the end of its script."""

    def __init__(self, peer: Peer, fd: int, steps: list[Step]) -> None:
        draw = random.Random(1)
        script = b"".join(
            HEAD.pack(draw.randint(*GAPS_US) if step.timed else 0, step.timed, step.frames, len(step.said)) + step.said
            for step in steps
        )
        with TemporaryFile() as file:  # a pipe would fill before the host reads
            file.write(script)
            file.seek(0)
            self._process = subprocess.Popen([*peer, str(fd)], stdin=file, stdout=subprocess.PIPE, pass_fds=(fd,))
        os.close(fd)

    def times(self) -> list[float]:
        """Wait for the end of the peer; return its times in seconds."""
        assert self._process.stdout is not None
        with self._process.stdout as printed:
            times = [int(line) / 1e9 for line in printed]
        if self._process.wait() != 0:
            raise RuntimeError(f"the peer ended early, after {len(times)} answers")
        return times


def build_peer(folder: Path) -> Peer:
    """Build the peer with a C compiler; without one return the peer in Python."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return [sys.executable, str(HERE / "peer.py")]
    subprocess.run([compiler, "-O2", "-o", str(folder / "peer"), str(HERE / "peer.c")], check=True)
    return [str(folder / "peer")]


# --- the numbers ----------------------------------------------------------------------------------------------------


def measure(options: Options) -> list[Measure]:
    """Return measures of the same number of answers each way in every round; empty on Windows, which has no pty."""
    if sys.platform == "win32":
        return []
    steps = record(EVENTS)
    with TemporaryDirectory() as name:
        peer = build_peer(Path(name))
        ratios, quiet = in_quiet(lambda: _turn(steps, peer), options.rounds or ROUNDS)
    language = "C" if len(peer) == 1 else "Python"
    with KeepCpuAwake() as awake:
        kept = "processor kept awake" if awake.active else "processor not kept awake (no permission)"
    note = f"{EVENTS} edges a round on a pty, journal synced, {kept}, peer in {language}; {quiet}"
    what = "edge to order through the driver / pyserial's echo"
    middle, late, middle_asleep, late_asleep = zip(*ratios, strict=True)
    return [
        Measure(f"{what}, median", middle, at_most=1.8, note=note),
        Measure(f"{what}, 99 in 100", late, at_most=2.4),
        Measure(f"{what}, median, the processor may sleep", middle_asleep),
        Measure(f"{what}, 99 in 100, the processor may sleep", late_asleep),
    ]


def _turn(steps: list[Step], peer: Peer) -> tuple[tuple[float, ...], float]:
    """Run one round; return ratios of medians and 99th percentiles, awake and not, and cores used by others."""
    with Others() as others:
        raw = _percentiles(echo(EVENTS, peer))
        awake = _percentiles(drive(steps, peer, KeepCpuAwake()))
        asleep = _percentiles(drive(steps, peer, nullcontext()))
    return tuple(
        driven / plain for way in (awake, asleep) for driven, plain in zip(way, raw, strict=True)
    ), others.cores


def _percentiles(times: list[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=100)
    return cuts[49], cuts[98]
