"""Interference of coils and motors: each valve, feeder and hopper is fired, and the edges of the inputs are counted."""

from __future__ import annotations

import asyncio
from collections import Counter

from rig.boards.client import BoardClient
from rig.core.model.actions import Train
from rig.core.model.board import Board, Input, Output
from rig.core.model.channels import gives_rewards
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import Site
from rig.diagnostics.io_test import spoken_name

FIRED = 20
PULSE_US = 2_000
"""Too short for a drop, and long enough for the current of a coil, whose end makes the interference."""
PERIOD_US = 20_000
SETTLE_S = 0.1


async def measure_interference(site: Site, client: BoardClient[Board]) -> list[AcceptanceRow]:
    """Check that no input moves while each output that gives rewards is fired. Raises ``BoardError``."""
    channels = site.plan.wiring.channels
    outputs = [channel for channel in channels if isinstance(channel, Output) and gives_rewards(channel.name)]
    if outputs:
        how = f"{FIRED} times for {PULSE_US / 1000:g} ms"
        site.operator.instruct(f"each valve, feeder and hopper is fired {how}; a feeder may drop pellets")
    return [await _fire(site, client, output) for output in outputs]


async def _fire(site: Site, client: BoardClient[Board], output: Output) -> AcceptanceRow:
    start = len(client.edges)
    pulse_us = min(PULSE_US, output.max_on_us or PULSE_US)
    await client.execute(Train(output.name, pulse_us, PERIOD_US, FIRED))
    await asyncio.sleep(FIRED * PERIOD_US / 1e6 + SETTLE_S)
    await client.board_time()
    # The sensor of a feeder is such equipment: a pellet that falls is no interference.
    ignored = {channel.name for channel in site.plan.wiring.channels if isinstance(channel, Input) and channel.machine}
    edges = Counter(edge.channel for edge in client.edges[start:] if edge.channel not in ignored)
    what, must = f"{spoken_name(output)}, fired {FIRED} times, moves no input", "no edge"
    if not edges:
        return AcceptanceRow(what, "pass", "no edge", must)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(edges.items()))
    text = f"edges: {counts}; look for the flyback diode, 10 nF at each input, and wires that lie side by side"
    return AcceptanceRow(what, "fail", text, must)
