"""The served firmware with a quick animal behind it, in a process of its own: ``python served.py RIG_FILE LINK SEED``.

Each line on its standard input is answered with what the chip has done to its outputs since the last one, as one line
of JSON; its end ends the program.
"""

import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rig.boards.driver_lookup import ServedPlace
from rig.core.model.rig_spec import SimulationOptions
from rig.session.spec.build import load_rig_spec
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.serve import BoardServer
from sim_hardware.world.body import light

Change = tuple[int, str, int]


class ChipTrace(list[Change]):
    """What the outputs do, at the chip's own time: this process may be late."""

    def __init__(self, rig: AvrRig) -> None:
        self._board = rig.board

    def append(self, change: Change) -> None:
        _, name, value = change
        if not name.endswith(".beam"):
            super().append((round(self._board.us_of(self._board.driven_at)), name, value))


def quick(rig: AvrRig) -> Callable[[], Coroutine[Any, Any, None]]:
    """Do trials without a pause; sometimes twice, sometimes at the wrong place."""
    body = rig.body
    draw = body.random

    async def poke(place: str) -> None:
        body.enter(place)
        await body.wait(0.03 + 0.03 * draw.random())
        body.leave(place)

    async def live() -> None:
        while True:
            await body.wait_for(light("center").on)
            await poke("center")
            await body.wait(0.05 * draw.random())
            if draw.random() < 0.1:
                await poke("center")
            await poke(draw.choice(["left", "right"]))
            if draw.random() < 0.1:
                await poke(draw.choice(["left", "right"]))

    return live


def taken(rig: AvrRig) -> list[Change]:
    trace, rig.world.trace = rig.world.trace or [], ChipTrace(rig)
    return trace


def main(rig_file: str, link: str, seed: str) -> None:
    plan = load_rig_spec(rig_file, "avr")
    with BoardServer(
        lambda on_open: AvrRig(plan, SimulationOptions(seed=int(seed)), on_open=on_open), quick, ServedPlace(Path(link))
    ) as server:
        server.do(taken)
        print("[]", flush=True)  # noqa: T201
        for _ in sys.stdin:
            print(json.dumps(server.do(taken)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
