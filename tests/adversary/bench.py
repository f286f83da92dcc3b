"""A place where a real ``rig run`` meets the served firmware: it is started, stopped, and held to what the chip did."""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from typing import Any, TypeVar

from rig.core.errors import RecordError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import SessionLine
from rig.records.journal.read import of_kind, read_journal, rows_of
from rig.session.replay import replay_lines
from rig.session.run.journal_file import JOURNAL
from tests.port_rigs import write_port_rig

HERE = Path(__file__).parent
CLOSED_AFTER_US = 200_000
"""A drop of these sessions takes 20 ms; a valve that is open for ten times as long is stuck."""
OUTPUTS = (".valve", ".light")

QUICK = (
    ("params.min_poke_ms", 0),
    ("params.iti_min_s", 0.02),
    ("params.choice_window_s", 0.5),
    ("params.reward_ul", 1.1),
    ("params.p_high", 0.9),
)

T = TypeVar("T")


def run_words(rig: Path, data: Path, settings: Iterable[tuple[str, object]]) -> list[str]:
    """Say how a technician starts a session with an animal that is here for the first time."""
    words = ["run", "two_armed_bandit", "--rig", str(rig), "--data", str(data), "--subject", "M1", "--yes", "--new"]
    words += ["--override", "weight=a test"]
    return [*words, *(word for name, value in settings for word in ("--set", f"{name}={value}"))]


@dataclass
class AdversaryBench:
    """A served board, at ``port``; every session has a folder of its own."""

    folder: Path
    seed: int
    numbers: Iterable[int] = field(default_factory=count)

    @property
    def port(self) -> Path:
        return self.folder / "tty"

    async def __aenter__(self) -> "AdversaryBench":
        self.rig = write_port_rig(self.folder, self.port)
        words = [sys.executable, str(HERE / "served.py"), str(self.rig), str(self.port), str(self.seed)]
        pipe = asyncio.subprocess.PIPE
        self._server = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=1 << 26)
        await self._answer()
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.stdin.close()
        await self._server.wait()

    async def trace(self) -> list[tuple[int, str, int]]:
        """Ask the chip what it has done since last asked."""
        self._server.stdin.write(b"\n")
        return [(t_us, name, value) for t_us, name, value in await self._answer()]

    async def _answer(self) -> Any:
        return json.loads(await self._server.stdout.readline())

    async def session(
        self, story: Callable[["Running"], Awaitable[Any]], rig: Path | None = None, **settings: object
    ) -> "Held":
        """Run a session while a story is told of it; return what became of it when the board is dark again."""
        await self.trace()
        data = self.folder / f"{next(self.numbers):03d}"
        data.mkdir()
        named = [*QUICK, *((name.replace("__", "."), value) for name, value in settings.items())]
        words = [sys.executable, "-m", "rig.cli.main", *run_words(rig or self.rig, data, named)]
        with (data / "said").open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=asyncio.subprocess.DEVNULL, stdout=said, stderr=said
            )
        running = Running(process, data)
        try:
            told = await story(running)
            async with asyncio.timeout(120):
                status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                process.send_signal(signal.SIGCONT)
                await process.wait()
        await asyncio.sleep(0.1 if status == 0 else 2.3)  # what a lease may still do
        return Held(data, status, await self.trace(), told)


@dataclass
class Running:
    """A session that runs."""

    process: asyncio.subprocess.Process
    data: Path

    @property
    def journal(self) -> Path | None:
        return next(self.data.glob(f"M1/????-??-??/*/{JOURNAL}"), None)

    @property
    def over(self) -> bool:
        return self.process.returncode is not None

    def size(self) -> int:
        path = self.journal
        return 0 if path is None else path.stat().st_size

    def trials(self) -> int:
        path = self.journal
        return 0 if path is None else path.read_bytes().count(b'"k":"trial"')

    async def until(self, condition: Callable[[], bool], within_s: float) -> bool:
        """Wait until something is true, or the session is over."""
        deadline = asyncio.get_running_loop().time() + within_s
        while not condition():
            if self.over or asyncio.get_running_loop().time() > deadline:
                return False
            await asyncio.sleep(0.02)
        return True

    def interrupt(self) -> None:
        if not self.over:
            self.process.send_signal(signal.SIGINT)


