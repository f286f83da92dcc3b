"""The window: a tab for each session, a wall of all of them, and the keys."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QColor, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QTabWidget

from rig.live.keys import ESCAPE
from rig.window.help_page import HelpPage
from rig.window.key_names import key_name
from rig.window.lamp import SIGNS
from rig.window.running_sessions import FindsSessions
from rig.window.session_page import SessionPage
from rig.window.targets import Target, Targets
from rig.window.theme import DARK, LIGHT, Theme, style_sheet
from rig.window.wall import Wall
from rig.window.watched import Watched

EVERY_MS = 100
"""Ten pictures a second: the eye follows, and one core draws them with time to spare."""
READ_S = 0.08
"""The longest time of one turn for reading; a key waits no longer."""
CATCH_UP_S = 1.0
"""The processor time between two pictures while there is more to read: on a busy computer reading goes first."""
WALL_EVERY = 5
"""The wall is drawn every so many turns."""
LOOK_EVERY = 10
"""New sessions are looked for every so many turns."""
TITLE = "rig: sessions"


class MainWindow(QMainWindow):
    """Shows sessions until it is closed; ``with_wall`` also a single one has the wall beside it.

    ``boxes`` has the name of the box of each rig.
    """

    def __init__(
        self,
        targets: Targets,
        sessions: FindsSessions,
        theme: Theme,
        *,
        with_wall: bool,
        boxes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self._targets, self._sessions, self._boxes = targets, sessions, boxes
        self._theme = theme
        self._with_wall = with_wall
        self._shown: dict[str, Target] = {}
        self._pages: list[SessionPage] = []
        self._turn = 0
        self._draw_s = 0.0
        self._has_turned_page = False
        self.setWindowTitle(TITLE)
        self.resize(1700, 1000)
        self._tabs = QTabWidget()
        self._tabs.tabBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._tabs.currentChanged.connect(self._on_tab)
        self._wall = Wall()
        self._help = HelpPage(self)
        self.setCentralWidget(self._tabs)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_turn)
        self._set_theme(theme)
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def start(self) -> None:
        """Show the window and begin to read."""
        self.show()
        self._take_turn()

    @property
    def pages(self) -> list[SessionPage]:
        """Return the pages of the sessions, in the order of their tabs."""
        return list(self._pages)

    # --- turns ------------------------------------------------------------------------------------------------------

    def _take_turn(self) -> None:
        """Run one turn: look for sessions, read a little of each, and draw what is visible."""
        if self._turn % LOOK_EVERY == 0:
            self._look()
        has_more = self._read()
        # A journal that is long already is read before it is drawn often.
        if not has_more or time.process_time() >= self._draw_s:
            self.refresh()
            self._draw_s = time.process_time() + CATCH_UP_S
        self._turn += 1
        self._timer.start(0 if has_more else EVERY_MS)

    def _look(self) -> None:
        for target in self._targets.find():
            known = self._shown.get(target.place)
            if known is None or known.journal != target.journal:
                self._add(target)

    def _add(self, target: Target) -> None:
        page = SessionPage(Watched(target.journal, self._sessions, target.name, self._boxes))
        page.set_theme(self._theme)
        places = list(self._shown)
        self._shown[target.place] = target
        if target.place in places:
            self._replace(places.index(target.place), page)
        else:
            self._pages.append(page)
            self._tabs.addTab(page, "")
        if len(self._pages) > 1 or self._with_wall:
            self._show_wall()
        self._wall.show_sessions([each.watched for each in self._pages], self.open_page)

    def _replace(self, place: int, page: SessionPage) -> None:
        old = self._pages[place]
        old.watched.close()
        is_current = self._tabs.currentWidget() is old
        tab = self._tabs.indexOf(old)
        self._tabs.removeTab(tab)
        old.deleteLater()
        self._pages[place] = page
        self._tabs.insertTab(tab, page, "")
        if is_current:
            self._tabs.setCurrentWidget(page)

    def _show_wall(self) -> None:
        if self._tabs.indexOf(self._wall) < 0:
            self._tabs.insertTab(0, self._wall, "0  wall")
            if self._turn == 0:
                self._tabs.setCurrentWidget(self._wall)

    def _read(self) -> bool:
        visible = self._tabs.currentWidget()
        has_more = False
        for page in sorted(self._pages, key=lambda each: each is not visible):
            has_more |= page.watched.update(READ_S if page is visible else READ_S / max(1, len(self._pages)))
        return has_more

    def refresh(self) -> None:
        """Draw what is visible."""
        visible = self._tabs.currentWidget()
        if isinstance(visible, SessionPage):
            visible.refresh()
        elif self._turn % WALL_EVERY == 0 or self._has_turned_page:
            self._wall.refresh()
        self._has_turned_page = False
        for number, page in enumerate(self._pages, 1):
            self._name_tab(number, page)
        self._tabs.tabBar().setVisible(self._tabs.count() > 1)

    def _name_tab(self, number: int, page: SessionPage) -> None:
        tab, level = self._tabs.indexOf(page), page.watched.lamp.level
        # An ampersand would underline the next letter.
        text = f"{number}  {SIGNS[level]} {page.watched.name}".replace("&", "&&")
        if self._tabs.tabText(tab) != text:
            self._tabs.setTabText(tab, text)
            self._tabs.tabBar().setTabTextColor(tab, QColor(self._theme.levels[level]))
        if self._tabs.currentWidget() is page:
            self.setWindowTitle(f"{page.watched.name}: {page.watched.lamp.words}")

    def _on_tab(self) -> None:
        self._has_turned_page = True
        self.refresh()

    # --- keys -------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Handle the keys of the whole window, whatever part of it has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not _is_written():
            key = key_name(event)
            if key:
                self.press(key)
                return True
        return super().eventFilter(watched, event)

    def press(self, key: str) -> None:
        """Handle a key; a question of a session is answered first."""
        visible = self._tabs.currentWidget()
        page = visible if isinstance(visible, SessionPage) else None
        if page is not None and page.watched.requests.keys.is_asking:
            page.press(key)
        elif not self._press_own(key):
            if page is not None:
                page.press(key)
            else:
                self._press_wall(key)
        self.refresh()

    def _press_own(self, key: str) -> bool:
        if key == "q":
            self.close()
        elif key == "d":
            self._set_theme(LIGHT if self._theme is DARK else DARK)
        elif key == "?":
            self._help.setVisible(not self._help.isVisible())
        elif key == ESCAPE and self._help.isVisible():
            self._help.hide()
        elif key == "0":
            self._tabs.setCurrentWidget(self._wall)
        elif key.isdigit():
            self.open_page(int(key) - 1)
        elif key in ("page up", "page down"):
            count = max(1, self._tabs.count())
            self._tabs.setCurrentIndex((self._tabs.currentIndex() + (1 if key == "page down" else -1)) % count)
        else:
            return False
        return True

    def _press_wall(self, key: str) -> None:
        steps = {"left": -1, "up": -1, "right": 1, "down": 1}
        if key in steps:
            self._wall.choose(steps[key])
        elif key == "enter":
            self.open_page(self._wall.chosen)

    def open_page(self, place: int) -> None:
        """Show the page of a session, by its place from 0."""
        if 0 <= place < len(self._pages):
            self._tabs.setCurrentWidget(self._pages[place])

    # --- looks ------------------------------------------------------------------------------------------------------

    def _set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setStyleSheet(style_sheet(theme))
        self._wall.set_theme(theme)
        for page in self._pages:
            page.set_theme(theme)
        for tab in range(self._tabs.count()):
            self._tabs.setTabText(tab, "0  wall" if self._tabs.widget(tab) is self._wall else "")

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop reading and asking; the sessions go on."""
        self._timer.stop()
        for page in self._pages:
            page.watched.close()
        self._sessions.close()
        super().closeEvent(event)


def _is_written() -> bool:
    """Whether letters belong to a text that a person writes."""
    return isinstance(QApplication.focusWidget(), QLineEdit)
