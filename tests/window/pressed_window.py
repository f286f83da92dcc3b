"""The window with a person before it: it is looked at as the X server has it, and closed by a key.

python pressed_window.py JOURNAL PICTURE
"""

import sys
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rig.window.main_window import MainWindow
from rig.window.running_sessions import RunningSessions
from rig.window.targets import NamedTargets
from rig.window.theme import DARK

LOOK_MS = 50


def main(journal: Path, picture: str) -> int:
    application = QApplication(sys.argv[:1])
    window = MainWindow(NamedTargets([journal]), RunningSessions(), DARK, with_wall=False)
    window.start()

    def look() -> None:
        if not (window.windowHandle().isExposed() and window.pages and window.pages[0].watched.feed.is_caught_up):
            QTimer.singleShot(LOOK_MS, look)
            return
        QTest.keyClick(window, Qt.Key.Key_A)
        QTimer.singleShot(10 * LOOK_MS, leave)

    def leave() -> None:
        window.screen().grabWindow(window.winId()).save(picture)
        QTest.keyClick(window, Qt.Key.Key_Q)

    look()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
