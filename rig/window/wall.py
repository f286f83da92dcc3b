"""The wall: a thumbnail of each session, to see from afar which box needs a person."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from rig.terminal.format import clock, time_text
from rig.window.labels import Sentences, Words, discard
from rig.window.lamp import Level, newest_first
from rig.window.lamp_widget import LampWidget
from rig.window.lane_pixels import HEIGHT, Shades, lanes_image, shades_of
from rig.window.session_lanes import LaneRow
from rig.window.status_strip import STEPS, title_of
from rig.window.theme import LARGE_PX, LIGHT, Theme
from rig.window.watched import Watched

LAMP_PX = 44
STRIP_S = 60.0
"""The span of time that a thumbnail's lanes show."""


class LaneStrip(QWidget):
    """The lanes of the last minute, without names."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[LaneRow] = ()
        self._now_us = 0
        self._shades: Shades = {}
        self.setMinimumHeight(40)
        self.setToolTip(f"states, channels and rewards of the last {STRIP_S:.0f} s")

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._shades = shades_of(theme)
        self.update()

    def show_lanes(self, rows: Sequence[LaneRow], now_us: int) -> None:
        """Draw lanes up to the present."""
        self._rows, self._now_us = rows, now_us
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the rows."""
        if not self._rows or not self._shades:
            return
        pixels = max(1, self.width())
        edges_us = self._now_us + 1e6 * STRIP_S * np.linspace(-1, 0, pixels + 1)
        image = lanes_image(self._rows, self._shades, edges_us)
        painter = QPainter(self)
        high = self.height() / len(self._rows)
        for index in range(len(self._rows)):
            painter.drawImage(QRectF(0, index * high, pixels, high * HEIGHT), image, QRectF(0, index, pixels, 1))
        painter.end()


class Thumbnail(QFrame):
    """One session on the wall; a click opens its page."""

    def __init__(self, watched: Watched, open_page: Callable[[], None]) -> None:
        super().__init__()
        self.watched = watched
        self._open_page = open_page
        self._theme = LIGHT
        self._lamp = LampWidget(LAMP_PX)
        self._name, self._title, self._state = Words("large"), Words("faint"), Words("large")
        self._lamp_words, self._numbers, self._warning = Sentences(), Sentences(), Sentences()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, STEPS)
        self._strip = LaneStrip()
        top = QHBoxLayout()
        top.addWidget(self._lamp)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._title)
        top.addLayout(names, 1)
        box = QVBoxLayout(self)
        box.addLayout(top)
        for widget in (self._lamp_words, self._state, self._numbers, self._bar):
            box.addWidget(widget)
        box.addWidget(self._strip, 1)
        box.addWidget(self._warning)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self._lamp.set_theme(theme)
        self._strip.set_theme(theme)

    def refresh(self, number: int, *, is_chosen: bool) -> None:
        """Draw the present; ``number`` is the key that opens the page."""
        feed, lamp = self.watched.feed, self.watched.lamp
        progress, now = feed.progress, feed.now()
        self._lamp.show_lamp(lamp)
        self._name.show_words(f"{number}  {self.watched.name}" if number < 10 else self.watched.name)
        self._title.show_words(title_of(feed))
        self._lamp_words.show_words(lamp.words)
        self._state.show_words(progress.state_text if progress.footer is None else "")  # the lamp says how it ended
        session_s = progress.stop.get("session_s")
        trials_and_rewards = f"{progress.trials} trials, {progress.rewards_text}"
        self._numbers.show_words(
            "\n".join((time_text(now.elapsed_s, session_s), trials_and_rewards, progress.given)),
        )
        self._bar.setValue(round(STEPS * min(1.0, now.elapsed_s / session_s)) if session_s else 0)
        newest = next(newest_first(feed), None)
        self._warning.show_words("" if newest is None else f"{clock(newest.t_us / 1e6)}  {newest.text}")
        self._strip.show_lanes(feed.rows(), feed.now_us)
        is_bad = lamp.level in (Level.FAILURE, Level.WARNING)
        color = self._theme.levels[lamp.level] if is_bad else self._theme.text if is_chosen else self._theme.line
        width = 6 if is_bad or is_chosen else 2
        style = f"Thumbnail {{ border: {width}px {'double' if is_chosen else 'solid'} {color}; border-radius: 8px; }}"
        if style != self.styleSheet():
            self.setStyleSheet(style)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Open the page."""
        self._open_page()


class Wall(QWidget):
    """The thumbnails of all sessions."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._thumbnails: list[Thumbnail] = []
        self._theme = LIGHT
        self._empty = QLabel("no session runs on this computer under your user; one that starts appears here")
        self._empty.setStyleSheet(f"font-size: {LARGE_PX}px;")
        self._grid.addWidget(self._empty, 0, 0, Qt.AlignmentFlag.AlignCenter)
        self.chosen = 0

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        for thumbnail in self._thumbnails:
            thumbnail.set_theme(theme)

    def show_sessions(self, watched: Sequence[Watched], open_page: Callable[[int], None]) -> None:
        """Show a thumbnail for each session."""
        for old in self._thumbnails:
            discard(self._grid, old)
        self._thumbnails = [_thumbnail(each, index, open_page) for index, each in enumerate(watched)]
        self._empty.setVisible(not watched)
        columns = math.ceil(math.sqrt(max(1, len(watched))))
        for index, thumbnail in enumerate(self._thumbnails):
            thumbnail.set_theme(self._theme)
            self._grid.addWidget(thumbnail, index // columns, index % columns)
        self.chosen = min(self.chosen, max(0, len(watched) - 1))

    def refresh(self) -> None:
        """Draw the present of all sessions."""
        for index, thumbnail in enumerate(self._thumbnails):
            thumbnail.refresh(index + 1, is_chosen=index == self.chosen)

    def choose(self, step: int) -> None:
        """Move the choice to another session."""
        if self._thumbnails:
            self.chosen = (self.chosen + step) % len(self._thumbnails)
            self.refresh()


def _thumbnail(watched: Watched, place: int, open_page: Callable[[int], None]) -> Thumbnail:
    return Thumbnail(watched, lambda: open_page(place))
