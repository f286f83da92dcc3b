"""Simulated boards at pseudo-terminals in real time, each with a mouse: ``python -m benchmarks.box_boards RIG_FILE…``.

Prints the port of each board as one line of JSON, and when its standard input ends the stamps of each board's edges.
"""

from __future__ import annotations

import asyncio
import json
import sys

from benchmarks.box_host import stamp_reports
from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from rig.session.spec.build import load_rig_spec
from tests.adversary.chip import Chip


class MouseChip(Chip):
    """Board at a port with a mouse that takes its time."""

    async def _live(self) -> None:
        await RflrMouse(RflrParams()).live(self.body)


async def serve(rig_files: list[str]) -> None:
    """Run the boards until standard input ends."""
    reported = stamp_reports()
    chips = [MouseChip(load_rig_spec(path, "sim"), seed) for seed, path in enumerate(rig_files)]
    print(json.dumps([str(chip.port) for chip in chips]), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps([reported[chip.board] for chip in chips]), flush=True)
    for chip in chips:
        await chip.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(serve(sys.argv[1:]))
