"""What a screen is measured with: a line of so many pixels, and marks to touch."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rig.core.model.scene import Disk, Item, Scene, Text, Tile
from rig.core.model.screen import ScreenSpec

LINE, MARK, GRAY = "#ffffff", "#ffa500", "#404040"
FROM_EDGE_CM = 2.0


@dataclass(frozen=True)
class TouchPattern:
    """A scene with a line of ``line_px`` and marks of known places."""

    scene: Scene
    line_px: int
    marks: tuple[tuple[float, float], ...]

    def off_cm(self, x_cm: float, y_cm: float) -> float:
        """Return how far a point is from the nearest mark."""
        return min(math.hypot(x_cm - x, y_cm - y) for x, y in self.marks)


def touch_pattern(spec: ScreenSpec) -> TouchPattern:
    """Draw a line across most of a screen, a square that shows whether pixels are square, and nine marks."""
    width_cm, height_cm = spec.width_cm, spec.height_cm
    # A long line: the error of a ruler is then a small part of its length.
    line_px = round(spec.width_px * 0.75)
    middle_x, middle_y = width_cm / 2, height_cm / 2
    long_cm, thin_cm = line_px / spec.px_per_cm, 2 / spec.px_per_cm
    line = {"y_cm": middle_y * 1.25, "color": LINE}
    # Half a mark inside, so that the outer edges of both marks are the ends of the line.
    ends = [middle_x + side * (long_cm - thin_cm) / 2 for side in (-1, 1)]
    across = (FROM_EDGE_CM, middle_x, width_cm - FROM_EDGE_CM)
    upwards = (FROM_EDGE_CM, middle_y, height_cm - FROM_EDGE_CM)
    marks = tuple((x_cm, y_cm) for y_cm in upwards for x_cm in across)
    drawn: list[Item] = [
        Tile(x_cm=middle_x, width_cm=long_cm, height_cm=thin_cm, **line),
        *(Tile(x_cm=end, width_cm=thin_cm, height_cm=0.6, **line) for end in ends),
        Tile(x_cm=middle_x, y_cm=middle_y * 0.7, width_cm=3, height_cm=3, color=GRAY),
        Text(
            x_cm=middle_x,
            y_cm=middle_y * 1.5,
            width_cm=width_cm * 0.8,
            height_cm=2,
            text=f"line: {line_px} pixels, {long_cm:.2f} cm at px_per_cm {spec.px_per_cm:g}",
            text_cm=min(0.6, width_cm / 40),
        ),
        *(Disk(x_cm=x, y_cm=y, diameter_cm=0.4, color=MARK) for x, y in marks),
    ]
    return TouchPattern(Scene(items=tuple(drawn)), line_px, marks)
