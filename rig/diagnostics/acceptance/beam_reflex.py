"""The latency of a reflex of a beam that a person breaks, by the board's own stamps through the jumper.

A hand near the beam, or one that misses it, costs one repetition: no other step is done again.
"""

from __future__ import annotations

import asyncio
import statistics
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count

from rig.boards.client import BoardClient
from rig.core.errors import NewerEdgeError
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import Board, Input
from rig.core.model.channels import Role
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import JUMPER, LOOP, Site, SiteOperator
from rig.diagnostics.io_test import spoken_name

BY_HAND = 5
TRIES = 3
"""So often a hand may disturb or miss one repetition."""
SETTLE_S = 0.2
"""The board has nothing to do any more; a hand that is quicker was near the beam."""
WAIT_S = 5.0
"""How late the reports of a reflex may come; its latency is measured by the board."""
PULSE_US = 2_000
BY_HAND_US = 500
"""What a chip promises from any edge to its reflex, under any load; a simulated Uno shows 133 us by its stamps."""
WHAT = "reflex of a beam"
MUST = f"each at most {BY_HAND_US} us, n {BY_HAND}"
_BEAMS = (Role.BEAM, Role.ZONE)


async def measure_beam_reflex(site: Site) -> AcceptanceRow:
    """Return the row of a beam that a person breaks, or of why there is none. Raises ``BoardError``."""
    beam = next(
        (channel for channel in site.plan.wiring.channels if isinstance(channel, Input) and channel.role in _BEAMS),
        None,
    )
    if beam is None:
        return AcceptanceRow(WHAT, "info", "this rig has no beam", MUST)
    loop = site.loop.wiring(site.plan.wiring.lease_s, PULSE_US * 4)
    wiring = replace(loop, channels=(*loop.channels, replace(beam, confirm_on_us=0, confirm_off_us=0)))
    latencies: list[int] = []
    async with site.opened(wiring) as (client, _, _):
        await client.board_time()  # a beam that is broken from the start is reported by now
        hand = _Hand(client, beam.name, spoken_name(beam), site.operator)
        for turn in range(1, BY_HAND + 1):
            latency = await hand.latency(turn)
            if isinstance(latency, str):
                return AcceptanceRow(WHAT, "fail", latency, MUST)
            latencies.append(latency)
    passed = max(latencies) <= BY_HAND_US
    text = f"median {statistics.median(latencies):g} us, most {max(latencies)} us, by the board's stamps"
    return AcceptanceRow(f"{WHAT}: {hand.name}", "pass" if passed else "fail", text, MUST)


@dataclass
class _Hand:
    """A person's hand at one beam."""

    client: BoardClient[Board]
    channel: str
    name: str
    operator: SiteOperator
    groups: count[int] = field(default_factory=lambda: count(1))

    async def latency(self, turn: int) -> int | str:
        """Return the microseconds of one repetition, or in words why there are none."""
        start = await self._armed()
        if start is None:
            return f"{self.name} changed untouched: keep your hand away from the beam, and look at its wire"
        for _ in range(TRIES):
            self.operator.instruct(f"break {self.name} now ({turn} of {BY_HAND})")
            if self.channel in await self.client.edge(self.channel, (1,), self.operator.within_s, start):
                return await self._measured(start)
            self.operator.instruct(f"{self.name} was not broken: once more")
        return f"{self.name} was not broken"

    async def _armed(self) -> int | None:
        """Arm the reflex over a beam that is left alone; return how many edges there were, None if it never is."""
        for _ in range(TRIES):
            if self.client.levels.get(self.channel):
                self.operator.instruct(f"{self.name} is broken: clear it")
                await self._cleared()
            start = len(self.client.edges)
            with suppress(NewerEdgeError):
                reflex = (self.channel, 1, Pulse(LOOP, PULSE_US))
                await self.client.execute(Arm(next(self.groups), None, (reflex,)))
                await asyncio.sleep(SETTLE_S)
                if len(self.client.edges) == start:
                    return start
            self.operator.instruct("keep your hand away from the beam until you are asked to break it")
        return None

    async def _measured(self, start: int) -> int | str:
        seen = await self.client.edge(JUMPER, (1,), WAIT_S, start)
        edges = self.client.edges[start:]
        fired = next((edge.t_us for edge in edges if edge.channel == self.channel and edge.fired), None)
        if fired is None or JUMPER not in seen:
            return f"{self.name} was broken, and its reflex did not fire"
        self.operator.instruct(f"clear {self.name} again")
        await self._cleared()
        return next(edge.t_us for edge in edges if edge.channel == JUMPER) - fired

    async def _cleared(self) -> None:
        if self.client.levels.get(self.channel):
            await self.client.edge(self.channel, (0,), self.operator.within_s)
