"""Screens of the eight-disk bandit with people: pages of text, disks with box and counters, questions."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.disk_bandit_disk_layout import DiskLayout, check_on_glass
from protocols.disk_bandit_human_params import HumanParams
from protocols.disk_bandit_params import LOCATIONS
from rig import Button, Item, Scene, Text, Tile

BOX, STOP = "box", "stop"
DARK, CALM, HERE = "#303030", "#606060", "#ffffff"
CURSOR = "_"
ABOVE_BOX_CM = 3.3
"""Buttons are not where the box is, so that a late click for a point presses nothing."""

TWICE_S = 0.4
"""A click within this time after a page appeared was the second of a double click on the page before."""


class InstructionPages:
    """Builds the scenes for a screen of this size."""

    def __init__(self, params: HumanParams, width_cm: float, height_cm: float) -> None:
        self._params = params
        self._words = params.words
        self._width_cm, self._height_cm = width_cm, height_cm
        ring = DiskLayout(params, width_cm).scene(range(LOCATIONS))
        check_on_glass(ring, width_cm, height_cm)
        self._ring = ring.items

    def page(self, text: str, *buttons: tuple[str, str]) -> Scene:
        """Return a page of text with buttons below; a button is a name and a label."""
        middle_cm, height_cm = self._width_cm / 2, self._height_cm
        words = Text(
            x_cm=middle_cm,
            y_cm=height_cm / 2 + 1.5,
            width_cm=0.8 * self._width_cm,
            height_cm=height_cm - 5,
            text=text,
            text_cm=0.55,
        )
        first_cm = middle_cm - 3.5 * (len(buttons) - 1)
        below = [
            Button(x_cm=first_cm + 7 * place, y_cm=ABOVE_BOX_CM, width_cm=6, height_cm=1.2, text=said, name=name)
            for place, (name, said) in enumerate(buttons)
        ]
        return self._scene(words, *below)

    def disks(self, points: Sequence[int], session: int, *, lit: bool, hint: str = "") -> Scene:
        """Return the disks with the box below, and the points of each session on top, this session's bright."""
        params, middle_cm = self._params, self._width_cm / 2
        box = Tile(
            x_cm=middle_cm,
            y_cm=1.4,
            width_cm=6,
            height_cm=1.6,
            name=BOX,
            color=params.box_color if lit else DARK,
            text=self._words.box if lit else "",
        )
        first_cm = middle_cm - 1.25 * (len(points) - 1)
        counters = [
            Tile(
                x_cm=round(first_cm + 2.5 * place, 4),
                y_cm=self._height_cm - 1.2,
                width_cm=2.2,
                height_cm=1.2,
                color=HERE if place + 1 == session else CALM,
                text=str(count),
            )
            for place, count in enumerate(points)
        ]
        said = Text(x_cm=middle_cm, y_cm=self._height_cm - 3.4, width_cm=0.8 * self._width_cm, height_cm=2.6, text=hint)
        return self._scene(*self._ring, box, *counters, *((said,) if hint else ()), self._stop())

    def question(self, question: str, typed: str) -> Scene:
        """Return a question, with the text typed so far."""
        middle_cm, height_cm = self._width_cm / 2, self._height_cm
        asked, answer = (
            Text(x_cm=middle_cm, y_cm=y_cm, width_cm=0.8 * self._width_cm, height_cm=size_cm, text=text, align="left")
            for y_cm, size_cm, text in ((height_cm - 3, 4, question), (height_cm / 2 - 1, 9, typed + CURSOR))
        )
        on = Button(
            x_cm=middle_cm, y_cm=ABOVE_BOX_CM, width_cm=6, height_cm=1.2, text=self._words.next_page, name="next"
        )
        return self._scene(asked, answer, on, self._stop())

    def _scene(self, *items: Item) -> Scene:
        return Scene(items=items, background=self._params.background, hit_margin_cm=self._params.hit_margin_cm)

    def _stop(self) -> Button:
        return Button(
            x_cm=self._width_cm - 2,
            y_cm=0.9,
            width_cm=3,
            height_cm=0.8,
            text=self._words.stop,
            text_cm=0.35,
            color=CALM,
            name=STOP,
        )
