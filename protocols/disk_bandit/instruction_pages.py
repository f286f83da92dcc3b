"""Screens of the eight-disk bandit with people: pages of text, disks with box and counters, questions."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.disk_bandit.disk_layout import DiskLayout, check_on_glass
from protocols.disk_bandit.human_params import HumanParams
from protocols.disk_bandit.params import LOCATIONS
from protocols.person.pages import CALM, PersonPages
from rig import Scene, Text, Tile

BOX = "box"
DARK, HERE = "#303030", "#ffffff"
CURSOR = "_"


class InstructionPages(PersonPages):
    """Builds the scenes for a screen of this size."""

    def __init__(self, params: HumanParams, width_cm: float, height_cm: float) -> None:
        super().__init__(width_cm, height_cm, params.words.stop, params.background, params.hit_margin_cm)
        self._params, self._words = params, params.words
        ring = DiskLayout(params, width_cm).scene(range(LOCATIONS))
        check_on_glass(ring, width_cm, height_cm)
        self._ring = ring.items

    def disks(self, points: Sequence[int], session: int, *, lit: bool, hint: str = "") -> Scene:
        """Return the disks with the box below, and the points of each session on top, this session's bright."""
        params, middle_cm = self._params, self.width_cm / 2
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
                y_cm=self.height_cm - 1.2,
                width_cm=2.2,
                height_cm=1.2,
                color=HERE if place + 1 == session else CALM,
                text=str(count),
            )
            for place, count in enumerate(points)
        ]
        said = Text(x_cm=middle_cm, y_cm=self.height_cm - 3.4, width_cm=0.8 * self.width_cm, height_cm=2.6, text=hint)
        return self.scene(*self._ring, box, *counters, *((said,) if hint else ()), self.stop())

    def question(self, question: str, typed: str) -> Scene:
        """Return a question, with the text typed so far."""
        middle_cm, height_cm = self.width_cm / 2, self.height_cm
        asked, answer = (
            Text(x_cm=middle_cm, y_cm=y_cm, width_cm=0.8 * self.width_cm, height_cm=size_cm, text=text, align="left")
            for y_cm, size_cm, text in ((height_cm - 3, 4, question), (height_cm / 2 - 1, 9, typed + CURSOR))
        )
        return self.scene(asked, answer, *self.row(("next", self._words.next_page)), self.stop())
