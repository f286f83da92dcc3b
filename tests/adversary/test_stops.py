"""A host that stands still, for a moment or a minute, at any moment: the record says what the chip gave."""

import asyncio
import math
import os
import random
import signal
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.adversary.bench import AdversaryBench, Held, Running, Verdict, share, tally
from tests.avr_tools import need_avr_tools

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals that stop a program are a thing of POSIX")

SHORTEST_S, LONGEST_S = 0.1, 60.0
SURELY_S = 3.0
"""A board's lease of 2 s has run out in a stop of so long, however busy this computer is."""
PATIENCE_S = 60.0
PHASES = ("opening", "running", "ending")


@dataclass(frozen=True)
class StopAt:
    """One stop of the host: in which part of a session, how long after its beginning, and for how long."""

    phase: str
    after_s: float
    for_s: float


def drawn(seed: int) -> StopAt:
    """Draw a stop: as likely between .1 and .2 s as between 30 and 60."""
    draw = random.Random(f"{seed}/stop")
    phase = draw.choice(["opening", "running", "running", "ending"])
    after_s = draw.random() * {"opening": 0.4, "running": 3.0, "ending": 0.3}[phase]
    return StopAt(phase, after_s, SHORTEST_S * math.exp(draw.random() * math.log(LONGEST_S / SHORTEST_S)))


async def stopped(bench: AdversaryBench, stop: StopAt) -> Held:
    async def story(running: Running) -> int:
        """Return how many trials were done after the stop."""
        begun = (lambda: running.size() > 0) if stop.phase == "opening" else (lambda: running.trials() > 0)
        await running.until(begun, PATIENCE_S)
        if stop.phase == "ending":
            running.interrupt()
        await asyncio.sleep(stop.after_s)
        stand_still(running, signal.SIGSTOP)
        await asyncio.sleep(stop.for_s)
        before = running.trials()
        stand_still(running, signal.SIGCONT)
        await running.until(lambda: running.trials() > before + 2, PATIENCE_S)
        done = running.trials() - before
        if stop.phase != "ending":
            running.interrupt()
        return done

    return await bench.session(story, stop__session_s=600)


def stand_still(running: Running, number: signal.Signals) -> None:
    if not running.over:
        os.kill(running.process.pid, number)


def stop_many(folder: Path, stops: list[StopAt], at_once: int) -> list[tuple[StopAt, Verdict, int]]:
    async def one(bench: AdversaryBench, stop: StopAt) -> tuple[StopAt, Verdict, int]:
        held = await stopped(bench, stop)
        verdict = await asyncio.to_thread(held.judge)
        detail = "" if verdict.reason == "operator" and not verdict.wrong else (held.data, held.said[-300:])
        print(stop, f"{held.told} trials after it", verdict, detail, flush=True)  # noqa: T201
        return stop, verdict, held.told

    async def main() -> list[tuple[StopAt, Verdict, int]]:
        return await share([AdversaryBench(folder / f"{n:02d}", n) for n in range(at_once)], stops, one)

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        done = runner.run(main())
    for phase in PHASES:
        print(phase, tally([verdict for stop, verdict, _ in done if stop.phase == phase]))  # noqa: T201
    assert [(stop, verdict.wrong) for stop, verdict, _ in done if verdict.wrong] == []
    assert_only_the_duration_decides(done)
    return done


def assert_only_the_duration_decides(done: list[tuple[StopAt, Verdict, int]]) -> None:
    """A session goes on after any stop of its host, at any moment: the board was there all the time."""
    ends = Counter((verdict.reason, verdict.status) for _, verdict, _ in done)
    assert set(ends) == {("operator", 130)}, ends
    assert [stop for stop, _, trials in done if stop.phase != "ending" and not trials] == []
    ran = [(stop, verdict) for stop, verdict, _ in done if stop.phase == "running" and stop.for_s > SURELY_S]
    assert [stop for stop, verdict in ran if not verdict.leases] == []


@pytest.mark.real_time
def test_a_host_that_stands_still_while_the_lease_runs_out_goes_on_and_records_every_opening(tmp_path: Path) -> None:
    need_avr_tools()
    stop_many(tmp_path, [StopAt("running", 0.2, 0.3), StopAt("running", 0.5, 2.6)], 2)


@pytest.mark.campaign
def test_three_hundred_stops_of_the_host_record_every_opening(tmp_path: Path) -> None:
    need_avr_tools()
    stop_many(tmp_path, [drawn(seed) for seed in range(300)], 10)
