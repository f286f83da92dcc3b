"""The card of one box: its animal, what it is about to run, its session, and the buttons for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLayout, QVBoxLayout

from rig.live.keys import ESCAPE
from rig.supervisor.box import Box, BoxState
from rig.supervisor.box_facts import BoxFacts, FactRow
from rig.supervisor.box_requests import BoxRequests
from rig.supervisor.table import amount_text, board_text, state_text
from rig.terminal.format import clock, pluralize
from rig.window.button_row import NONE, SEND, ButtonRow
from rig.window.labels import Sentences, Words, discard
from rig.window.lamp import SIGNS, Level
from rig.window.lamp_widget import LampWidget
from rig.window.launcher.box_lamp import box_lamp
from rig.window.request_bar import session_buttons
from rig.window.text_line import TextLine
from rig.window.theme import LIGHT, Theme

LAMP_PX = 44
NAME_PX = 64
BUTTONS_PX = 346
"""The room for buttons in the narrowest card."""
LONGEST_NAME = 30
"""More characters do not fit beside the lamp of the narrowest card, also when they are small."""
BREAK = "\u200b"
"""A place of no width where a long name may be broken: Qt breaks only between words."""
LEAST_PX = 222
"""The least height of a card: it keeps its place when a line comes or goes."""
START, GIVEN, CHARTS = ("s", "Start"), ("g", "Given?"), ("c", "Charts")
OF_LAUNCHER = tuple(key for key, _ in (START, GIVEN, CHARTS))


class BoxCard(QFrame):
    """Draws one box; ``act`` does what a key asks of the launcher, ``choose`` gives the card the keys."""

    def __init__(self, box: Box, act: Callable[[BoxCard, str], None], choose: Callable[[BoxCard], None]) -> None:
        super().__init__()
        self.box = box
        self.requests = BoxRequests(box)
        self._act, self._choose = act, choose
        self._theme = LIGHT
        self._shown: tuple[FactRow, ...] = ()
        self._choices: tuple[tuple[str, str], ...] = ()
        """The answers that are shown."""
        self._lamp = LampWidget(LAMP_PX)
        self._name, self._of_animal, self._state = Words("large"), Sentences("fact"), Sentences("fact")
        self._lamp_words, self._answer = Sentences("fact"), Sentences("answer")
        self._facts = QGridLayout()
        self._facts.setColumnMinimumWidth(0, NAME_PX)
        self._facts.setColumnStretch(1, 1)
        self._facts.setVerticalSpacing(0)
        self._buttons = ButtonRow(self.press, for_gloves=True, fits_px=BUTTONS_PX)
        self._of_records = ButtonRow(self.press, for_gloves=True)
        self._line = TextLine(lambda _: self.press(SEND[0]), lambda: self.press(ESCAPE))
        self._lay_out()

    def _lay_out(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._of_animal)
        names.addWidget(self._state)
        top = QHBoxLayout()
        top.addWidget(self._lamp)
        top.addLayout(names, 1)
        top.addWidget(self._of_records, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(3)
        column.addLayout(top)
        column.addLayout(self._facts)
        column.addWidget(self._lamp_words)
        column.addStretch()
        for widget in (self._answer, self._line, self._buttons):
            column.addWidget(widget)
        self._line.hide()
        self.setMinimumHeight(LEAST_PX)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        self._lamp.set_theme(theme)
        self._shown = ()

    # --- draw -------------------------------------------------------------------------------------------------------

    def refresh(self, number: int, facts: BoxFacts | None, *, is_chosen: bool) -> None:
        """Draw the present; ``number`` is the key that chooses the card."""
        box, lamp = self.box, box_lamp(self.box, facts)
        self._lamp.show_lamp(lamp)
        simulated = " (simulated)" if facts is not None and facts.simulated else ""
        self._show_name(f"{number}  {box.name}: ", f"{box.subject}{simulated}")
        self._state.show_words(_state_words(box))
        rows = () if facts is None else facts.rows
        self._show_rows(tuple(row for row in rows if not (row.is_before and box.is_active)))
        is_bad = lamp.level in (Level.FAILURE, Level.WARNING)
        self._lamp_words.show_words(lamp.text if is_bad or lamp.level is Level.ENDED else "")
        self._lamp_words.setVisible(bool(self._lamp_words.text()))
        if not is_chosen:
            self._leave_question()
        self._show_requests(facts)
        color = self._theme.levels[lamp.level] if is_bad else self._theme.text if is_chosen else self._theme.line
        width = 5 if is_bad or is_chosen else 2
        style = f"BoxCard {{ border: {width}px {'double' if is_chosen else 'solid'} {color}; border-radius: 8px; }}"
        if style != self.styleSheet():
            self.setStyleSheet(style)

    def _show_name(self, name: str, animal: str) -> None:
        """Show the box and its animal: the end of its name may be what tells it from the next one."""
        fits = len(name) + len(animal) <= LONGEST_NAME
        self._name.show_words(name + animal if fits else name)
        self._of_animal.show_words("" if fits else BREAK.join(animal))
        self._of_animal.setVisible(not fits)

    def _show_rows(self, rows: tuple[FactRow, ...]) -> None:
        if rows == self._shown:
            return
        self._shown = rows
        while (item := self._facts.takeAt(0)) is not None:
            _discard(self._facts, item.widget())
        for index, row in enumerate(rows):
            sign = f"{SIGNS[Level.WARNING]} " if row.needs_look else ""
            text = Words("look" if row.needs_look else "fact", sign + row.text)
            if row.needs_look:
                text.setStyleSheet(f"color: {self._theme.levels[Level.FAILURE]};")
            self._facts.addWidget(Words("faint", row.name), index, 0)
            self._facts.addWidget(text, index, 1)

    def _show_requests(self, facts: BoxFacts | None) -> None:
        keys = self.requests.keys
        self._of_records.show_buttons([CHARTS] if self.box.folder is not None else [])
        if keys.is_asking and not self.box.is_active:
            keys.press(ESCAPE)  # its session has ended in the middle of a question
        waits = " …" if self.requests.is_busy and not keys.hint else ""
        self._answer.show_words(keys.hint + waits)
        self._answer.setVisible(bool(self._answer.text()))
        self._line.show_line(visible=keys.is_writing and self.box.is_active)
        choices = tuple(keys.choices) if self.box.is_active else ()
        self._buttons.show_buttons((*choices, NONE) if choices else list(self._actions(facts)))
        if choices != self._choices:
            self._choices = choices
            if any(button.hasFocus() for button in self._buttons.buttons.values()):
                # Enter by itself answers no question; afterwards it does not press what came to this place.
                if choices:
                    self._buttons.buttons[NONE[0]].setFocus()
                else:
                    self.focus_first()

    def _actions(self, facts: BoxFacts | None) -> Iterator[tuple[str, str]]:
        if not self._line.isHidden():
            yield from (SEND, NONE)
        elif self.box.is_active:
            yield from session_buttons(is_paused=self.box.progress.clock.is_paused)
        else:
            if facts is not None:
                yield START
            if facts is not None and facts.is_due:
                yield GIVEN

    def focus_first(self) -> None:
        """Move the focus to the first button."""
        for button in list(self._buttons.buttons.values())[:1]:
            button.setFocus()

    # --- keys -------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key, or the button of it."""
        self._choose(self)
        keys = self.requests.keys
        if self.requests.is_busy:  # what is pressed meanwhile must not answer the question that comes
            return
        if keys.is_writing:
            self._press_at_line(key)
        elif keys.is_asking:
            if tuple(keys.choices) == self._choices:  # a person has seen the question
                self.requests.press(key)
        elif key not in self._buttons.buttons | self._of_records.buttons:
            return
        elif key in OF_LAUNCHER and not (key == START[0] and self.box.is_active):  # in a session it sets a parameter
            self._act(self, key)
        else:
            self.requests.press(key)

    def _press_at_line(self, key: str) -> None:
        """Handle a key while a text is written: a letter beside the line is no letter of the text."""
        if key == SEND[0]:
            self.requests.press(f"{self._line.text()}\n")
        elif key == ESCAPE:
            self.requests.press(ESCAPE)
        else:
            self._line.setFocus()

    def _leave_question(self) -> None:
        """End a question without an answer, since another card has the keys: they would answer it later."""
        if self.requests.keys.choices and not self.requests.is_busy:
            self.requests.press(ESCAPE)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Handle a click beside the buttons: choose the card."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self)


def _state_words(box: Box) -> str:
    state = "ended" if box.reason else state_text(box).plain
    if box.state is BoxState.IDLE or box.progress.header is None:
        return state
    progress = box.progress
    counts = [pluralize(progress.trials, "trial"), pluralize(progress.rewards, "reward"), amount_text(box)]
    left = [f"{clock(box.left_s)} left"] if box.is_active and box.left_s is not None else []
    board = [f"board {board_text(box).plain}"] if box.is_active else []
    return ", ".join(filter(None, (state, *counts, *left, *board)))


def _discard(layout: QLayout, widget: object) -> None:
    if isinstance(widget, Words):
        discard(layout, widget)
