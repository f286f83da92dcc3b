"""The cable is pulled while an output is on, and the board is asked afterwards what it did."""

from __future__ import annotations

import asyncio

from rig.core.clock import running
from rig.core.errors import BoardError, BoardNotFoundError
from rig.core.model.actions import Pulse
from rig.core.model.board import OpeningLog
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import LOOP, Site

LONGEST_US = 60_000_000
PULL_WITHIN_S = 40.0
BACK_WITHIN_S = 60.0
POLL_S = 0.05
LATE_S = 0.5
"""How late the computer may notice that the cable is gone."""
WHAT = "cable pulled with an output on"


async def pull_cable(site: Site) -> list[AcceptanceRow]:
    """Wait for the cable to be pulled, and check what the board did by itself. Raises ``BoardError``."""
    lease_s = site.plan.wiring.lease_s
    lasted_s = await _until_pulled(site)
    if lasted_s is None:
        return [AcceptanceRow(WHAT, "fail", f"the cable was not pulled within {PULL_WITHIN_S:g} s")]
    # The lease must have passed before the person looks, and before the port is opened, which resets the board.
    await asyncio.sleep(lease_s + LATE_S)
    saw = await site.operator.observed_once("is every light of the rig off, and every valve closed?")
    seen = AcceptanceRow("cable pulled: everything is off", "pass" if saw else "fail", "yes" if saw else "no", "yes")
    await site.operator.done("plug the cable in again")
    log = await _asked(site)
    return [seen, _did(log, lease_s, lasted_s), AcceptanceRow("the board works again", "pass", "it answers")]


async def _until_pulled(site: Site) -> float | None:
    """Return how long the output had been on when the link was lost; None if it was not."""
    clock, began = running(), None
    try:
        async with site.opened(site.loop.wiring(site.plan.wiring.lease_s, LONGEST_US)) as (client, _, _):
            await client.execute(Pulse(LOOP, LONGEST_US))
            began = clock.time()
            site.operator.instruct("pull the USB cable out of the board now")
            while clock.time() < began + PULL_WITHIN_S:
                await client.board_time()
                await asyncio.sleep(POLL_S)
    except BoardError:
        # Before the pulse it is another failure, and not the cable.
        if began is None:
            raise
        return clock.time() - began
    return None


async def _asked(site: Site) -> OpeningLog | None:
    """Return what the board has kept, once its port is there again. Raises ``BoardNotFoundError``."""
    clock = running()
    until = clock.time() + BACK_WITHIN_S
    while True:
        try:
            async with site.opened(site.loop.wiring(site.plan.wiring.lease_s, LONGEST_US)) as (_, _, info):
                return info.openings
        except BoardNotFoundError:
            if clock.time() > until:
                raise
            await asyncio.sleep(1)


def _did(log: OpeningLog | None, lease_s: float, lasted_s: float) -> AcceptanceRow:
    """Return the row of what the board did without the computer."""
    must = f"off within {lease_s:g} s of the last word from the computer, or the power gone with the cable"
    if log is None or not log.kept:
        text = "the board lost its power with the cable, and every output with it; it keeps nothing then"
        return AcceptanceRow(WHAT, "pass", text, must)
    last = log.kept[-1]
    on_s = last.ticks * log.tick_ns / 1e9
    in_time = on_s <= lasted_s + lease_s + LATE_S
    passed = last.state == "ended" and in_time
    ended = {"ended": "ended by its lease", "open": "still on", "cut": "cut by a reset before its lease"}[last.state]
    text = f"on for {on_s:.3f} s, {ended}; the computer lost it after {lasted_s:.3f} s"
    return AcceptanceRow(WHAT, "pass" if passed else "fail", text, must)
