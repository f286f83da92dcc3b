"""Screens of a search on a grid: tiles with numbers and colors, what is left, and the history of a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import fmean

from protocols.person.pages import PersonPages
from protocols.searching.colors import BLANK, ColorScale, text_color
from protocols.searching.params import SearchParams
from protocols.searching.rounds import Round
from rig import Button, ConfigError, Item, Scene, Text, Tile

RED = "#ff4040"
FRAME = "#9a9a9a"
TOP_CM, BOTTOM_CM = 3.0, 4.2
"""Room above the tiles for what is left, and below them for messages and buttons."""
BESIDE_CM = 6.3
"""Room on each side of the tiles; on the right is the history of a tile."""
LARGEST_CM, SMALLEST_CM = 1.6, 0.25
"""Largest distance of neighboring tiles, and the smallest with which one can still be clicked."""
GAP_CM = 0.06
SAID_CM = 0.55

Shown = Mapping[int, Sequence[float]]
"""What was shown of each tile, in order."""


class SearchPages(PersonPages):
    """Builds the scenes of a task for a screen of this size."""

    def __init__(self, params: SearchParams, width_cm: float, height_cm: float) -> None:
        super().__init__(width_cm, height_cm, params.words.stop, params.background)
        self.params, self.words = params, params.words
        self.colors = ColorScale(params.colors, params.color_max)
        self.grid = params.grid
        self._pitch_cm = self.pitch_cm()
        # A click changes one tile of 121. Of kept tiles a scene is built, compared and sent in half of the time.
        self._kept_square = lru_cache(maxsize=16 * self.grid.count)(self._square)

    def pitch_cm(self) -> float:
        """Return the distance of neighboring tiles. Raises ``ConfigError`` if the screen is too small for them."""
        across_cm, up_cm = self.width_cm - 2 * BESIDE_CM, self.height_cm - TOP_CM - BOTTOM_CM
        return self.large_enough(min(across_cm / self.grid.width, up_cm / self.grid.height, LARGEST_CM))

    def large_enough(self, pitch_cm: float) -> float:
        """Return a distance of tiles. Raises ``ConfigError`` if they would be too small to click on."""
        if pitch_cm < SMALLEST_CM:
            raise ConfigError(
                f"params: {self.grid.width} x {self.grid.height} tiles have no room on a screen of "
                f"{self.width_cm:.1f} x {self.height_cm:.1f} cm: make width or height smaller, or take a larger screen"
            )
        return pitch_cm

    # --- whole pages ------------------------------------------------------------------------------------------

    def example(self, shown: Shown, text: str, threshold: float | None) -> Scene:
        """Return a fully revealed example."""
        board = self.board(shown, named=False, threshold=threshold)
        return self.scene(*board, *self.line_of(threshold), *self.message(text), self._next(), self.stop())

    def question(self, question: str, answers: Sequence[str]) -> Scene:
        """Return a question with its answers, one below the other."""
        asked = Text(
            x_cm=self.width_cm / 2,
            y_cm=self.height_cm - 3.5,
            width_cm=0.8 * self.width_cm,
            height_cm=4,
            text=question,
            text_cm=SAID_CM,
        )
        choices = [
            Button(
                x_cm=self.width_cm / 2,
                y_cm=self.height_cm - 7.5 - 2.2 * number,
                width_cm=0.7 * self.width_cm,
                height_cm=1.8,
                text=answer,
                name=f"answer{number}",
            )
            for number, answer in enumerate(answers)
        ]
        return self.scene(asked, *choices, self.stop())

    def choosing(self, played: Round, rounds_left: int, pointed: int | None = None) -> Scene:
        """Return the tiles to choose from; of the tile under the pointer all draws are shown."""
        board = self.board(played.shown, named=True, threshold=played.plan.threshold)
        items = (*board, *self._state(played, rounds_left), *self.history(played, pointed), self.stop())
        return self.scene(*items, hover=True)

    def guessing(self, played: Round, text: str) -> Scene:
        """Return the tiles once more, to point at the one believed to be the best."""
        board = self.board(played.shown, named=True, threshold=played.plan.threshold)
        return self.scene(*board, *self.message(text, name="guess"), self.stop())

    def feedback(self, played: Round, rounds_left: int, text: str) -> Scene:
        """Return the tiles at the end of a round, with what was earned."""
        lost = played.clicks[-1].tile if played.end == "below" else None
        board = self.board(played.shown, named=False, threshold=played.plan.threshold, lost=lost)
        said = self.message(text, color="#ffffff" if lost is None else RED)
        return self.scene(*board, *self._state(played, rounds_left), *said, self._next(), self.stop())

    # --- parts ------------------------------------------------------------------------------------------------

    def board(self, shown: Shown, *, named: bool, threshold: float | None, lost: int | None = None) -> list[Item]:
        """Return the tiles; only tiles with a name can be clicked, and that of a lost reward has a red frame."""
        side_cm = round(self._pitch_cm - GAP_CM, 4)
        return [
            self.square(tile, shown.get(tile, ()), (side_cm, side_cm), named=named, lost=tile == lost)
            for tile in range(self.grid.count)
        ]

    def tile_at(self, tile: int) -> tuple[float, float]:
        """Return the middle of a tile, in cm of the screen."""
        x, y = self.grid.place(tile)
        middle_cm = (self.height_cm - TOP_CM + BOTTOM_CM) / 2
        x_cm = self.width_cm / 2 + (x - (self.grid.width - 1) / 2) * self._pitch_cm
        y_cm = middle_cm - (y - (self.grid.height - 1) / 2) * self._pitch_cm
        return round(x_cm, 4), round(y_cm, 4)

    def square(
        self, tile: int, draws: Sequence[float], side_cm: tuple[float, float], *, named: bool, lost: bool
    ) -> Tile:
        """Return a tile of this width and height: its text is the last draw, its color that of the mean of all."""
        return self._kept_square(tile, tuple(draws), side_cm, named, lost)

    def _square(
        self, tile: int, draws: tuple[float, ...], side_cm: tuple[float, float], named: bool, lost: bool
    ) -> Tile:
        color = self.colors.color(fmean(draws)) if draws else BLANK
        (x_cm, y_cm), (width_cm, height_cm) = self.tile_at(tile), side_cm
        return Tile(
            name=self.grid.name(tile) if named else "",
            x_cm=x_cm,
            y_cm=y_cm,
            width_cm=width_cm,
            height_cm=height_cm,
            color=color,
            border=RED if lost else FRAME,
            text=self.params.in_points(draws[-1]) if draws else "",
            text_color=text_color(color),
            text_cm=round(0.36 * min(width_cm, height_cm), 4),
        )

    def state_texts(self, score: str, clicks: int, grids: int) -> dict[str, str]:
        """Return what stands above the tiles, by the names of the items."""
        return {
            "score": score,
            "clicks": self.words.clicks.format(clicks=clicks),
            "grids": self.words.grids.format(grids=grids),
        }

    def in_line(self, texts: Mapping[str, str]) -> list[Item]:
        """Return texts side by side above the tiles."""
        third_cm = self.width_cm / 3
        return [
            Text(
                name=name,
                x_cm=round((place + 0.5) * third_cm, 4),
                y_cm=self.height_cm - 0.9,
                width_cm=round(third_cm - 0.4, 4),
                height_cm=1.0,
                text=text,
                text_cm=SAID_CM,
            )
            for place, (name, text) in enumerate(texts.items())
        ]

    def _state(self, played: Round, rounds_left: int) -> list[Item]:
        """Return what stands above the tiles: points, clicks and grids that are left, and the threshold."""
        score = self.params.score_text(played.score, played.largest)
        line = self.in_line(self.state_texts(score, played.left, rounds_left))
        return [*line, *self.line_of(played.plan.threshold)]

    def line_of(self, threshold: float | None) -> list[Item]:
        """Return what is said of the threshold, in red; nothing without one."""
        if threshold is None:
            return []
        return [
            Text(
                name="threshold",
                x_cm=self.width_cm / 2,
                y_cm=self.height_cm - 2.1,
                width_cm=0.9 * self.width_cm,
                height_cm=1.0,
                text=self.params.threshold_text(threshold),
                text_cm=SAID_CM,
                color=RED,
            )
        ]

    def history_text(self, played: Round, pointed: int | None) -> str:
        """Return all draws of a tile as a text; empty for less than two, because one is the tile's number."""
        draws = [] if pointed is None else played.shown.get(pointed, [])
        values = ", ".join(map(self.params.in_points, draws))
        return self.words.history.format(values=values) if len(draws) > 1 else ""

    def history(self, played: Round, pointed: int | None) -> list[Item]:
        """Return all draws of the tile under the pointer, on the right."""
        text = self.history_text(played, pointed)
        if not text:
            return []
        x_cm, y_cm = self.width_cm - BESIDE_CM / 2, self.height_cm / 2
        frame = Tile(x_cm=x_cm, y_cm=y_cm, width_cm=BESIDE_CM - 0.6, height_cm=9.6, color="#101010", border=FRAME)
        said = Text(x_cm=x_cm, y_cm=y_cm, width_cm=BESIDE_CM - 1.2, height_cm=9, text=text, text_cm=0.45)
        return [frame, said]

    def message(self, text: str, *, name: str = "", color: str = "#ffffff") -> list[Item]:
        """Return a text between the tiles and the buttons."""
        return [
            Text(
                name=name,
                x_cm=self.width_cm / 2,
                y_cm=3.0,
                width_cm=0.8 * self.width_cm,
                height_cm=2.0,
                text=text,
                text_cm=0.5,
                color=color,
            )
        ]

    def _next(self) -> Button:
        """Return the button below the tiles, to the next page."""
        return self.row(("next", self.words.next_page), y_cm=1.1)[0]
