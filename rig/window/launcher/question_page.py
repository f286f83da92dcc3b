"""A command that runs: what it prints, what it asks, and the answers of a person."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from rig.live.keys import ESCAPE
from rig.system.statuses import OK
from rig.terminal.questions import Question, parse_question
from rig.window.button_row import SEND, ButtonRow
from rig.window.labels import Sentences, Words
from rig.window.launcher.commands import typed
from rig.window.launcher.keypad import Keypad
from rig.window.launcher.program import Runs
from rig.window.text_line import TextLine

CANCEL = (ESCAPE, "cancel")
BACK = "b"
WAITS = "…"
LONGEST_TITLE = 300
"""More characters would leave no room for the buttons; the text above has them all."""
LONGEST_LINE = 2000
"""Qt needs seconds to lay out a line of a million characters."""
MOST_LINES = 2000


class QuestionPage(QWidget):
    """Shows one command; ``left`` is emitted when a person goes back, or when it has succeeded."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._program: Runs | None = None
        self._question: Question | None = None
        self._said = ""
        self._command, self._title = Words("command"), Sentences("question")
        self._printed = QPlainTextEdit()
        self._printed.setReadOnly(True)
        self._printed.setMaximumBlockCount(MOST_LINES)
        # The last lines are the warnings; they stay in sight when a question takes room, or the window is made smaller.
        bar = self._printed.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, last: bar.setValue(last))
        self._line = TextLine(self._answer, self._cancel)
        self._keypad = Keypad(self._line)
        self._answers = ButtonRow(self._press, for_gloves=True)
        asks = QVBoxLayout()
        for widget in (self._title, self._line, self._answers):
            asks.addWidget(widget)
        asks.addStretch()
        below = QHBoxLayout()
        below.addLayout(asks, 1)
        below.addWidget(self._keypad, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout(self)
        box.addWidget(self._command)
        box.addWidget(self._printed, 1)
        box.addLayout(below)

    @property
    def is_open(self) -> bool:
        """Whether a command is shown."""
        return self._program is not None

    @property
    def question(self) -> Question | None:
        """Return the question of the moment."""
        return self._question

    @property
    def _has_ended(self) -> bool:
        return self._program is not None and self._program.status is not None

    @property
    def last_line(self) -> str:
        """Return what the command has printed last."""
        return self._said

    def open(self, program: Runs) -> None:
        """Show a command that runs."""
        self._program, self._said = program, ""
        self._printed.clear()
        self._command.show_words(f"$ {typed(program.words)}")
        self._ask(None)

    def leave_program(self) -> None:
        """End the questions of the command without an answer, because the window closes."""
        if self._program is not None:
            self._program.leave()

    def update_program(self) -> None:
        """Show what is new of the command."""
        program = self._program
        if program is None:
            return
        for line in program.lines():
            question = parse_question(line.text) if line.is_error else None
            if question is None:
                self._print(line.text)
            else:
                self._ask(question)
        if program.status is not None and self._title.text() != self._ended_text(program.status):
            self._end(program.status)

    def _print(self, text: str) -> None:
        self._said = text or self._said
        self._printed.appendPlainText(shortened(text, LONGEST_LINE))

    # --- questions --------------------------------------------------------------------------------------------------

    def _ask(self, question: Question | None) -> None:
        """Show a question; without one the command is at work."""
        self._question = question
        if question is not None and len(question) > LONGEST_TITLE:
            self._print(question)
        self._title.show_words(WAITS if question is None else shortened(question, LONGEST_TITLE))
        self._line.setVisible(question is not None)
        self._line.clear()
        self._keypad.setVisible(question is not None and question.is_number)
        answers = () if question is None else (*question.answers, SEND)
        self._answers.show_buttons((*answers, CANCEL))
        (self if question is None else self._line).setFocus()

    def _press(self, key: str) -> None:
        if key == ESCAPE:
            self._cancel()
        elif key == BACK:
            self._leave()
        else:
            self._answer(self._line.text() if key == SEND[0] else key)

    def _answer(self, text: str) -> None:
        if self._program is not None and self._question is not None:
            self._print(f"{self._question}{text}")
            self._program.answer(text)
            self._ask(None)

    def _cancel(self) -> None:
        """End the questions without an answer: the command then prints what became of it."""
        if self._program is None or self._has_ended:
            self._leave()
        else:
            self._program.leave()
            self._ask(None)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _end(self, status: int) -> None:
        if status == OK:
            self._leave()
            return
        self._ask(None)
        self._title.show_words(self._ended_text(status))
        self._answers.show_buttons([(BACK, "back")])
        self._answers.buttons[BACK].setFocus()

    def _ended_text(self, status: int) -> str:
        return shortened(f"not done (status {status}): {self._said}", LONGEST_TITLE)

    def _leave(self) -> None:
        self._program = None
        self._question = None
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle Esc and Enter outside of the line."""
        if event.key() == Qt.Key.Key_Escape:
            self._cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_B) and self._has_ended:
            self._leave()
        else:
            super().keyPressEvent(event)


def shortened(text: str, longest: int) -> str:
    """Return a text, or its beginning with a sign for the rest."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
