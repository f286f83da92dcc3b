"""The pixels of lanes: one row for each lane, whatever the number of its spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from rig.window.session_lanes import Group, LaneRow
from rig.window.span_history import Floats
from rig.window.theme import Theme

Pixels: TypeAlias = NDArray[np.uint32]
Shades: TypeAlias = Mapping[Group, Pixels]
"""For each group 256 pixels, from nothing to all of a pixel's time."""

FAINTEST = 0.35
"""The opacity of a pixel in which a lane was on for the shortest time; one with nothing is empty."""
HEIGHT = 0.78
"""The part of its row that a lane fills."""
EVENT_PX = 2
"""The width of an event, which has no length."""


def shades_of(theme: Theme) -> dict[Group, Pixels]:
    """Return the shades of a theme."""
    return {group: _shades(QColor(theme.lane_color(group))) for group in Group}


def _shades(color: QColor) -> Pixels:
    opacity = FAINTEST + (1 - FAINTEST) * np.linspace(0, 1, 256)
    opacity[0] = 0
    alpha, red, green, blue = (
        np.round(part * opacity).astype(np.uint32) for part in (255, color.red(), color.green(), color.blue())
    )
    # The colors are multiplied by the opacity, as Qt's fast format wants them.
    pixels: Pixels = np.bitwise_or.reduce((alpha << 24, red << 16, green << 8, blue)).astype(np.uint32)
    return pixels


def lanes_pixels(rows: Sequence[LaneRow], shades: Shades, edges_us: Floats) -> Pixels:
    """Return a picture with one row for each lane and one column for each step between two times."""
    pixels = np.zeros((len(rows), len(edges_us) - 1), dtype=np.uint32)
    for index, row in enumerate(rows):
        shares = row.coverage(edges_us)
        if row.is_event:
            shares = np.convolve(shares > 0, np.ones(EVENT_PX))[: len(shares)]
        pixels[index] = shades[row.group][np.ceil(255 * np.clip(shares, 0, 1)).astype(np.intp)]
    return pixels


def lanes_image(rows: Sequence[LaneRow], shades: Shades, edges_us: Floats) -> QImage:
    """Return the picture as an image, which holds its own pixels."""
    pixels = lanes_pixels(rows, shades, edges_us)
    high, wide = pixels.shape
    return QImage(pixels.tobytes(), wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied).copy()
