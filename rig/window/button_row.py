"""A row of buttons, each with its key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from rig.live.keys import ESCAPE
from rig.window.labels import tool_tip

GLOVE_PX = 56
"""The least height of a button for a glove: 15 mm on a screen of 96 pixels per inch."""
SEND = ("\n", "send")
"""The button that sends what is written."""
NONE = (ESCAPE, "none")
"""The button that answers a question with nothing."""
_KEY_NAMES = {ESCAPE: "Esc", "\n": "Enter"}

Buttons = Sequence[tuple[str, str]]
"""Keys, each with the words of its button; one without a key is pressed by Tab and Space."""


class GloveButton(QPushButton):
    """A large button, which Tab reaches."""

    def __init__(self, words: str = "") -> None:
        super().__init__(words)
        self.setObjectName("glove")
        self.setMinimumSize(GLOVE_PX, GLOVE_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class ButtonRow(QWidget):
    """Presses keys; ``for_gloves`` makes large buttons, others leave the keyboard to the window.

    Buttons that are wider than ``fits_px`` together stand in several rows.

    Its buttons stay and get other keys: one that is removed would hand the focus to another part of the window.
    """

    def __init__(self, press: Callable[[str], None], *, for_gloves: bool = False, fits_px: int | None = None) -> None:
        super().__init__()
        self._press = press
        self._fits_px = fits_px
        self._for_gloves = for_gloves
        self._keys: list[str] = []
        self._all: list[QPushButton] = []
        self._row = QGridLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4 if for_gloves else 6)

    @property
    def buttons(self) -> dict[str, QPushButton]:
        """Return the buttons that are shown, by their keys."""
        return dict(zip(self._keys, self._all, strict=False))

    def show_buttons(self, buttons: Buttons, why_not: str = "", *, is_enabled: bool = True) -> None:
        """Show these buttons; ``why_not`` says at the mouse why they can do nothing."""
        while len(self._all) < len(buttons):
            self._add()
        self._keys = [key for key, _ in buttons]
        spare = self._all[len(buttons) :]
        if buttons and any(button.hasFocus() for button in spare):
            self._all[0].setFocus()
        for button in spare:
            button.hide()
        for button, (key, words) in zip(self._all, buttons, strict=False):
            button.setText(self._label(key, words))
            button.setToolTip(tool_tip(why_not))
            button.setEnabled(is_enabled and not why_not)
            button.show()
        self._place(len(buttons))

    def _place(self, count: int) -> None:
        columns = max(count, 1)
        if self._fits_px is not None and count:
            widest = max(button.minimumSizeHint().width() for button in self._all[:count])
            columns = min(count, max(1, self._fits_px // (widest + self._row.spacing())))
        for index, button in enumerate(self._all):
            row, column = divmod(index, columns)
            # Only where it changes: placing a button lays out the window again.
            if self._row.getItemPosition(self._row.indexOf(button))[:2] != (row, column):  # type: ignore[index]
                self._row.addWidget(button, row, column)

    def _add(self) -> None:
        index = len(self._all)
        button = GloveButton() if self._for_gloves else QPushButton()
        if not self._for_gloves:
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self._press(self._keys[index]))
        self._row.addWidget(button, 0, index)
        self._all.append(button)

    def _label(self, key: str, words: str) -> str:
        name = _KEY_NAMES.get(key, key)
        between = "\n" if self._for_gloves else " "
        # An ampersand would underline the next letter.
        return (f"{words}{between}({name})" if name else words).replace("&", "&&")
