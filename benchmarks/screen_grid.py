"""A grid of 121 tiles with numbers and 10 texts, of which each click changes one tile and one text."""

from __future__ import annotations

from rig.core.model.events import Touch
from rig.core.model.rows import Row
from rig.core.model.scene import Scene, Text, Tile
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from tests.peck_helpers import Chamber

SIDE, STEP_CM = 11, 1.8
TILES, TEXTS = SIDE * SIDE, 10


def _tile(number: int, value: int) -> Tile:
    x, y = number % SIDE, number // SIDE
    place = {"x_cm": 1.5 + x * STEP_CM, "y_cm": 20.5 - y * STEP_CM, "width_cm": 1.7, "height_cm": 1.7}
    return Tile(**place, color=f"#ff{255 - value:02x}40", border="#808080", name=f"{x},{y}", text=str(value))


def _text(number: int, said: str) -> Text:
    return Text(x_cm=25.5, y_cm=2.0 + 2 * number, width_cm=8, height_cm=1, text=said)


class Grid(Task[TaskParams, Chamber, Row]):
    """Task that shows another number on a tile at each click: first all tiles have one."""

    @state(to=("click",), can_end=True)
    async def click(self) -> Next:
        """Read clicks until the session ends."""
        screen, clicks = self.box.screen, 0
        items = [*(_tile(number, 10) for number in range(TILES)), *(_text(number, "-") for number in range(TEXTS))]
        screen.show(Scene(items=tuple(items), hover=True))
        while True:
            click: Touch = await self.first(screen.touched)
            clicks += 1
            number = clicks * 37 % TILES
            items[number] = _tile(number, 10 + clicks % 75)
            items[-1] = _text(TEXTS - 1, f"{clicks} clicks, the last one on {click.on}")
            screen.show(Scene(items=tuple(items), hover=True))
