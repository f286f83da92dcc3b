"""The axes of the window's plots: their titles, and the words of their marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TypeAlias

import pyqtgraph as pg

from rig.views.log_marks import log_marks
from rig.window.theme import LEGEND_PX, Theme

Ticks: TypeAlias = Sequence[tuple[float | None, Sequence[float]]]

STEPS_S: tuple[float, ...] = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)
STEPS_S += (600, 1200, 1800, 3600, 7200, 14400, 28800, 86400)
"""Steps between two marks, which divide minutes, hours and days."""
LEAST_PX = 110
"""The least distance between two marks with words."""
MAX_NAME = 24
"""A longer name of a place is cut: it would leave no room for the chart."""


class ChartAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis with a title, which is never markup."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self._title = ""
        self._color = ""
        self.enableAutoSIPrefix(False)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors and the size of the words."""
        self.setPen(theme.line)
        self.setTextPen(theme.text)
        font = pg.QtGui.QFont()
        font.setPixelSize(LEGEND_PX)
        self.setTickFont(font)
        self._color = theme.faint
        self.set_title(self._title)

    def set_title(self, title: str) -> None:
        """Set the label with its unit."""
        self._title = title
        self.setLabel(escape(title), **{"color": self._color, "font-size": f"{LEGEND_PX}px"})

    def set_names(self, names: Mapping[float, str] | None) -> None:
        """Set the words of the marks by their places; None has numbers instead."""
        self.setTicks(None if names is None else [[(place, name[:MAX_NAME]) for place, name in names.items()]])

    def logTickValues(self, minVal: float, maxVal: float, size: float, stdTicks: Ticks) -> Ticks:  # noqa: N802, N803
        """Return the marks, as logarithms."""
        return [(1.0, log_marks(minVal, maxVal))]

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float | None) -> list[str]:  # noqa: N802
        """Return the numbers themselves, not their logarithms."""
        return [f"{10**value:g}" for value in values]


class ClockAxis(ChartAxis):
    """An axis whose places are seconds, shown as minutes and seconds."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:  # noqa: N802, N803
        """Return the distance of the marks for a range that is so many pixels wide."""
        least_s = (maxVal - minVal) * LEAST_PX / max(1.0, size)
        return [(next((step for step in STEPS_S if step >= least_s), STEPS_S[-1]), 0.0)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return the words of the marks."""
        return [clock_text(value, spacing) for value in values]


def clock_text(seconds: float, step_s: float) -> str:
    """Write a time as minutes and seconds, with as many decimals as the step needs: ``12:05``, ``0:00.25``."""
    sign = "-" if seconds < 0 else ""
    decimals = 0 if step_s >= 1 else 3 if step_s < 0.01 else 2 if step_s < 0.1 else 1
    minutes, rest = divmod(round(abs(seconds), decimals), 60)
    width = 2 if not decimals else 3 + decimals
    return f"{sign}{minutes:.0f}:{rest:0{width}.{decimals}f}"