@dataclass(frozen=True)
class Held:
    """A session that is over: its records, and what the chip did."""

    data: Path
    status: int
    trace: list[tuple[int, str, int]]
    told: Any = None

    @property
    def said(self) -> str:
        return (self.data / "said").read_text()

    @property
    def journal(self) -> Path | None:
        return next(self.data.glob(f"M1/????-??-??/*/{JOURNAL}"), None)

    @property
    def lines(self) -> list[SessionLine]:
        return [] if self.journal is None else read_journal(self.journal.parent)

    @property
    def footer(self) -> Footer | None:
        return next(of_kind(self.lines, Footer), None)

    @property
    def openings(self) -> int:
        return sum(name.endswith(".valve") and value == 1 for _, name, value in self.trace)

    @property
    def on(self) -> list[str]:
        last = {name: value for _, name, value in self.trace if name.endswith(OUTPUTS)}
        return sorted(name for name, value in last.items() if value)

    def judge(self) -> "Verdict":
        """Hold the record to the chip."""
        wrong = []
        if "Traceback" in self.said or "rig has failed" in self.said or self.status not in (0, 1, 2, 3, 130):
            wrong.append(f"status {self.status}: {self.said[-400:]}")
        if self.on:
            wrong.append(f"left on: {self.on}")
        wrong += self._stuck()
        try:
            footer = self.footer
        except RecordError as error:
            return Verdict(self.status, "", self.openings, 0, 0, 0, [*wrong, str(error)])
        if self.journal is None:
            wrong += [f"{self.openings} openings and no journal"] if self.openings else []
            return Verdict(self.status, "", self.openings, 0, 0, 0, wrong)
        if footer is None:
            return Verdict(self.status, "", self.openings, 0, 0, 0, [*wrong, "no footer"])
        doubt = footer.unconfirmed_rewards
        sure = footer.rewards - doubt
        if not sure <= self.openings <= sure + doubt:
            wrong.append(f"{self.openings} openings, {sure} rewards and {doubt} in doubt")
        rows = sum(row["rewarded"] for row in rows_of(self.lines))
        if rows > footer.rewards:
            wrong.append(f"{rows} rewarded rows and {footer.rewards} rewards")
        if (differs := replay_lines(self.lines)[1]) is not None:
            wrong.append(f"replay differs: {differs}")
        return Verdict(self.status, footer.reason, self.openings, sure, doubt, footer.lease_expirations, wrong)

    def _stuck(self) -> list[str]:
        wrong = []
        for valve in {name for _, name, _ in self.trace if name.endswith(".valve")}:
            changes = [(t_us, value) for t_us, name, value in self.trace if name == valve]
            for (on_us, on), (off_us, _) in pairwise(changes):
                if on and off_us - on_us > CLOSED_AFTER_US:
                    wrong.append(f"{valve} was open for {off_us - on_us} us")
        return wrong


@dataclass(frozen=True)
class Verdict:
    """What a session came to."""

    status: int
    reason: str
    openings: int
    rewards: int
    doubt: int
    leases: int
    wrong: Sequence[str]


async def share(
    benches: Sequence[AdversaryBench], jobs: Iterable[T], do: Callable[[AdversaryBench, T], Awaitable[Any]]
) -> list[Any]:
    """Do all jobs, one at a time on each bench."""
    left = list(reversed(list(jobs)))
    done: list[Any] = []

    async def work(bench: AdversaryBench) -> None:
        async with bench:
            while left:
                done.append(await do(bench, left.pop()))

    async with asyncio.TaskGroup() as group:
        for bench in benches:
            group.create_task(work(bench), name=f"bench {bench.seed}")
    return done


def tally(verdicts: Sequence[Verdict]) -> str:
    """Say in one line what many sessions came to."""
    reasons = Counter(verdict.reason or f"status {verdict.status}" for verdict in verdicts)
    sums = {
        name: sum(getattr(verdict, name) for verdict in verdicts) for name in ("openings", "rewards", "doubt", "leases")
    }
    return f"{len(verdicts)} sessions: {dict(reasons)}, {sums}, {sum(bool(v.wrong) for v in verdicts)} wrong"


def environment() -> dict[str, str]:
    """Say what a child is started with: nothing of a measurement of coverage."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
