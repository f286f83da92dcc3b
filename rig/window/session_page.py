"""One session in the window: its numbers, its charts, its lanes and its buttons."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSplitter, QVBoxLayout, QWidget

from rig.window.chart_widget import ChartWidget
from rig.window.findings_banner import FindingsBanner
from rig.window.labels import Words, discard
from rig.window.lanes_plot import LanesPlot
from rig.window.request_bar import RequestBar
from rig.window.session_feed import SessionFeed
from rig.window.status_strip import StatusStrip
from rig.window.theme import LIGHT, Theme
from rig.window.watched import Watched

MAX_CHARTS = 12
IN_ONE_ROW = 4
ZOOM, STEP = 1.6, 0.25
FROZEN = "FROZEN: Space goes on; the session is read and recorded all the same"
FOLLOWING = "Space freezes, + and - zoom, arrows move, a shows all, f follows; ? lists all keys"


class SessionPage(QWidget):
    """Draws what a session's feed says."""

    def __init__(self, watched: Watched) -> None:
        super().__init__()
        self.watched = watched
        self._theme = LIGHT
        self._strip, self._banner, self._lanes = StatusStrip(), FindingsBanner(), LanesPlot()
        self._bar = RequestBar(watched.requests)
        self._charts: list[ChartWidget] = []
        self._grid_of_charts = QWidget()
        self._grid = QGridLayout(self._grid_of_charts)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._hint = Words("faint", FOLLOWING)
        self._hint.setContentsMargins(12, 0, 12, 0)
        self._next_chart = 0
        self._has_joined = False
        """Whether the charts of the whole journal were drawn."""
        self._is_frozen = False
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._grid_of_charts)
        split.addWidget(self._lanes)
        split.setSizes([5000, 4500])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        for widget in (self._strip, self._banner):
            box.addWidget(widget)
        box.addWidget(split, 1)
        box.addWidget(self._hint)
        box.addWidget(self._bar)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self._strip.set_theme(theme)
        self._banner.set_theme(theme)
        self._lanes.set_theme(theme)
        for chart in self._charts:
            chart.set_theme(theme)

    def refresh(self) -> None:
        """Draw the present; what is frozen stays as it is."""
        feed = self.watched.feed
        self._strip.show_status(feed, self.watched.lamp, self.watched.name)
        self._banner.show_findings(feed)
        self._bar.refresh(is_paused=feed.progress.clock.is_paused and feed.progress.footer is None)
        self._hint.show_words(self._words(feed))
        if not self._is_frozen:
            self._lanes.show_lanes(feed.rows(), feed.values.rows(), feed.now_us)
            self._show_charts(feed, min(MAX_CHARTS, feed.chart_count))

    def _words(self, feed: SessionFeed) -> str:
        if not feed.is_caught_up:
            return f"reading the journal: {feed.share_read:.0%}"
        return FROZEN if self._is_frozen else FOLLOWING

    def _show_charts(self, feed: SessionFeed, count: int) -> None:
        if count != len(self._charts):
            charts = [feed.chart(number) for number in range(count)]
            self._lay_out([chart.is_map for chart in charts])
        # One changed chart in a turn, so that no turn takes long: all are drawn within a second. Only when the journal
        # has just been caught up with, all are drawn at once.
        is_joining = feed.is_caught_up and not self._has_joined
        for index in range(count):
            number = (self._next_chart + index) % count
            if self._charts[number].show_chart(feed.chart(number)) and not is_joining:
                self._next_chart = number + 1
                return
        if is_joining:
            self._has_joined = True
            self._settle()

    def _settle(self) -> None:
        """Set the places of the charts and their legends: Qt would do it one by one, and draw all each time."""
        for chart in self._charts:
            chart.settle()
        self._grid.activate()

    def _lay_out(self, are_maps: Sequence[bool]) -> None:
        for old in self._charts:
            discard(self._grid, old)
        self._charts = [ChartWidget() for _ in are_maps]
        for widget, chart_place in zip(self._charts, chart_places(are_maps), strict=True):
            widget.set_theme(self._theme)
            self._grid.addWidget(widget, *chart_place)
        self._grid_of_charts.setVisible(bool(are_maps))

    # --- keys -------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key of the session: those of the running display, and those that move the picture."""
        moves = {
            " ": lambda: self._freeze(not self._is_frozen),
            "+": lambda: self._lanes.zoom(1 / ZOOM),
            "-": lambda: self._lanes.zoom(ZOOM),
            "left": lambda: self._lanes.pan(-STEP),
            "right": lambda: self._lanes.pan(STEP),
            "a": self._show_all,
            "f": self._follow,
        }
        if self.watched.requests.keys.is_asking:
            self.watched.requests.press(key)
        elif key in moves:
            moves[key]()
        else:
            self.watched.requests.press(key)

    def _freeze(self, frozen: bool) -> None:
        self._is_frozen = frozen
        self._lanes.set_frozen(frozen)

    def _follow(self) -> None:
        self._freeze(False)
        for chart in self._charts:
            chart.show_all()

    def _show_all(self) -> None:
        self._lanes.show_all()
        for chart in self._charts:
            chart.show_all()


def chart_places(are_maps: Sequence[bool]) -> list[tuple[int, int, int, int]]:
    """Return row, column, and spans of each chart. A map is as high as all rows: its scales are those of lengths."""
    others = sum(not is_map for is_map in are_maps)
    rows = max(1, math.ceil(len(are_maps) / IN_ONE_ROW))
    columns = max(1, math.ceil(others / rows))
    places, number, maps = [], 0, 0
    for is_map in are_maps:
        if is_map:
            places.append((0, columns + maps, rows, 1))
            maps += 1
        else:
            places.append((number // columns, number % columns, 1, 1))
            number += 1
    return places
