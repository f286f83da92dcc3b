"""All boxes in one line: a failure is seen also while a command asks something of another box."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rig.window.labels import Words, discard
from rig.window.lamp import SIGNS, Lamp
from rig.window.theme import Theme


class BoxStrip(QWidget):
    """The sign of each box, in the color of its lamp; all of the lamp's words are shown at the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._labels: list[Words] = []

    def show_lamps(self, lamps: Sequence[tuple[str, Lamp]], theme: Theme) -> None:
        """Show the lamps of the boxes, each with its name."""
        if len(lamps) != len(self._labels):
            for old in self._labels:
                discard(self._row, old)
            self._labels = [Words() for _ in lamps]
            for label in self._labels:
                self._row.addWidget(label)
        for label, (name, lamp) in zip(self._labels, lamps, strict=True):
            label.setStyleSheet(f"color: {theme.levels[lamp.level]}; font-weight: bold;")
            label.show_words(f"{SIGNS[lamp.level]} {name}: {lamp.text}")
