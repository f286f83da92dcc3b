"""The launcher's window: the cards of the boxes, the question of a command, and the command that was run last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from rig.live.keys import ESCAPE
from rig.supervisor.box_facts import BoxFacts
from rig.system.statuses import OK
from rig.window.button_row import ButtonRow
from rig.window.help_page import HelpPage
from rig.window.key_names import key_name
from rig.window.labels import Sentences, Words
from rig.window.launcher.box_lamp import box_lamp
from rig.window.launcher.box_strip import BoxStrip
from rig.window.launcher.card import CHARTS, GIVEN, START, BoxCard
from rig.window.launcher.card_grid import CardGrid
from rig.window.launcher.commands import Commands, request_words, typed
from rig.window.launcher.facts import Facts, FactsReader
from rig.window.launcher.person_field import WANTED, PersonField
from rig.window.launcher.program import Runs
from rig.window.launcher.question_page import QuestionPage
from rig.window.launcher.repeated_presses import RepeatedPresses, is_act
from rig.window.launcher.roster import Roster
from rig.window.theme import DARK, LIGHT, Theme, style_sheet

EVERY_MS = 250
"""A failure is shown within half a second, as in the table of a terminal."""
LOOK_EVERY = 4
"""Turns between two looks for sessions of other programs and changes of the file."""
MEND_EVERY = 40
"""Turns until a file with mistakes is read again: 10 s."""
READ_EVERY = 1200
"""Turns until the facts are read again, 5 min: another program may weigh an animal or fill a feeder."""
MOST_MISTAKES = 5
"""More of them would hide the cards."""
START_ALL = ("a", "Start all")
ARROWS = ("left", "right", "up", "down")
KEYS = (
    ("1 to 9, arrows", "choose a card; the other keys act on it"),
    ("s", "start the session of the box; it asks what a terminal asks"),
    ("a", "start all boxes in which no session runs"),
    ("g", "say whether the animal got what it is due"),
    ("c", "show the charts of the session in a window of their own"),
    ("Tab, Shift+Tab, Space, Enter", "move between all buttons, and press one"),
    ("d", "dark or light"),
    ("?", "this list"),
    ("q", "close the launcher; the sessions go on"),
)


class LauncherWindow(QMainWindow):
    """Shows the boxes until it is closed; ``run`` starts a command."""

    def __init__(self, commands: Commands, roster: Roster, run: Callable[[Sequence[str]], Runs], theme: Theme) -> None:
        super().__init__()
        self._commands, self._roster, self._run = commands, roster, run
        self._theme = theme
        self._turn = 0
        self._file_stamp: tuple[int, int] | None = None
        self._reader = FactsReader(lambda: run(commands.show()))
        self._facts: dict[str, BoxFacts] = {}
        self._charts: list[Runs] = []
        self._requested: object = None
        self._repeated = RepeatedPresses()
        self._seen: object = None
        """What a finger has aimed at: the cards, or a question."""
        self._is_new = False
        """Whether that was changed since the last turn."""
        self._person = PersonField(commands)
        self._all = ButtonRow(self.press, for_gloves=True)
        self._mistakes, self._command, self._answer = Sentences("mistakes"), Words("command"), Sentences("fact")
        self._strip, self._grid, self._page = BoxStrip(), CardGrid(self._act), QuestionPage()
        self._page.left.connect(self._go_back)
        self._stack = QStackedWidget()
        self._help = HelpPage(self, KEYS)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._take_turn)
        self._lay_out()
        self._set_theme(theme)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.installEventFilter(self)
            application.focusChanged.connect(self._on_focus)

    def _lay_out(self) -> None:
        self.setWindowTitle("rig: boxes")
        self.resize(1280, 800)
        top = QHBoxLayout()
        top.setContentsMargins(8, 6, 8, 0)
        top.addWidget(self._person, 1)
        top.addWidget(self._all)
        for page in (self._grid, self._page):
            self._stack.addWidget(page)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(10, 0, 10, 6)
        bottom.addWidget(self._command, 3)
        bottom.addWidget(self._answer, 2)
        central = QWidget()
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._mistakes)
        column.addWidget(self._strip)
        column.addWidget(self._stack, 1)
        column.addLayout(bottom)
        self._mistakes.setContentsMargins(12, 0, 12, 0)
        self.setCentralWidget(central)

    def start(self) -> None:
        """Show the window and begin to look."""
        self.show()
        self._timer.start()
        self._take_turn()

    @property
    def is_asking(self) -> bool:
        """Whether a command runs whose questions are shown."""
        return self._page.is_open

    # --- turns ------------------------------------------------------------------------------------------------------

    def _take_turn(self) -> None:
        """Run one turn: look for sessions, read what is new, and draw it."""
        self._is_new = False
        if self._turn % LOOK_EVERY == 0:
            self._roster.look()
            self._look_at_file()
        if self._turn % (MEND_EVERY if self._reader.facts.mistakes else READ_EVERY) == 0 or self._roster.update():
            self._reader.ask()
        if self._reader.update():
            self._take_facts(self._reader.facts)
        self._page.update_program()
        self._look_at_charts()
        self._turn += 1
        self.refresh()

    def _take_facts(self, facts: Facts) -> None:
        is_first = not self._facts
        self._facts = {each.box: each for each in facts.boxes}
        self._roster.set_facts(self._facts)
        self._person.show_names(facts.experimenters)
        self.refresh()
        if is_first and not self._person.was_written:
            self._focus_chosen()

    def _look_at_file(self) -> None:
        stamp = None
        if self._reader.facts.file:
            with suppress(OSError):
                status = Path(self._reader.facts.file).stat()
                stamp = status.st_mtime_ns, status.st_size
        if stamp != self._file_stamp:
            self._file_stamp = stamp
            self._reader.ask()

    def _look_at_charts(self) -> None:
        for program in list(self._charts):
            printed = [line.text for line in program.lines()]
            if program.status not in (None, OK) and printed:
                self._say(program.words, printed[-1])
            if program.status is not None:
                self._charts.remove(program)

    def refresh(self) -> None:
        """Draw the present."""
        self._grid.show_boxes(self._roster.boxes, self._facts)
        mistakes = self._reader.facts.mistakes
        more = [f"and {len(mistakes) - MOST_MISTAKES} more"] if len(mistakes) > MOST_MISTAKES else []
        self._mistakes.show_words("\n".join([*mistakes[:MOST_MISTAKES], *more]))
        self._mistakes.setVisible(bool(mistakes) and not self._page.is_open)
        self._all.show_buttons((START_ALL, ("?", "Keys")))
        self._all.buttons["a"].setEnabled(bool(self._idle()) and not self._page.is_open)
        self._strip.setVisible(self._page.is_open)
        for label in (self._command, self._answer):
            label.setVisible(not self._page.is_open)
        if self._page.is_open:
            boxes = self._roster.boxes.items()
            lamps = [(name, box_lamp(box, self._facts.get(name))) for name, box in boxes]
            self._strip.show_lamps(lamps, self._theme)
        self._show_request()
        seen = (tuple(self._grid.cards), self._page.is_open, self._page.question)
        self._is_new |= seen != self._seen
        self._seen = seen

    def _show_request(self) -> None:
        """Show the command that does what a button has done."""
        card = self._grid.chosen
        request = None if card is None else card.requests.last
        if card is not None and request is not None and request is not self._requested:
            self._requested = request
            self._say(request_words(request, card.box.subject), "")

    def _say(self, words: Sequence[str], answer: str) -> None:
        self._command.show_words(f"$ {typed(words)}")
        self._answer.show_words(answer)

    # --- acts -------------------------------------------------------------------------------------------------------

    def _idle(self) -> list[str]:
        return [name for name, box in self._roster.boxes.items() if name in self._facts and not box.is_active]

    def _act(self, card: BoxCard, key: str) -> None:
        if key == CHARTS[0] and card.box.folder is not None:
            self._charts.append(self._run(self._commands.watch(card.box.folder)))
            self._say(self._charts[-1].words, "")
        elif key == GIVEN[0]:
            self._open(self._commands.give(card.box.subject))
        elif key == START[0]:
            self._open(self._commands.start([card.box.name]))

    def _open(self, words: Sequence[str]) -> None:
        if self._page.is_open:
            return
        if not self._commands.experimenter:  # the login of a shared computer is no person
            self._say(words, WANTED)
            self._person.start_writing()
            return
        program = self._run(words)
        self._page.open(program)
        self._say(words, "")
        self._stack.setCurrentWidget(self._page)

    def _go_back(self) -> None:
        self._answer.show_words(self._page.last_line)
        self._stack.setCurrentWidget(self._grid)
        self._roster.look()
        self._reader.ask()
        self._focus_chosen()

    def _focus_chosen(self) -> None:
        if self._grid.chosen is not None:
            self._grid.chosen.focus_first()

    # --- keys -------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Handle the keys of the whole window, except where a person writes or answers a command."""
        if self._repeated.is_repeated(watched, event) or (self._is_new and _is_press(watched, event)):
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not self._is_theirs():
            key, button = key_name(event), QApplication.focusWidget()
            if event.isAutoRepeat() and key not in ARROWS:
                return True
            if key == "enter" and isinstance(button, QPushButton):
                button.click()
                return True
            if key not in ("", " ", "enter"):
                self.press(key)
                return True
        return super().eventFilter(watched, event)

    def _is_theirs(self) -> bool:
        return self._page.is_open or isinstance(QApplication.focusWidget(), QLineEdit | QComboBox)

    def press(self, key: str) -> None:
        """Handle a key; a question of the chosen card is answered first."""
        card = self._grid.chosen
        is_busy = card is not None and card.requests.is_busy
        if is_busy and key.isdigit():  # meant as an answer: it must not choose another box
            return
        answers = card is not None and card.requests.keys.is_asking and not is_busy
        if (answers or not self._press_own(key)) and card is not None:
            card.press(key)
        self.refresh()

    def _press_own(self, key: str) -> bool:
        columns = self._grid.columns
        steps = dict(zip(ARROWS, (-1, 1, -columns, columns), strict=True))
        own: dict[str, Callable[[], object]] = {
            "q": self.close,
            "d": lambda: self._set_theme(LIGHT if self._theme is DARK else DARK),
            "?": lambda: self._help.setVisible(not self._help.isVisible()),
            "a": self._start_all,
            **{name: partial(self._grid.step, step) for name, step in steps.items()},
            **{str(number): partial(self._grid.choose_number, number) for number in range(1, 10)},
        }
        if key == ESCAPE and self._help.isVisible():
            self._help.hide()
        elif key in own:
            own[key]()
            if key in steps or key.isdigit():
                self._focus_chosen()
        else:
            return False
        return True

    def _start_all(self) -> None:
        if self._idle():
            self._open(self._commands.start(self._idle()))

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Handle a change of focus: choose the card whose button Tab has reached."""
        for card in self._grid.cards:
            if now is not None and card.isAncestorOf(now):
                self._grid.choose(card)

    # --- looks ------------------------------------------------------------------------------------------------------

    def _set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setStyleSheet(style_sheet(theme))
        self._grid.set_theme(theme)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop looking; the sessions go on, and a question of the moment is left without an answer."""
        self._timer.stop()
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self._page.leave_program()
        self._roster.close()
        super().closeEvent(event)


def _is_press(watched: QObject, event: QEvent) -> bool:
    """Whether a button that does something is pressed by the mouse or a finger."""
    return event.type() == QEvent.Type.MouseButtonPress and is_act(watched)
