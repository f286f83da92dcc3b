"""``kill -9`` at any byte: what the board saw acknowledged is in the journal, and water left as the journal says.

The board, its world and a quick animal live in the test's own process and survive; the session is a real one,
in a process that is killed when a number of bytes have passed.
"""

import asyncio
import datetime
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.journal.kinds import AllOffDone, Openings, OutputDone, SessionLine, TrialLine
from rig.core.model.actions import Amount
from rig.core.model.board import KeptOpening
from rig.core.model.events import (
    BoardTime,
    Edge,
    EntryRefused,
    Flood,
    LeaseExpired,
    OutputOn,
    Overflow,
    Panic,
    Refused,
    SequenceStarted,
)
from rig.records.journal.read import read_journal, scan_journal
from rig.records.openings.board_answer import BoardAnswer
from rig.records.recover import recover
from rig.records.subject.deliveries import DeliveredTotal, delivered_between
from rig.session.replay import replay_lines
from sim_hardware.board.board import SimBoard
from sim_hardware.world.body import Body, light
from sim_hardware.world.world import World
from tests.session import kill_child
from tests.session_ends import footer_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks and passes sockets on")

CAUSES: Mapping[int, Any] = wire.words("CAUSE")
NUMBERED = {kind.code for kind in wire.EVENTS} - {wire.DONE.code}
NUMBERED_LINES = (
    Edge,
    BoardTime,
    SequenceStarted,
    OutputOn,
    Refused,
    EntryRefused,
    LeaseExpired,
    Overflow,
    Flood,
    Panic,
)
"""The events whose journal lines hold their numbers."""

HANDSHAKE_BYTES = 600
MOST_BYTES = 4_000


