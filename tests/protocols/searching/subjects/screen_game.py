"""A small search for rewards on a screen, without a rig: pages, a quiz, rounds and the question for the best tile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

from protocols.searching.grids.places import Grid, parse_place
from rig.core.model.scene import Button, Item, Scene, Text, Tile
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body

TOO_SOON_S = 0.4
"""A page does not take a click so soon after it has appeared."""


class EndOfGame(Exception):  # noqa: N818 - no error
    """The game is over, so that the participant waits for nothing."""


class ScreenGame:
    """Stands for a body before a screen; ``values`` are what the tiles of each round show."""

    def __init__(
        self,
        values: Sequence[Mapping[tuple[int, int], float]],
        *,
        clicks: int = 10,
        seed: int = 1,
        threshold: float | None = None,
        answers: int = 3,
    ) -> None:
        self.random = random.Random(seed)
        self.now_s = 0.0
        self.task_notes: dict[str, Mapping[str, Any]] = {"question": {"right": "answer1"}}
        self.clicked: list[tuple[float, int, tuple[int, int]]] = []
        """Time, round and place of every click on a tile."""
        self.guess: tuple[int, int] | None = None
        self.pointed_cm = (0.0, 0.0)
        self.wrong_answers = 0
        self._values, self._clicks, self._threshold, self._answers = values, clicks, threshold, answers
        self._round = -1
        self._show_page("agree", "stop")

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        if not self.scene.items:
            raise EndOfGame
        self.now_s += seconds

    def hover(self, x_cm: float, y_cm: float) -> None:
        """Take the pointer of a mouse."""
        self.pointed_cm = x_cm, y_cm

    def peck(self, x_cm: float, y_cm: float) -> None:
        """Take a click; on tiles the pointer is there before."""
        assert not self.scene.hover or self.pointed_cm == (x_cm, y_cm)
        hit = self.scene.hit(x_cm, y_cm)
        name = hit.item.name if hit else ""
        if (place := parse_place(name)) is not None:
            self._click(place)
        elif name and name != "stop" and self.now_s - self._shown_s >= TOO_SOON_S:
            self._press(name)

    def _press(self, name: str) -> None:
        if name == "agree":
            self._ask()
        elif name.startswith("answer") and name != "answer1":
            self.wrong_answers += 1
            self._show_page("agree", "stop")
        elif name in ("answer1", "next"):
            self._begin_round()

    def _click(self, place: tuple[int, int]) -> None:
        if self.scene.item("guess"):
            self.guess = place
            self._show()
            return
        self.clicked.append((self.now_s, self._round, place))
        value = self._values[self._round][place]
        self._seen[place] = value
        self._left -= 1
        if self._left and (self._threshold is None or value >= self._threshold):
            self._show_tiles()
        elif self._round + 1 < len(self._values):
            self._show_page("next", "stop")
        else:
            self._show_tiles(guess=True)

    def _begin_round(self) -> None:
        self._round += 1
        self._left = self._clicks
        best = max(self._values[self._round], key=lambda place: self._values[self._round][place])
        self._seen = {best: self._values[self._round][best]}
        self._show_tiles()

    def _ask(self) -> None:
        buttons = [f"answer{number}" for number in range(self._answers)]
        self._show_page(*buttons, "stop")

    def _show_page(self, *buttons: str) -> None:
        text = Text(x_cm=20, y_cm=15, width_cm=20, height_cm=5, text="Some words to read " * 5)
        self._show(
            text,
            *(
                Button(x_cm=5 + 7 * at, y_cm=3, width_cm=6, height_cm=1, name=name, text=name)
                for at, name in enumerate(buttons)
            ),
        )

    def _show_tiles(self, *, guess: bool = False) -> None:
        tiles = [
            Tile(
                x_cm=2 + x,
                y_cm=20 - y,
                width_cm=0.9,
                height_cm=0.9,
                color="#ffffff",
                name=f"{x},{y}",
                text=f"{self._seen[x, y]:g}" if (x, y) in self._seen else "",
            )
            for x, y in self._values[self._round]
        ]
        said = {"clicks": f"Clicks left: {self._left}", "stop": "stop"}
        said |= {} if self._threshold is None else {"threshold": f"Stay above {self._threshold:g}"}
        said |= {"guess": "Where is the best?"} if guess else {}
        texts: list[Item] = [
            Text(name=name, x_cm=30, y_cm=3 + 2 * at, width_cm=10, height_cm=1, text=text)
            for at, (name, text) in enumerate(said.items())
        ]
        self._show(*tiles, *texts, hover=True)

    def _show(self, *items: Item, hover: bool = False) -> None:
        self.scene = Scene(items=items, hover=hover)
        self._shown_s = self.now_s


def play(model: Model, game: ScreenGame) -> ScreenGame:
    """Let a participant play to the end."""

    async def live() -> None:
        try:
            await model.live(cast(Body, game))
        except EndOfGame:
            return

    asyncio.run(live())
    return game


def slope(grid: Grid, largest: float = 75.0) -> dict[tuple[int, int], float]:
    """Values that grow to the right."""
    return {(x, y): round(largest * (x + 1) / grid.width) for x, y in (grid.place(tile) for tile in range(grid.count))}
