"""An empty plot with its two axes: without the menus and buttons of pyqtgraph's own, which take longest to make."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsItem

from rig.window.axes import ChartAxis

_ABOVE_IMAGES = 0.5


class Plot(pg.GraphicsView):  # type: ignore[misc]
    """A view of items with an axis at the left and one at the bottom; ``view`` holds the items and the range."""

    def __init__(self, bottom: ChartAxis, left: ChartAxis) -> None:
        super().__init__()
        self.view = pg.ViewBox(enableMenu=False)
        grid = self.centralLayout
        grid.setContentsMargins(1, 1, 1, 1)
        grid.setSpacing(0)
        grid.addItem(self.view, 0, 1)
        for axis, place in ((left, (0, 0)), (bottom, (1, 1))):
            axis.linkToView(self.view)
            axis.setZValue(_ABOVE_IMAGES)
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
            grid.addItem(axis, *place)
