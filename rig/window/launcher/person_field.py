"""The person who works at the launcher: the name that its commands write down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from rig.window.button_row import GLOVE_PX
from rig.window.launcher.commands import Commands

NOT_NAMED = "your name, which is written down"
WANTED = "write your name into the field at the top: it is written down"


class _Names(QComboBox):
    """Names to choose from; a wheel that turns above them changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Handle the wheel by doing nothing: another person would be written down."""
        event.ignore()


class PersonField(QWidget):
    """Sets the experimenter of the commands; a computer may have a list of those who may be named."""

    def __init__(self, commands: Commands) -> None:
        super().__init__()
        self._commands = commands
        self.was_written = False
        """Whether a person has written a name here."""
        self._names: Sequence[str] = ()
        self._box = _Names()
        self._box.setEditable(True)
        self._box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._box.setMinimumHeight(GLOVE_PX)
        self._box.setAccessibleName("experimenter")
        self._box.setCurrentText(commands.experimenter)
        line = self._box.lineEdit()
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(NOT_NAMED)
            line.textEdited.connect(self._note_written)
            line.returnPressed.connect(self._box.clearFocus)
        # The keys after a choice are those of the cards, not letters of the name.
        self._box.activated.connect(self._box.clearFocus)
        self._box.currentTextChanged.connect(self._set)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel("experimenter")
        label.setObjectName("faint")
        row.addWidget(label)
        row.addWidget(self._box, 1)

    def show_names(self, names: Sequence[str]) -> None:
        """Show names to choose from; what is written stays."""
        if names != self._names:
            self._names = names
            written = self._box.currentText()
            self._box.clear()
            self._box.addItems(list(names))
            self._box.setCurrentText(written)

    def start_writing(self) -> None:
        """Move the focus here."""
        self._box.setFocus()

    def _note_written(self) -> None:
        self.was_written = True

    def _set(self, name: str) -> None:
        self._commands.experimenter = name.strip()
