"""Progress of long work: nothing of it is lost, and a log has few lines."""

import pytest

from rig.analysis.common.progress import LINES, shown


def test_without_a_terminal_there_is_a_line_for_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(shown(range(200), 200, "fits")) == list(range(200))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == LINES
    assert lines[-1] == "fits: 200 of 200"


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert list(shown(range(3), 3, "fits")) == [0, 1, 2]
    assert "3/3" in capsys.readouterr().err


def test_no_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(shown([], 0, "fits")) == []
    assert capsys.readouterr().err == ""
