"""Screens of a search on a line: a plot of rewards over the points, with axes, and a square below each point."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.searching.pages import RED, SearchPages, Shown
from protocols.searching.params import SearchParams
from protocols.searching.rounds import Round
from rig import Item, PlotArea

LEFT_CM, RIGHT_CM = 2.4, 1.2
PLOT_LOW_CM, PLOT_TOP_CM = 7.3, 3.2
"""Lower end of the plot above the lower edge, and its upper end below the upper edge."""
SQUARE_CM, SQUARE_HIGH_CM = 5.4, 1.0
"""Place and height of the squares, between the plot and the buttons."""
GAP_CM = 0.08
AXIS, DIM, BRIGHT = "#c0c0c0", "#808080", "#ffffff"
STEPS = 5
"""Number of labeled steps on the axis of rewards."""
BEYOND = 1.05
"""The plot goes a little beyond the largest reward: noise may be added to it."""
LAST_CM, EARLIER_CM = 0.42, 0.26
"""Diameter of the dot of a point's last draw, and of its earlier ones."""


class LinePages(SearchPages):
    """Builds the scenes of a line for a screen of this size."""

    def __init__(self, params: SearchParams, width_cm: float, height_cm: float) -> None:
        super().__init__(params, width_cm, height_cm)
        wide_cm, high_cm = width_cm - LEFT_CM - RIGHT_CM, height_cm - PLOT_LOW_CM - PLOT_TOP_CM
        step, top = self.grid.step, params.color_max
        self.plot = PlotArea(
            x_cm=LEFT_CM + wide_cm / 2,
            y_cm=PLOT_LOW_CM + high_cm / 2,
            width_cm=wide_cm,
            height_cm=high_cm,
            x_min=-step / 2,
            x_max=(params.width - 0.5) * step,
            y_min=0.0,
            y_max=BEYOND * top,
        )
        x_ticks = [tile * step for tile in range(0, params.width, 2)]
        y_ticks = [top * part / STEPS for part in range(STEPS + 1)]
        self._axes = self.plot.axes(x_ticks, y_ticks, color=AXIS)

    def pitch_cm(self) -> float:
        """Return the distance of neighboring squares. Raises ``ConfigError`` if the screen is too small for them."""
        high_cm = self.height_cm - PLOT_LOW_CM - PLOT_TOP_CM
        return self.large_enough(min((self.width_cm - LEFT_CM - RIGHT_CM) / self.grid.width, high_cm))

    def board(self, shown: Shown, *, named: bool, threshold: float | None, lost: int | None = None) -> list[Item]:
        """Return the plot, and the squares below it; only squares with a name can be clicked."""
        side_cm = (round(self._pitch_cm - GAP_CM, 4), SQUARE_HIGH_CM)
        squares = [
            self.square(tile, shown.get(tile, ()), side_cm, named=named, lost=tile == lost)
            for tile in range(self.grid.count)
        ]
        line = [] if threshold is None else [self.plot.level(threshold, color=RED, width_cm=0.07)]
        return [*self._axes, *line, *self._dots(shown, lost), *squares]

    def tile_at(self, tile: int) -> tuple[float, float]:
        """Return the middle of a point's square, in cm of the screen."""
        return self.plot.at(tile * self.grid.step, 0.0)[0], SQUARE_CM

    def history(self, played: Round, pointed: int | None) -> list[Item]:
        """Return all draws of the square under the pointer, below the squares."""
        said = self.history_text(played, pointed)
        return list(self.message(said)) if said else []

    def _dots(self, shown: Shown, lost: int | None) -> Iterator[Item]:
        """Yield a dot for each draw, the last one of each point larger and bright, and red if it is lost."""
        for tile, draws in sorted(shown.items()):
            x = tile * self.grid.step
            for reward in draws[:-1]:
                yield self.plot.dot(x, self._within(reward), diameter_cm=EARLIER_CM, color=DIM)
            yield self.plot.dot(x, self._within(draws[-1]), diameter_cm=LAST_CM, color=RED if tile == lost else BRIGHT)

    def _within(self, reward: float) -> float:
        """Return a reward, or the end of the axis that is next to it."""
        return min(max(reward, self.plot.y_min), self.plot.y_max)
