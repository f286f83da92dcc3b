"""Words of journals in the window are never markup."""

import pytest

pytestmark = pytest.mark.usefixtures("qt")

FORGED = '<img src="//evil.example/share/x.png"> & <b>M1</b>'


def test_words_at_the_mouse_are_no_markup() -> None:
    from PySide6.QtGui import QTextDocument

    from rig.window.labels import Words
    from rig.window.lamp import Lamp, Level
    from rig.window.lamp_widget import LampWidget

    lamp = LampWidget(20)
    lamp.show_lamp(Lamp(Level.FAILURE, FORGED))
    for widget in (Words("", FORGED), lamp):
        shown = QTextDocument()
        shown.setHtml(widget.toolTip())
        assert shown.toPlainText().endswith(FORGED)


def test_without_words_there_is_nothing_at_the_mouse() -> None:
    from rig.window.labels import Words

    assert Words().toolTip() == ""
