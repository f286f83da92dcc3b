"""A recorded session of a mouse, repeated with the same intervals and sides on the clock of this rig.

Kept are two intervals of every decision: from the last poke to the center, entry to entry, and from the center to
the side. The times of the decisions are not: they are rounded to five digits, and this rig's pauses are its own.
The rig of the recordings counted its interval from the last poke's entry, and so must the protocol here
(``two_armed_bandit_as_run``), or the mouse waits for the lamp and is late.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from protocols.two_armed_bandit.tables.decisions import Decision, read_decisions
from sim_hardware.models.base import Model, ModelParams
from sim_hardware.world.body import Body, light

VISIT_US = 60_000
"""Duration of a poke: longer than any lock-out of a board, and shorter than any recorded interval."""


class RecordedParams(ModelParams):
    """Whose session."""

    file: Path = Field(description="a session in the public format of the 2ABT repositories: one decision a row")


class RecordedMouse(Model):
    """Repeats the decisions of the file, each after the center lamp; after the last decision it stops."""

    Params = RecordedParams
    needs = ("left", "center", "right")

    def __init__(self, params: RecordedParams) -> None:
        self._decisions = read_decisions(params.file)
        self._file = params.file
        self._done = 0
        self._poked_us: int | None = None

    @property
    def remark(self) -> str:
        """Return how many decisions of the file were not made before the session was over."""
        missing = len(self._decisions) - self._done
        if not missing:
            return ""
        return f"{missing} of the {len(self._decisions)} decisions of {self._file.name} were not made before the end"

    async def live(self, body: Body) -> None:
        """Run all decisions of the file."""
        for decision in self._decisions:
            await self._start(body, decision)
            await self._choose(body, decision)
            self._done += 1

    async def _start(self, body: Body, decision: Decision) -> None:
        """Poke the center at the file's interval, or when its lamp is lit if that is later."""
        due_us = 0 if self._poked_us is None else self._poked_us + _us(decision.since_last_poke_s)
        while True:
            await body.wait_for(light("center").on)
            if _now_us(body) < due_us:
                await body.wait_until_us(due_us)
            if body.light_on("center"):
                break
        self._poked_us = _now_us(body)
        body.enter("center")

    async def _choose(self, body: Body, decision: Decision) -> None:
        """Move out of the center, and into the side port at the file's latency."""
        center_us = self._poked_us or 0
        flight_us = _us(decision.center_to_side_s)
        # The center is left before the side is entered, also in the fastest flight.
        await body.wait_until_us(center_us + min(VISIT_US, flight_us // 2))
        body.leave("center")
        await body.wait_until_us(center_us + flight_us)
        self._poked_us = center_us + flight_us
        body.enter(decision.side)
        await body.wait_until_us(self._poked_us + VISIT_US)
        body.leave(decision.side)


def _us(seconds: float) -> int:
    return round(seconds * 1e6)


def _now_us(body: Body) -> int:
    return round(body.now_s * 1e6)
