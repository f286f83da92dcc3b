"""Time from an edge to the order that answers it through the whole driver, relative to a raw echo of pyserial.

Both run on a pty instead of a board. A peer at its far end sends an EDGE frame, or twelve bytes, and measures the time
to the answer. The host reads, decodes, journals, resumes a task, journals its command and writes it. For comparison
pyserial reads twelve bytes and writes them back. The frames of the peer were recorded from the simulated board in a
session of the same task.

Both run after three gaps without an edge, in which a processor falls asleep, and both in two ways: with the processor
kept awake, as in a real session that is allowed to, and without that.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
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
from rig.session.spec.read_rig import Rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.spec.task_classes import FoundTask
from sim_hardware import loop
from sim_hardware.driver import SimRig
from sim_hardware.world.body import Body

EVENTS = {0.0: 2000, 0.1: 100, 0.3: 50}
"""The edges of a round, by the gap before each in seconds."""
ROUNDS = 5
# Each gap is longer by a random time: a fixed period could lock to the kernel's timer and hide the wake-up time.
LONGER_US = (200, 1000)
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


class PeerTransport(SerialTransport):
    """Transport to the peer, which has no bootloader."""

    @property
    def quiet_s(self) -> float:
        """Return 0: the host may send at once."""
        return 0.0


def drive(steps: list[Step], peer: Peer, gap_s: float = 0.0) -> list[float]:
    """Run the session through the whole driver; return the peer's times in seconds."""
    with TemporaryDirectory() as name, far_end() as (path, fd), GcPaused():
        recorder = Recorder(Path(name), synced=True)
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            try:
                return runner.run(_drive(PeerTransport(path, BAUD), recorder, Playing(peer, fd, steps, gap_s)))
            finally:
                recorder.close()


async def _drive(transport: Transport, recorder: Recorder, playing: Playing) -> list[float]:
    journal = Journal(recorder.append)
    session = Session(make_spec(), journal, lambda inbox: SerialBoard(transport, running(), inbox))
    outcome = await session.run()  # until the peer closes the pty
    if "was the cable pulled" not in outcome.detail:
        raise RuntimeError(f"the session ended before its script: {outcome.reason}: {outcome.detail}")
    return playing.times()


def echo(events: int, peer: Peer, gap_s: float = 0.0) -> list[float]:
    """Return the peer's times in seconds when pyserial's blocking read and write answer it."""
    steps = [Step(ECHO, 1, timed=True)] * events
    with far_end() as (path, fd), GcPaused(), serial.Serial(path, BAUD, exclusive=True) as port:
        playing = Playing(peer, fd, steps, gap_s)
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

    def __init__(self, peer: Peer, fd: int, steps: list[Step], gap_s: float) -> None:
        draw, gap_us = random.Random(1), round(1e6 * gap_s)
        script = b"".join(
            HEAD.pack(gap_us + draw.randint(*LONGER_US) if step.timed else 0, step.timed, step.frames, len(step.said))
            + step.said
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


class Times(NamedTuple):
    """The median and the 99th percentile of the answers of a round, in microseconds."""

    median: float
    late: float

    @classmethod
    def of(cls, times_s: list[float]) -> Times:
        """Return those of an answer's seconds."""
        cuts = quantiles([1e6 * time_s for time_s in times_s], n=100, method="inclusive")
        return cls(cuts[49], cuts[98])


class Way(NamedTuple):
    """How both sides run: the gap before each edge, and whether the processor is kept awake."""

    gap_s: float
    awake: bool

    def __str__(self) -> str:
        return f"gaps of {self.gap_s:g} s, processor {'kept awake' if self.awake else 'may sleep'}"


Round = dict[Way, tuple[Times, Times]]
"""The times of the driver and of the echo."""
AT_MOST = {Way(0.0, awake=True): (1.8, 2.4)}
"""The bounds of the ratios of medians and of 99th percentiles."""


def measure(options: Options) -> list[Measure]:
    """Return measures of the same number of answers of both sides in every round; empty on Windows, without ptys."""
    if sys.platform == "win32":
        return []
    with KeepCpuAwake() as awake:
        can_stay_awake = awake.active
    ways = [Way(gap_s, awake) for gap_s in EVENTS for awake in (True, False) if can_stay_awake or not awake]
    scripts = {events: record(events) for events in EVENTS.values()}
    with TemporaryDirectory() as name:
        peer = build_peer(Path(name))
        rounds, quiet = in_quiet(lambda: _turn(ways, scripts, peer), options.rounds or ROUNDS)
    language = "C" if len(peer) == 1 else "Python"
    refused = "" if can_stay_awake else "; no permission to keep the processor awake"
    note = f"on a pty, journal synced, peer in {language}{refused}; {quiet}"
    return [measure for way in ways for measure in _measures(way, [times[way] for times in rounds], note)]


def _turn(ways: list[Way], scripts: dict[int, list[Step]], peer: Peer) -> tuple[Round, float]:
    """Run one round; return the times of both sides in every way, and the cores used by others."""
    times: Round = {}
    with Others() as others:
        for way in ways:
            events = EVENTS[way.gap_s]
            with KeepCpuAwake() if way.awake else nullcontext():
                raw = Times.of(echo(events, peer, way.gap_s))
                times[way] = Times.of(drive(scripts[events], peer, way.gap_s)), raw
    return times, others.cores


def _measures(way: Way, rounds: list[tuple[Times, Times]], note: str) -> Iterator[Measure]:
    """Yield the ratios of medians and of 99th percentiles; their notes have the microseconds of both sides."""
    bounds = AT_MOST.get(way, (None, None))
    for index, (name, at_most) in enumerate(zip(("median", "99 in 100"), bounds, strict=True)):
        ratios = tuple(driver[index] / raw[index] for driver, raw in rounds)
        driver_us, raw_us = (median(side[index] for side in sides) for sides in zip(*rounds, strict=True))
        both = f"{driver_us:.0f} / {raw_us:.0f} us; {EVENTS[way.gap_s]} edges a round"
        what = f"edge to order through the driver / pyserial's echo, {way}, {name}"
        yield Measure(what, ratios, at_most=at_most, note=f"{both} {note}")
