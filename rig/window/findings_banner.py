"""The newest finding in large words, with those before it in small ones."""

from __future__ import annotations

from itertools import islice

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from rig.expectations.finding import Finding, Severity
from rig.terminal.format import clock
from rig.window.labels import Sentences, Words
from rig.window.lamp import RECENT_S, Lamp, Level, newest_first
from rig.window.lamp_widget import LampWidget
from rig.window.session_feed import SessionFeed
from rig.window.theme import LARGE_PX, LIGHT, NORMAL_PX, Theme

SIGN_PX = 40
BEFORE = 2
"""How many earlier ones are shown in small words."""


class FindingsBanner(QFrame):
    """A bar that is there only when there is something to say."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._shown: tuple[object, ...] = ()
        self._sign = LampWidget(SIGN_PX)
        self._newest, self._before = Sentences(), Words("faint")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._newest)
        words.addWidget(self._before)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.addWidget(self._sign)
        row.addLayout(words, 1)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self._sign.set_theme(theme)
        self._shown = ()

    def show_findings(self, feed: SessionFeed) -> None:
        """Show the newest findings; those of long ago in small words only."""
        newest = list(islice(newest_first(feed), 1 + BEFORE))
        is_recent = bool(newest) and feed.now_us - newest[0].t_us < 1e6 * RECENT_S
        shown = (tuple(newest), is_recent)
        if shown == self._shown:
            return
        self._shown = shown
        self.setVisible(bool(newest))
        if not newest:
            return
        level = Level.FAILURE if newest[0].severity is Severity.BAD else Level.WARNING
        self._sign.show_lamp(Lamp(level, newest[0].text))
        size, weight = (LARGE_PX, "bold") if is_recent else (NORMAL_PX, "normal")
        self._newest.setStyleSheet(f"font-size: {size}px; font-weight: {weight};")
        self._newest.show_words(_words(newest[0]))
        self._before.show_words("   ".join(map(_words, newest[1:])))
        self._before.setVisible(len(newest) > 1)
        edge = self._theme.levels[level] if is_recent else self._theme.line
        self.setStyleSheet(f"FindingsBanner {{ border: 3px solid {edge}; border-radius: 6px; }}")


def _words(each: Finding) -> str:
    return f"{clock(each.t_us / 1e6)}  {each.text}"
