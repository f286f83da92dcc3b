"""Scripted participants of the grid and the risky bandit, and short sessions of them."""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from rig.core.model.scene import Button, Scene
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec

TILE = re.compile(r"\d+,\d+")
Choose = Callable[[Body, list[str]], str]
Way = Callable[[Body], Awaitable[None]]
SHORT: Mapping[str, Any] = {"rounds": 2, "horizons": "[3,5]", "examples": 2, "width": 4, "height": 4}
"""Two small grids with three and five clicks."""


def with_slow(count: int, *fast: int, without: tuple[int, ...] = ()) -> list[ParameterSet]:
    """Return the numbers from 0 as parameters of a test; all but the ``fast`` ones are slow."""
    return [
        pytest.param(number, marks=() if number in fast else pytest.mark.slow)
        for number in range(count)
        if number not in without
    ]


def tiles_of(scene: Scene) -> list[str]:
    """Return the names of the tiles that can be clicked."""
    return [item.name for item in scene.items if TILE.fullmatch(item.name)]


def shown(scene: Scene, name: str) -> str:
    """Return the text of an item."""
    return str(getattr(scene.item(name), "text", ""))


async def press(body: Body, name: str, after_s: float = 0.6) -> None:
    """Click in the middle of an item."""
    await body.wait(after_s)
    item = body.scene.item(name)
    assert item is not None, f"there is no {name}, but {[item.name for item in body.scene.items if item.name]}"
    body.peck(item.x_cm, item.y_cm)


async def leave(body: Body) -> None:
    """Stop, confirm it, and read the debriefing; who has not consented declines."""
    await press(body, "stop")
    await body.wait(0.1)
    if body.scene.item("back") is not None:
        await press(body, "stop")
    await press(body, "finish")


def person(
    choose: Choose | None = None,
    *,
    seed: int = 1,
    mistakes: int = 0,
    stop_before: int | None = None,
    hesitate_before: int | None = None,
) -> Way:
    """Return a participant who goes through all pages; ``choose`` chooses a tile, without it chance does.

    The first ``mistakes`` answers are wrong. ``stop_before`` is the page or click, from 0, before which the participant
    stops, and ``hesitate_before`` that before which she asks to stop, and goes on.
    """
    draw = random.Random(seed)
    choose = choose or (lambda body, tiles: draw.choice(tiles))

    async def live(body: Body) -> None:
        wrong, name, page = mistakes, "", 0
        await body.wait(0.1)
        while name != "finish":
            buttons = [item.name for item in body.scene.items if isinstance(item, Button) and item.name]
            if page == stop_before and "stop" in buttons:
                await leave(body)
                return
            if page == hesitate_before and "stop" in buttons:
                await press(body, "stop")
                await press(body, "back")
                await body.wait(0.6)
            if tiles := tiles_of(body.scene):
                name = choose(body, tiles)
            elif "answer0" in buttons:
                right = str(body.task_notes["question"]["right"])
                name = next(each for each in buttons if (each != right) == (wrong > 0))
                wrong -= 1
            else:
                name = buttons[0]
            await body.wait(0.6)
            if body.scene.item(name) is not None:  # the time may be over
                await press(body, name, 0.0)
            await body.wait(0.1)
            page += 1

    return live


def session(protocol: str, way: Way, seed: int = 1, **values: Any) -> FaultHarness:
    """Run a session of a shipped protocol."""
    return run_harness(protocol_spec(protocol, **values), way, seed=seed)
