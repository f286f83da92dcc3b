"""A rectangle of the screen with two number axes: makes the lines, dots and axes of a plot as items of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rig.core.model.scene import WHITE, Dot, Item, Line, Text

TICK_CM = 0.15
"""Length of the mark of a tick."""


@dataclass(frozen=True, slots=True)
class PlotArea:
    """A plot of values from ``x_min`` to ``x_max`` and ``y_min`` to ``y_max``; its position is its middle.

    ``at`` converts values to centimeters, also values beyond the area. Raises ``ValueError`` for an empty range.
    """

    x_cm: float
    y_cm: float
    width_cm: float
    height_cm: float
    x_min: float
    x_max: float
    y_min: float
    y_max: float

    def __post_init__(self) -> None:
        if self.x_min >= self.x_max or self.y_min >= self.y_max:
            raise ValueError("a plot needs x_min < x_max and y_min < y_max")

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Convert values to a place on the screen, in centimeters."""
        across = (x - self.x_min) / (self.x_max - self.x_min) - 0.5
        up = (y - self.y_min) / (self.y_max - self.y_min) - 0.5
        # A micrometer: a scene needs no more digits, and the journal holds them.
        return round(self.x_cm + across * self.width_cm, 4), round(self.y_cm + up * self.height_cm, 4)

    def line(self, points: Iterable[tuple[float, float]], **look: Any) -> Line:
        """Build a line through values; ``look`` are the further fields of `Line`."""
        return Line(points=tuple(self.at(x, y) for x, y in points), **look)

    def level(self, y: float, **look: Any) -> Line:
        """Build a horizontal line across the area, such as a threshold."""
        return self.line([(self.x_min, y), (self.x_max, y)], **look)

    def dot(self, x: float, y: float, **look: Any) -> Dot:
        """Build a dot at a value; ``look`` are the further fields of `Dot`."""
        x_cm, y_cm = self.at(x, y)
        return Dot(x_cm=x_cm, y_cm=y_cm, **look)

    def axes(
        self,
        x_ticks: Sequence[float] = (),
        y_ticks: Sequence[float] = (),
        *,
        x_label: str = "",
        y_label: str = "",
        color: str = WHITE,
        text_cm: float = 0.4,
    ) -> tuple[Item, ...]:
        """Build the two axes, with a mark and a number at each tick, and with their labels.

        The numbers are left of and below the area. The label of x is under them, that of y above its axis.
        """
        left, bottom = self.at(self.x_min, self.y_min)
        right, top = self.at(self.x_max, self.y_max)
        high = 1.5 * text_cm
        style = {"color": color, "text_cm": text_cm, "height_cm": high}
        below, beside = bottom - TICK_CM - high / 2, left - TICK_CM
        named = [(x_label, self.x_cm, below - high), (y_label, left, top + high)]
        return (
            Line(points=((left, top), (left, bottom), (right, bottom)), color=color),
            *(Line(points=((x, bottom), (x, bottom - TICK_CM)), color=color) for x in self._across(x_ticks)),
            *(Line(points=((left, y), (beside, y)), color=color) for y in self._upwards(y_ticks)),
            *(
                Text(x_cm=x, y_cm=below, width_cm=_wide(tick, text_cm), text=f"{tick:g}", **style)
                for tick, x in zip(x_ticks, self._across(x_ticks), strict=True)
            ),
            *(
                Text(
                    x_cm=beside - _wide(tick, text_cm) / 2,
                    y_cm=y,
                    width_cm=_wide(tick, text_cm),
                    text=f"{tick:g}",
                    **style,
                )
                for tick, y in zip(y_ticks, self._upwards(y_ticks), strict=True)
            ),
            *(Text(x_cm=x, y_cm=y, width_cm=self.width_cm, text=text, **style) for text, x, y in named if text),
        )

    def _across(self, ticks: Iterable[float]) -> Iterator[float]:
        return (self.at(tick, self.y_min)[0] for tick in ticks)

    def _upwards(self, ticks: Iterable[float]) -> Iterator[float]:
        return (self.at(self.x_min, tick)[1] for tick in ticks)


def _wide(tick: float, text_cm: float) -> float:
    """Return a width that holds a number: no digit is wider than its letters are high."""
    return text_cm * (len(f"{tick:g}") + 0.5)
