"""A round as it goes: draws of tiles, score, and how it ends. It knows no screen and no time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.searching.params import SearchParams
from protocols.searching.plan import RoundPlan

End = Literal["", "all_clicks", "below"]


@dataclass(frozen=True)
class Draw:
    """A draw of a tile: its reward without noise, with noise, and as it is shown."""

    tile: int
    latent: float
    drawn: float
    shown: float
    below: bool = False
    """Whether it is below the threshold, so that it is not kept."""


class Round:
    """One round: ``values`` are those of its environment, ``noise`` draws the noise of a reward."""

    def __init__(
        self, params: SearchParams, plan: RoundPlan, values: Sequence[float], noise: Callable[[], float]
    ) -> None:
        self.plan, self.values = plan, values
        self._params, self._noise = params, noise
        self.clicks: list[Draw] = []
        self.shown: dict[int, list[float]] = {}
        """What was shown of each tile, in order."""
        self.end: End = ""
        self.initial = self._reveal()

    @property
    def left(self) -> int:
        """Return the clicks that are left."""
        return self.plan.horizon - len(self.clicks)

    @property
    def kept(self) -> list[Draw]:
        """Return the clicks whose rewards count."""
        return [draw for draw in self.clicks if not draw.below]

    @property
    def largest(self) -> float:
        """Return the largest reward, the revealed one included."""
        return max(draw.shown for draw in (self.initial, *self.kept))

    @property
    def score(self) -> float:
        """Return the sum of the rewards; as in the released code the revealed one counts, unless one may be lost."""
        counted = self.kept if self.plan.level is not None else (self.initial, *self.kept)
        return round(sum(draw.shown for draw in counted), self._params.decimals)

    @property
    def best(self) -> float:
        """Return the highest reward without noise of the environment."""
        return self._latent(max(range(len(self.values)), key=self.values.__getitem__))

    def click(self, tile: int) -> Draw:
        """Return the draw of a tile that was clicked; the last one ends the round, and so does one below the line."""
        draw = self._draw(tile)
        self.clicks.append(draw)
        if draw.below:
            self.end = "below"
        elif not self.left:
            self.end = "all_clicks"
        return draw

    def _reveal(self) -> Draw:
        """Draw the revealed tile; with a line, until it is shown above it, because it cannot be lost."""
        level = self.plan.level
        while True:
            draw = self._measure(self.plan.initial_tile)
            if level is None or draw.shown >= level:
                self.shown[draw.tile] = [draw.shown]
                return draw

    def _draw(self, tile: int) -> Draw:
        draw = self._measure(tile)
        self.shown.setdefault(tile, []).append(draw.shown)
        return draw

    def _measure(self, tile: int) -> Draw:
        latent, threshold = self._latent(tile), self.plan.threshold
        drawn = self._params.drawn(latent, self._noise())
        shown = self._params.shown(drawn, self.plan.scale)
        # Strictly below: a draw on the line is safe (Schulz et al. 2018: "below the line").
        return Draw(tile, latent, drawn, shown, below=threshold is not None and shown < threshold)

    def _latent(self, tile: int) -> float:
        return self._params.latent(self.values[tile], self.plan.scale)