class Forge:
    """The warm process, which makes victims."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
        command = [sys.executable, "-W", "error", kill_child.__file__, str(theirs.fileno())]
        self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=kept)
        theirs.close()

    def fork(self, end: socket.socket, folder: Path, seed: int) -> int:
        order = json.dumps({"folder": str(folder), "seed": seed}).encode()
        socket.send_fds(self._ours, [order], [end.fileno()])
        end.close()
        answer = self._ours.recv(64)
        assert answer.endswith(b"\n"), "the warm process has died"
        return int(answer)

    def close(self) -> None:
        self._ours.close()
        assert self._server.wait(10) == 0


@pytest.fixture(scope="module")
def forge() -> Iterator[Forge]:
    made = Forge()
    yield made
    made.close()


@dataclass
class KillBench:
    """A board with a world and an animal, at the surviving end of a cable; what passed, and when to kill."""

    end: socket.socket
    kill_at: int
    seed: int
    pid: int = 0
    passed: int = 0
    killed: bool = False
    gone: bool = False
    on_gone: asyncio.Event = field(default_factory=asyncio.Event)
    heard: int = 0
    said: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        script = kill_child.spec_of(self.seed)
        clock = running()
        self.draw = random.Random(f"{self.seed}/kill")
        self.names = [channel.name for channel in script.plan.wiring.channels]
        self.world = World(script.plan, self.now_us, drive=self._drive)
        self.world.trace = []
        self.board = SimBoard(clock, self._to_host, self.world.on_output)
        # It has worked before: without an opening from before, a power cut since could not be excluded.
        self.board.chip.openings.end(self.board.chip.openings.begin(0, (0, 0, 0)))
        self.body = Body(self.world, clock, self.seed)
        self.world.clear()
        self._ear, self._eye = frame.Deframer(), frame.Deframer()
        self.end.setblocking(False)
        asyncio.get_running_loop().add_reader(self.end, self._from_host)

    def _drive(self, pin: int, level: int) -> None:
        self.board.chip.inputs.drive(pin, level)

    def now_us(self) -> int:
        ticks = self.board.ticks
        return (ticks.now() - self.board.opened_at) * ticks.tick_ns // 1000

    # --- the cable --------------------------------------------------------------------------------------------

    def _from_host(self) -> None:
        try:
            data = self.end.recv(4096)
        except OSError:
            data = b""
        if not data:
            self.gone = True
            self.on_gone.set()
            asyncio.get_running_loop().remove_reader(self.end)
            return
        before, after = self._count(data)
        self._listen(before)
        self.board.receive(before)
        self._kill_now()
        if not self.killed or self.draw.random() < 0.5:  # what the cable still holds arrives, or it does not
            self._listen(after)
            self.board.receive(after)

    def _to_host(self, data: bytes) -> None:
        for payload in self._eye.feed(data):
            message = wire.unpack(payload, wire.TO_HOST)
            assert message is not None
            if message[0] >= wire.FIRST_EVENT:
                self.said[message[1]] = message
        before, after = self._count(data)
        self._carry(before)
        self._kill_now()
        self._carry(after)

    def _carry(self, data: bytes) -> None:
        if data and not self.gone:
            try:
                self.end.send(data)
            except OSError:
                self.gone = True

    def _count(self, data: bytes) -> tuple[bytes, bytes]:
        left = max(0, self.kill_at - self.passed)
        self.passed += len(data)
        return data[:left], data[left:]

    def _kill_now(self) -> None:
        if self.passed < self.kill_at or self.killed or self.gone:
            return
        if self.draw.random() < 0.5:
            time.sleep(self.draw.random() * 1e-3)  # let it get somewhere with what it has just read
        os.kill(self.pid, signal.SIGKILL)
        self.killed = True

    def _listen(self, data: bytes) -> None:
        for payload in self._ear.feed(data):
            message = wire.unpack(payload, wire.TO_BOARD)
            assert message is not None
            if message[0] == wire.BATCH.code:
                self.heard = max(self.heard, message[3])
            elif message[0] in (wire.EVENT_ACK.code, wire.GET_TIME.code):
                self.heard = max(self.heard, message[1])

    # --- the animal -------------------------------------------------------------------------------------------

    async def live(self) -> None:
        """Do trials without a pause; sometimes the wrong thing, sometimes something twice."""
        draw = self.body.random
        while True:
            await self.body.wait_for(light("center").on)
            await self._poke("center", 0.001 + 0.002 * draw.random())
            await self.body.wait(0.006 * draw.random())
            if draw.random() < 0.05:
                await self._poke("center", 0.002)
            await self._poke(draw.choice(["left", "right"]), 0.002 + 0.004 * draw.random())

    async def _poke(self, place: str, for_s: float) -> None:
        self.body.enter(place)
        await self.body.wait(for_s)
        self.body.leave(place)

    # --- what is left -----------------------------------------------------------------------------------------

    @property
    def openings(self) -> list[tuple[str, int]]:
        """Every opening of a valve: where, and when."""
        assert self.world.trace is not None
        return [(name, t_us) for t_us, name, value in self.world.trace if name.endswith(".valve") and value]

    @property
    def on(self) -> list[str]:
        assert self.world.trace is not None
        last = {name: value for _, name, value in self.world.trace if not name.endswith(".beam")}
        return sorted(name for name, value in last.items() if value)

    def acknowledged(self) -> list[tuple[Any, ...]]:
        return [message for number, message in sorted(self.said.items()) if number <= self.heard]


@dataclass(frozen=True)
class Fate:
    """What one killed session came to."""

    bytes: int
    killed: bool
    lines: int
    torn: int
    trials: int
    drops: int
    openings: int
    acknowledged: int


async def kill_one(forge: Forge, folder: Path, seed: int) -> KillBench:
    """Run a session, kill it, and wait until the board has gone dark."""
    draw = random.Random(f"{seed}/when")
    kill_at = draw.randint(1, HANDSHAKE_BYTES if draw.random() < 0.2 else MOST_BYTES)
    os.makedirs(folder)
    ours, theirs = socket.socketpair()
    bench = KillBench(ours, kill_at, seed)
    bench.pid = forge.fork(theirs, folder, seed)
    living = asyncio.get_running_loop().create_task(bench.live(), name="animal")
    try:
        async with asyncio.timeout(30):
            await bench.on_gone.wait()
            await asyncio.sleep(kill_child.LEASE_S + 0.1)
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        bench.board.reset()
        ours.close()
    return bench


def judge(bench: KillBench, folder: Path) -> Fate:
    """Hold the journal, and the day's total, to what happened."""
    subject, day = folder.parent.parent, datetime.datetime.fromisoformat(folder.parent.name)
    torn = scan_journal(folder / "journal.jsonl").torn_bytes
    before = delivered_between(subject, day, day + datetime.timedelta(days=1))
    recovery = recover(folder)
    lines = read_journal(folder)
    assert bench.on == []
    assert_acknowledged_events_are_in(lines, bench)
    opened = bench.openings
    for (name, t_us), (_, next_us) in pairwise(opened):
        assert next_us - t_us > 1_000, f"{name} was paid twice"
    footer = footer_of(folder)
    assert 0 <= footer.rewards - len(opened) <= 1, "one doubt more than fell, and none less"
    assert footer.ul == footer.rewards == sum(row[1] for row in footer.given)
    assert (
        before == delivered_between(subject, day, day + datetime.timedelta(days=1)) == DeliveredTotal(Amount(footer.ul))
    )
    assert sum(line.row["rewarded"] for line in lines if isinstance(line, TrialLine)) <= len(opened)
    assert replay_lines(lines)[1] is None
    again = (folder / "journal.jsonl").read_bytes()
    assert recover(folder).had_footer
    assert (folder / "journal.jsonl").read_bytes() == again
    assert_the_board_settles_it(bench, folder)
    return Fate(
        bench.passed,
        bench.killed,
        len(lines),
        torn,
        recovery.trials,
        footer.rewards,
        len(opened),
        len(bench.acknowledged()),
    )


