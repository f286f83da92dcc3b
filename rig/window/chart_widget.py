"""Draw a chart: its marks as items of a plot, its title and legend as a line of words above."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from rig.views.chart import Axis, Bands, Bars, Chart, Curve, Mark, Points, Rings, Tiles
from rig.window.axes import ChartAxis
from rig.window.chart_marks import FARTHEST, DrawnMark, Scale, drawn_mark
from rig.window.labels import Words
from rig.window.plot import Plot
from rig.window.theme import LEGEND_PX, LIGHT, Theme

PADDING = 0.03
_SIGNS = {"circle": "●", "ring": "○", "tick": "❘", "cross": "✕", "triangle": "▲", "square": "■"}


class ChartWidget(QWidget):
    """One chart, which is drawn again only when it has changed."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._chart: Chart | None = None
        self._drawn: list[DrawnMark] = []
        self._is_moved = False
        self._title, self._legend = Words("title"), QLabel()
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._legend.setWordWrap(True)  # a name that is cut would be worse than a second line
        self._axes = {side: ChartAxis(side) for side in ("bottom", "left")}
        self._plot = Plot(**self._axes)
        self._plot.setMinimumSize(220, 120)
        self._plot.centralLayout.setContentsMargins(0, 8, 12, 0)  # room for the words at the ends of the axes
        self._view = self._plot.view
        self._view.disableAutoRange()
        self._view.sigRangeChangedManually.connect(self._on_moved)
        self._empty = pg.TextItem(anchor=(0.5, 0.5))
        box = QVBoxLayout(self)
        box.setContentsMargins(6, 4, 6, 4)
        box.setSpacing(0)
        box.addWidget(self._title)
        box.addWidget(self._legend)
        box.addWidget(self._plot, 1)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self._plot.setBackground(theme.background)
        for side in ("bottom", "left"):
            self._axes[side].set_theme(theme)
        chart, self._chart = self._chart, None
        if chart is not None:
            self._rebuild(chart)
            self.show_chart(chart)

    def show_chart(self, chart: Chart) -> bool:
        """Draw a chart, in place of the last one; return whether it is another one."""
        if chart is self._chart:
            return False
        if self._chart is None or not _is_alike(self._chart, chart):
            self._rebuild(chart)
        self._chart = chart
        scale = Scale(chart.x.log, chart.y.log)
        for drawn, mark in zip(self._drawn, chart.marks, strict=True):
            drawn.set_mark(mark, scale)
        self._show_emptiness(chart)
        if not self._is_moved:
            self.show_all()
        return True

    def show_all(self) -> None:
        """Show everything that the chart has."""
        self._is_moved = False
        if self._chart is None:
            return
        boxes = np.array([drawn.bounds for drawn in self._drawn]).reshape(-1, 4)
        low, high = np.nan_to_num(boxes, nan=np.inf), np.nan_to_num(boxes, nan=-np.inf)
        found = [np.min(low[:, 0], initial=np.inf), np.max(high[:, 1], initial=-np.inf)]
        found += [np.min(low[:, 2], initial=np.inf), np.max(high[:, 3], initial=-np.inf)]
        x, y = _range(self._chart.x, found[0], found[1]), _range(self._chart.y, found[2], found[3])
        self._view.setRange(xRange=x, yRange=y, padding=0)  # both at once, so that a map shows all of both

    def settle(self) -> None:
        """Set the places of the title, the legend and the plot."""
        layout = self.layout()
        if layout is not None:
            layout.activate()

    def _on_moved(self) -> None:
        self._is_moved = True

    def _rebuild(self, chart: Chart) -> None:
        for drawn in self._drawn:
            for item in drawn.items:
                self._view.removeItem(item)
        self._drawn = [drawn_mark(mark, self._theme) for mark in chart.marks]
        for drawn in self._drawn:
            for item in drawn.items:
                self._view.addItem(item, ignoreBounds=True)
        self._title.show_words(chart.title)
        self._legend.setText(_legend(chart, self._theme))
        self._legend.setToolTip(self._legend.text())
        self._view.setAspectLocked(chart.is_map)
        for side, axis in (("bottom", chart.x), ("left", chart.y)):
            self._set_axis(side, axis)

    def _set_axis(self, side: str, axis: Axis) -> None:
        shown = self._axes[side]
        shown.set_title(axis.title)
        shown.setLogMode(axis.log)
        shown.set_names(axis.ticks)

    def _show_emptiness(self, chart: Chart) -> None:
        is_empty = all(np.isnan(drawn.bounds[0]) for drawn in self._drawn)
        if not is_empty:
            if self._empty.scene() is not None:
                self._view.removeItem(self._empty)
            return
        self._empty.setText(chart.empty, color=self._theme.faint)
        if self._empty.scene() is None:
            self._view.addItem(self._empty, ignoreBounds=True)
        x, y = _range(chart.x, np.inf, -np.inf), _range(chart.y, np.inf, -np.inf)
        self._empty.setPos((x[0] + x[1]) / 2, (y[0] + y[1]) / 2)


def _is_alike(one: Chart, other: Chart) -> bool:
    """Whether two charts differ in nothing but their places: then the items of one can draw the other."""

    def looks(chart: Chart) -> tuple[object, ...]:
        ticks = [list((axis.ticks or {}).items()) for axis in (chart.x, chart.y)]
        axes = [(axis.title, axis.log) for axis in (chart.x, chart.y)]
        return (chart.title, chart.is_map, ticks, axes, [_looks(mark) for mark in chart.marks])

    return looks(one) == looks(other)


def _looks(mark: Mark) -> tuple[object, ...]:
    style = {name: value for name, value in vars(mark).items() if isinstance(value, str | int | float | bool)}
    return (type(mark), *style.items(), *(mark.texts if isinstance(mark, Rings) else ()))


def _legend(chart: Chart, theme: Theme) -> str:
    named = [(mark, name) for mark in chart.marks if (name := getattr(mark, "name", ""))]
    signs = (
        f'<span style="color:{theme.color(getattr(mark, "color", 0))}">{_sign(mark)}</span>&nbsp;{_unbroken(name)}'
        for mark, name in named
    )
    return f'<span style="font-size:{LEGEND_PX}px">{"&nbsp;&nbsp; ".join(signs)}</span>'


def _unbroken(words: str) -> str:
    return escape(words).replace(" ", "&nbsp;")


def _sign(mark: Mark) -> str:
    if isinstance(mark, Points):
        return _SIGNS[mark.symbol]
    if isinstance(mark, Curve):
        return "╌" if mark.dashed else "━"
    return {Bars: "▮", Bands: "▒", Tiles: "▦"}.get(type(mark), "◯")


def _range(axis: Axis, low: float, high: float) -> tuple[float, float]:
    """Return the range of an axis: its bounds, or what the marks need with some room."""
    least, most = (_scaled(axis, bound) for bound in axis.bounds)
    if not low <= high:
        low, high = (0.0, 1.0)
    low, high = max(-FARTHEST, low), min(FARTHEST, high)
    room = PADDING * (high - low) or 0.5
    first = low - room if least is None else least
    last = high + room if most is None else most
    return (first, last) if first < last else (first, first + 1)


def _scaled(axis: Axis, bound: float | None) -> float | None:
    if bound is None or not axis.log:
        return bound
    return float(np.log10(bound)) if bound > 0 else None
