"""A bad cable between a real ``rig run`` and the served firmware: what the chip opened is what the record says."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.adversary.bench import AdversaryBench, Held, Running, share, tally
from tests.adversary.proxy import Proxy
from tests.avr_tools import need_avr_tools
from tests.port_rigs import write_port_rig

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")


async def over_a_bad_cable(bench: AdversaryBench, rate: float, seed: int, session_s: float) -> tuple[Held, Proxy]:
    outer = bench.folder / "bad"
    rig = write_port_rig(bench.folder / "far", outer)
    proxy = Proxy(bench.port, outer, rate, seed)

    async def whole(running: Running) -> None:
        await running.until(lambda: False, session_s + 60)

    try:
        return await bench.session(whole, rig, stop__session_s=session_s), proxy
    finally:
        proxy.close()


def run_many(folder: Path, jobs: list[tuple[float, int]], at_once: int, session_s: float) -> None:
    async def one(bench: AdversaryBench, job: tuple[float, int]) -> tuple[float, int, Held, Proxy]:
        held, proxy = await over_a_bad_cable(bench, *job, session_s)
        verdict = await asyncio.to_thread(held.judge)
        print(job, dict(proxy.suffered), verdict, held.data if verdict.wrong else "", flush=True)  # noqa: T201
        return (*job, verdict, proxy)

    async def main() -> list[tuple[float, int, Held, Proxy]]:
        return await share([AdversaryBench(folder / f"{n:02d}", n) for n in range(at_once)], jobs, one)

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        done = runner.run(main())
    for rate in sorted({job[0] for job in jobs}):
        verdicts = [verdict for at, _, verdict, _ in done if at == rate]
        print(f"rate {rate:g}: {tally(verdicts)}")  # noqa: T201
    assert [(*job, verdict.wrong) for *job, verdict, _ in done if verdict.wrong] == []
    assert sum(verdict.openings for _, _, verdict, _ in done) >= len(done)
    assert all(proxy.suffered for *_, proxy in done)


@pytest.mark.real_time
@pytest.mark.campaign  # under load the board may answer too late; contracts damage bytes in virtual time
def test_a_cable_that_damages_drops_doubles_and_delays_bytes_changes_no_reward(tmp_path: Path) -> None:
    need_avr_tools()
    run_many(tmp_path, [(1e-2, 1)], 1, 4)


@pytest.mark.campaign
def test_a_hundred_sessions_on_bad_cables_record_every_opening(tmp_path: Path) -> None:
    need_avr_tools()
    run_many(tmp_path, [(rate, seed) for seed in range(50) for rate in (1e-3, 1e-2)], 6, 25)