def assert_the_board_settles_it(bench: KillBench, folder: Path) -> None:
    """Ask the board afterwards: the ledger equals its openings."""
    lines = read_journal(folder)
    # Killed before the board was open: nothing was ordered either.
    if not any(isinstance(line, Openings) for line in lines):
        assert (footer_of(folder).rewards, bench.openings) == (0, [])
        return
    found = recover(folder, BoardAnswer("5131", 1, kept_by(bench.board), "a test"))
    footer = footer_of(folder)
    told = bench.seed, found, footer, bench.openings
    assert (found.undecided, footer.unconfirmed_rewards, footer.rewards) == (0, 0, len(bench.openings)), told
    assert replay_lines(read_journal(folder))[1] is None


def kept_by(board: SimBoard) -> tuple[KeptOpening, ...]:
    """Read what a board has kept, as the wire says it."""
    most, *_ = board.chip.openings.fields(0)
    found = []
    for place in reversed(range(most)):
        _, number, channel, epoch, cause, by, part, flags, stamp, ticks = board.chip.openings.fields(place)
        state: Literal["ended", "cut"] = "cut" if flags else "ended"
        found.append(KeptOpening(number, channel, epoch, CAUSES[cause], by, part, stamp, ticks, state))
    return tuple(found)


def assert_acknowledged_events_are_in(lines: list[SessionLine], bench: KillBench) -> None:
    written = Counter(line.number for line in lines if isinstance(line, NUMBERED_LINES))
    assert set(written.values()) <= {1}, "an event was written twice"
    edges = {line.number: line for line in lines if isinstance(line, Edge)}
    finished = 0
    acknowledged = bench.acknowledged()
    assert [message[1] for message in acknowledged] == list(range(1, bench.heard + 1))
    for message in acknowledged:
        code, number = message[:2]
        if code in NUMBERED:
            assert number in written, f"event {number} was acknowledged and is not in the journal"
        if code == wire.EDGE.code:
            _, _, place, fired, _ = message
            line = edges[number]
            told = bench.names[place & 0x7F], place >> 7, fired
            assert told == (line.channel, line.level, line.fired)
        finished += code == wire.DONE.code
    assert sum(isinstance(line, (OutputDone, AllOffDone)) for line in lines) >= finished


def _place(folder: Path, seed: int) -> Path:
    return folder / f"M{seed:04d}" / kill_child.START[:10] / "001"


async def _kill_many(forge: Forge, folder: Path, seeds: range, at_once: int) -> list[KillBench]:
    free = asyncio.Semaphore(at_once)

    async def one(seed: int) -> KillBench:
        async with free:
            return await kill_one(forge, _place(folder, seed), seed)

    return await asyncio.gather(*map(one, seeds))


def kill_many(forge: Forge, folder: Path, seeds: range, at_once: int = 4) -> list[Fate]:
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        benches = runner.run(_kill_many(forge, folder, seeds, at_once))
    fates = [judge(bench, _place(folder, bench.seed)) for bench in benches]
    assert sum(fate.killed for fate in fates) >= 0.9 * len(fates)
    assert any(fate.drops for fate in fates)
    return fates


@pytest.mark.real_time
def test_a_session_killed_at_any_byte_leaves_every_acknowledged_event_and_pays_as_its_journal_says(
    forge: Forge, tmp_path: Path
) -> None:
    kill_many(forge, tmp_path, range(12))


@pytest.mark.campaign
def test_two_hundred_sessions_killed_at_any_byte_leave_every_acknowledged_event(forge: Forge, tmp_path: Path) -> None:
    fates = kill_many(forge, tmp_path, range(100, 300))
    doubts = sum(fate.drops - fate.openings for fate in fates)
    print(f"{len(fates)} sessions, {sum(fate.killed for fate in fates)} killed, {doubts} doubts never fell")  # noqa: T201
    for name in ("bytes", "lines", "torn", "trials", "drops", "openings", "acknowledged"):
        print(f"{name}: {sum(getattr(fate, name) for fate in fates)}")  # noqa: T201
