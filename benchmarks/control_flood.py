"""Jitter of a session whose control port a thousand connections of intruders flood, relative to that of another one.

An edge goes through the whole driver, as in `driver_path`. On both sides the session listens at a port of the loopback
interface, as on Windows, and the same intruders run on the same computer. On one side they attack the session, on the
other one a server beside it. So the ratio is what the port costs, and not what any program costs that takes a
processor. ``--rounds`` is the number of rounds; in each one both sides run, one after the other.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.driver_path import (
    BAUD,
    Peer,
    PeerTransport,
    Playing,
    Step,
    Times,
    build_peer,
    far_end,
    make_spec,
    record,
)
from benchmarks.measure import Measure, Options
from rig.boards.serial.board import SerialBoard
from rig.core.clock import running
from rig.core.journal.journal import Journal
from rig.session.run.control_requests import ControlRequest
from rig.session.run.control_server import ControlServer, Reply
from rig.session.run.gc_control import GcPaused
from rig.session.run.journal_file import Recorder
from rig.session.run.session import Session
from rig.system.carriers import CARRIER

ROUNDS = 4
SESSIONS, EDGES = 15, 2_000
"""Of each side of a round: half a minute, in which 160 connections are accepted each second."""
AT_MOST = 1.5
MUTATED = 10_000
ROOT = Path(__file__).parents[1]


def measure(options: Options) -> list[Measure]:
    """Return the ratio of the 99th percentiles, and how many frames were sent; empty on Windows, without ptys."""
    if sys.platform == "win32":
        return []
    sent: Counter[str] = Counter()
    rounds: list[tuple[Times, Times]] = []
    steps = record(EDGES)
    with TemporaryDirectory(prefix="rig") as name:
        peer = build_peer(Path(name))
        for number in range(options.rounds or ROUNDS):
            order = (False, True) if number % 2 == 0 else (True, False)
            times = {flooded: Times.of(_drive(Path(name), steps, peer, sent, flooded=flooded)) for flooded in order}
            rounds.append((times[True], times[False]))
    return _measures(rounds, sent)


def _measures(rounds: list[tuple[Times, Times]], sent: Counter[str]) -> list[Measure]:
    flooded_us, quiet_us = (median(side.late for side in sides) for sides in zip(*rounds, strict=True))
    note = f"{flooded_us:.0f} / {quiet_us:.0f} us; {SESSIONS * EDGES} edges a side; sent: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(sent.items())
    )
    ratios = tuple(flooded.late / quiet.late for flooded, quiet in rounds)
    return [
        Measure(
            "edge to order, control port flooded / that of another process, 99 in 100",
            ratios,
            at_most=AT_MOST,
            note=note,
        ),
        Measure("frames with changed bytes that were sent", (_total(sent, "mutated"),), at_least=MUTATED),
        Measure("frames of intruders that were answered", (_total(sent, "answered"),), at_most=0),
    ]


def _total(sent: Counter[str], kind: str) -> int:
    return sum(count for name, count in sent.items() if name.startswith(kind))


def _drive(folder: Path, steps: list[Step], peer: Peer, sent: Counter[str], *, flooded: bool) -> list[float]:
    """Run one side of a round; return the peer's times in seconds. What intruders send is counted in ``sent``."""
    os.environ[CARRIER] = "tcp"
    with TemporaryDirectory(dir=folder) as name, GcPaused():
        return asyncio.run(_sessions(Path(name), steps, peer, sent, flooded=flooded))


async def _sessions(folder: Path, steps: list[Step], peer: Peer, sent: Counter[str], *, flooded: bool) -> list[float]:
    def handle(request: ControlRequest, reply: Reply) -> None:
        sent["done"] += 1
        reply({"ok": True})

    times_s: list[float] = []
    with ControlServer(folder, handle) as server, ExitStack() as stack:
        target = server.path if flooded else Path(stack.enter_context(_decoy(folder)))
        stack.enter_context(_intruders(target, sent if flooded else Counter()))
        for number in range(SESSIONS):
            (folder / str(number)).mkdir()
            times_s += await _session(folder / str(number), steps, peer)
    return times_s


async def _session(folder: Path, steps: list[Step], peer: Peer) -> list[float]:
    recorder = Recorder(folder, synced=True)
    try:
        with far_end() as (path, fd):
            transport = PeerTransport(path, BAUD)
            journal = Journal(recorder.append)
            session = Session(make_spec(), journal, lambda inbox: SerialBoard(transport, running(), inbox))
            playing = Playing(peer, fd, steps, 0.0)
            outcome = await session.run()  # until the peer closes the pty
            if "was the cable pulled" not in outcome.detail:
                raise RuntimeError(f"the session ended before its script: {outcome.reason}: {outcome.detail}")
            return playing.times()
    finally:
        recorder.close()


@contextmanager
def _decoy(folder: Path) -> Iterator[str]:
    """Run a server of another process within the block; yield its file."""
    with _started("control_decoy", folder) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate("")


@contextmanager
def _intruders(file: Path, sent: Counter[str]) -> Iterator[None]:
    """Run the program of the intruders within the block, and count what it sent."""
    with _started("control_intruder", file) as process:
        assert process.stdout is not None
        process.stdout.readline()  # ready
        try:
            yield
        finally:
            output, _ = process.communicate("")
    sent.update(json.loads(output))


def _started(program: str, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"benchmarks.{program}", str(path)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
