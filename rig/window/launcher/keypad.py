"""Buttons for the digits of a number, for a hand in a glove."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from rig.window.button_row import GloveButton

KEYS = ("7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫")
COLUMNS = 3
WIDTH_PX = 96


class Keypad(QWidget):
    """Writes into a line, which keeps the focus."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        self.buttons: dict[str, QPushButton] = {}
        for index, key in enumerate(KEYS):
            button = self.buttons[key] = GloveButton(key)
            button.setMinimumWidth(WIDTH_PX)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            if key == KEYS[-1]:
                button.setAccessibleName("erase")
                button.clicked.connect(line.backspace)
            else:
                button.clicked.connect(lambda _=False, digit=key: line.insert(digit))
            grid.addWidget(button, index // COLUMNS, index % COLUMNS)
