"""The lanes of a session over time: spans as one row of pixels for each, and below them curves of sampled values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from rig.views.sampled_values import ValueRow
from rig.window.axes import ChartAxis, ClockAxis
from rig.window.lane_pixels import HEIGHT, Shades, lanes_image, shades_of
from rig.window.plot import Plot
from rig.window.session_lanes import LaneRow
from rig.window.theme import Theme
from rig.window.values_item import ROWS, ValuesItem

DEFAULT_SPAN_S, SHORTEST_S, MARGIN = 60.0, 0.01, 0.02


class LanesItem(pg.GraphicsObject):  # type: ignore[misc]
    """Draws rows of lanes into the visible range of a plot."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[LaneRow] = ()
        self._shades: Shades = {}

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._shades = shades_of(theme)
        self.update()

    def set_rows(self, rows: Sequence[LaneRow]) -> None:
        """Set what is drawn."""
        if len(rows) != len(self._rows):
            self.prepareGeometryChange()
        self._rows = rows
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """Return everything that can be visible: the painting cuts itself to the view."""
        view = self.viewRect()
        return QRectF(view.left(), 0, view.width(), len(self._rows)) if view is not None else QRectF()

    def viewRangeChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Handle a zoom or a move."""
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the rows."""
        view = self.getViewBox()
        if not self._rows or view is None or not self._shades:
            return
        (first_s, last_s), _ = view.viewRange()
        pixels = max(1, round(view.width() * (widget.devicePixelRatioF() if widget is not None else 1)))
        image = lanes_image(self._rows, self._shades, 1e6 * np.linspace(first_s, last_s, pixels + 1))
        for index in range(len(self._rows)):
            where = QRectF(first_s, index + (1 - HEIGHT) / 2, last_s - first_s, HEIGHT)
            painter.drawImage(where, image, QRectF(0, index, pixels, 1))


class LanesPlot(Plot):
    """The lanes with their axes; it follows the present until it is frozen, zoomed or moved into the past."""

    def __init__(self) -> None:
        self._time = ClockAxis("bottom")
        self._names = ChartAxis("left")
        super().__init__(bottom=self._time, left=self._names)
        self._time.set_title("time in the session with its pauses (min:s)")
        self._names.set_title("state, channel or event")
        self._item, self._values = LanesItem(), ValuesItem()
        for item in (self._item, self._values):
            self.view.addItem(item)
        self.view.invertY(True)
        self.view.setMouseEnabled(x=True, y=False)
        self.view.setDefaultPadding(0)
        self.view.sigRangeChangedManually.connect(self._on_moved)
        self._present = pg.InfiniteLine(angle=90, movable=False)
        self.view.addItem(self._present)
        self._span_s = DEFAULT_SPAN_S
        self._now_s = 0.0
        self._shown_names: dict[float, str] = {}
        self.is_frozen = False

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self.setBackground(theme.background)
        for axis in (self._time, self._names):
            axis.set_theme(theme)
        self._present.setPen(pg.mkPen(theme.faint, width=1, style=Qt.PenStyle.DashLine))
        self._item.set_theme(theme)
        self._values.set_theme(theme)

    def show_lanes(self, rows: Sequence[LaneRow], values: Sequence[ValueRow], now_us: int) -> None:
        """Draw the lanes up to the present; a frozen plot stays as it is."""
        self._now_s = now_us / 1e6
        if self.is_frozen:
            return
        self._name(rows, values)
        self._item.set_rows(rows)
        self._values.set_rows(values, top=len(rows))
        self._present.setPos(self._now_s)
        self._follow()

    def _name(self, rows: Sequence[LaneRow], values: Sequence[ValueRow]) -> None:
        names = {index + 0.5: row.words.strip() for index, row in enumerate(rows)}
        names |= {len(rows) + ROWS * (index + 0.5): row.words for index, row in enumerate(values)}
        if names != self._shown_names:
            self._shown_names = names
            self._names.set_names(names)
            self.view.setYRange(0, max(1, len(rows) + ROWS * len(values)), padding=0)

    def _follow(self) -> None:
        end_s = max(self._now_s, self._span_s * (1 - MARGIN)) + MARGIN * self._span_s
        self.view.setXRange(end_s - self._span_s, end_s, padding=0)

    def set_frozen(self, frozen: bool) -> None:
        """Stop following the present, or go back to it."""
        self.is_frozen = frozen
        if not frozen:
            self._follow()

    def zoom(self, factor: float) -> None:
        """Show a span that is so many times as long; the present, or of a frozen plot the middle, stays."""
        (first_s, last_s), _ = self.view.viewRange()
        longest_s = max(DEFAULT_SPAN_S, 1.1 * self._now_s)
        self._span_s = min(longest_s, max(SHORTEST_S, factor * (last_s - first_s)))
        if self.is_frozen:
            middle_s = (first_s + last_s) / 2
            self.view.setXRange(middle_s - self._span_s / 2, middle_s + self._span_s / 2, padding=0)
        else:
            self._follow()

    def show_all(self) -> None:
        """Show the whole session."""
        self.zoom(1e9)
        if self.is_frozen:
            self.view.setXRange(0, self._span_s, padding=0)

    def pan(self, part: float) -> None:
        """Move by a part of the visible span, and freeze."""
        (first_s, last_s), _ = self.view.viewRange()
        step_s = part * (last_s - first_s)
        self.is_frozen = True
        self.view.setXRange(first_s + step_s, last_s + step_s, padding=0)

    def _on_moved(self) -> None:
        (first_s, last_s), _ = self.view.viewRange()
        self._span_s = last_s - first_s
        self.is_frozen = True
