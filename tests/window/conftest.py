"""One Qt application for the tests of the window, on Qt's own display that is nowhere."""

import os
from pathlib import Path

import pytest

from tests.screen_tools import need_screen_tools
from tests.window.journals import JournalWriter


@pytest.fixture(scope="session")
def qt() -> object:
    need_screen_tools()
    before = os.environ.get("QT_QPA_PLATFORM")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    other = QApplication.instance()
    if other is not None and not isinstance(other, QApplication):
        other.shutdown()  # one without windows, which another test has left
    application = QApplication.instance() or QApplication([])
    if before is None:
        del os.environ["QT_QPA_PLATFORM"]
    else:
        os.environ["QT_QPA_PLATFORM"] = before
    return application


@pytest.fixture
def journal(tmp_path: Path) -> JournalWriter:
    return JournalWriter(tmp_path / "M1" / "2026-11-21" / "001" / "journal.jsonl")
