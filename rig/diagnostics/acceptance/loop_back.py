"""Reflex latency and lease, measured by the board's own stamps through a jumper from an output to an input.

A beam is broken by hand (``beam_reflex.py``), its reflex raises the output, and the jumper brings this to an input. The
time between both stamps is the latency and the delay of one stamp together.

In a chain: a pulse that was ordered ends, which lowers the input; this edge fires a reflex, which raises it again. The
board then still has the end of its own pulse to record, which takes most of this time.
"""

from __future__ import annotations

import asyncio
import statistics

from rig.boards.client import BoardClient
from rig.core.errors import LinkLostError
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import Board, OpeningLog
from rig.diagnostics.acceptance.beam_reflex import measure_beam_reflex
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import JUMPER, LOOP, Site

REFLEXES = 200
PULSE_US = 2_000
WAIT_US = 500_000
"""On the board's clock: a computer that is busy for as long has missed no edge."""
MEDIAN_US, MAX_US = 500, 1_000
"""What a chain must reach; on a simulated Uno it takes 200 us."""

LEASE_S = 0.5
LEASE_PULSE_US = 3_000_000
LATE_S = 0.1
"""Between the order and the silence lies a round trip; the host's own delay is in it."""
PATIENCE_S, LOOK_S = 3.0, 0.05
"""How long the host waits for both edges after the lease, and how often it looks."""


async def put_jumper_in(site: Site) -> None:
    """Wait until the person has put the jumper in."""
    await site.operator.done(f"put a jumper wire {site.loop} of the board; nothing else may be on these pins")


async def measure_reflex(site: Site) -> list[AcceptanceRow]:
    """Return the measured latency of reflexes through the jumper. Raises ``BoardError``."""
    await put_jumper_in(site)
    chain = await _chain(site)
    return [chain] if chain.verdict == "fail" else [chain, await measure_beam_reflex(site)]


async def _chain(site: Site) -> AcceptanceRow:
    async with site.opened(site.loop.wiring(site.plan.wiring.lease_s, PULSE_US * 4)) as (client, _, _):
        latencies: list[int] = []
        for group in range(1, REFLEXES + 1):
            latency = await _one(client, group)
            if latency is None:
                return _no_edge(site, client)
            latencies.append(latency)
    median, most = statistics.median(latencies), max(latencies)
    passed = median <= MEDIAN_US and most <= MAX_US
    text = f"median {median:g} us, most {most} us, n {len(latencies)}"
    must = f"median at most {MEDIAN_US} us, most at most {MAX_US} us"
    return AcceptanceRow(f"chain of reflexes through the jumper {site.loop}", "pass" if passed else "fail", text, must)


async def _one(client: BoardClient[Board], group: int) -> int | None:
    """Return the microseconds from the falling edge that fires to the rise that the reflex makes; None without one."""
    start = len(client.edges)
    await client.execute(Arm(group, None, ((JUMPER, 0, Pulse(LOOP, PULSE_US)),)))
    until_us = await client.board_time() + WAIT_US
    client.send(Pulse(LOOP, PULSE_US))
    while await client.board_time() < until_us and len(client.edges) < start + 4:
        pass
    edges = client.edges[start:]
    if [edge.level for edge in edges] != [1, 0, 1, 0] or not edges[1].fired:
        return None
    return edges[2].t_us - edges[1].t_us


def _no_edge(site: Site, client: BoardClient[Board]) -> AcceptanceRow:
    what = f"chain of reflexes through the jumper {site.loop}"
    if not client.edges:
        text = f"pin {site.loop.input} did not change with pin {site.loop.output}: is the jumper in the right holes?"
    else:
        text = f"pin {site.loop.input} did not follow pin {site.loop.output}: is something else on one of them?"
    return AcceptanceRow(what, "fail", text, "one rise for each reflex")


async def measure_lease(site: Site) -> list[AcceptanceRow]:
    """Stop writing to the board, and return by its stamps when it switches off. Raises ``BoardError``."""
    async with site.opened(site.loop.wiring(LEASE_S, LEASE_PULSE_US)) as (client, line, _):
        await client.execute(Pulse(LOOP, LEASE_PULSE_US))
        line.mute = True
        await asyncio.sleep(LEASE_S + 0.5)
        await _hear_both_edges(client)
        line.mute = False
        on = [edge.t_us for edge in client.edges if edge.level]
        off = [edge.t_us for edge in client.edges if not edge.level]
        expired = False
        try:
            await client.board_time()
        except LinkLostError as error:
            expired = "lease has expired" in str(error)
    what, must = "host silent: the board switches off by itself", f"{LEASE_S:g} s to {LEASE_S + LATE_S:g} s"
    if not on or not off:
        return [AcceptanceRow(what, "fail", "the output did not come on and go off: is the jumper in?", must)]
    lasted_s = (off[0] - on[0]) / 1e6
    passed = expired and LEASE_S <= lasted_s <= LEASE_S + LATE_S
    reported = "reported by the board" if expired else "not reported by the board"
    row = AcceptanceRow(what, "pass" if passed else "fail", f"off after {lasted_s:.4f} s, {reported}", must)
    async with site.opened(site.loop.wiring(site.plan.wiring.lease_s, PULSE_US)) as (_, _, info):
        return [row, _kept(info.openings, lasted_s)]


async def _hear_both_edges(client: BoardClient[Board]) -> None:
    """Wait until the output has come on and gone off, as far as the host has heard: a busy computer hears late."""
    for _ in range(round(PATIENCE_S / LOOK_S)):
        if {edge.level for edge in client.edges} == {0, 1}:
            return
        await asyncio.sleep(LOOK_S)


def _kept(log: OpeningLog | None, lasted_s: float) -> AcceptanceRow:
    what, must = "the board, asked afterwards, says the same", f"{lasted_s:.4f} s within 1 ms"
    if log is None or not log.kept:
        return AcceptanceRow(what, "fail", "it has kept nothing of it", must)
    kept_s = log.kept[-1].ticks * log.tick_ns / 1e9
    passed = log.kept[-1].state == "ended" and abs(kept_s - lasted_s) <= 1e-3
    return AcceptanceRow(what, "pass" if passed else "fail", f"{kept_s:.4f} s, {log.kept[-1].state}", must)
