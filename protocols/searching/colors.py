"""Colors of rewards: linear between stops at equal distances, as on a heat map."""

from __future__ import annotations

from collections.abc import Sequence

BLACK, WHITE = "#000000", "#ffffff"
BLANK = "#ffffff"
"""The color of a tile that was never drawn."""


class ColorScale:
    """The colors of rewards from 0 to ``top``; rewards beyond have the color of the end."""

    def __init__(self, stops: Sequence[str], top: float) -> None:
        self._stops = [tuple(bytes.fromhex(stop[1:])) for stop in stops]
        self._top = top

    def color(self, value: float) -> str:
        """Return the color of a reward."""
        place = min(max(value / self._top, 0.0), 1.0) * (len(self._stops) - 1)
        first = min(int(place), len(self._stops) - 2)
        part = place - first
        mixed = (
            low + part * (high - low) for low, high in zip(self._stops[first], self._stops[first + 1], strict=True)
        )
        return "#" + "".join(f"{round(channel):02x}" for channel in mixed)


def text_color(color: str) -> str:
    """Return the color of a text that can be read on a color (luma of ITU-R BT.601)."""
    red, green, blue = bytes.fromhex(color[1:])
    return BLACK if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else WHITE
