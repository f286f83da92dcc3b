"""What the window is asked for, and why it cannot be shown."""

import json
from functools import partial

import pytest

from rig.core.errors import ConfigError
from rig.platform.system import has_display
from rig.window import launch
from rig.window.launch import WindowRequest, check_window


def test_a_request_passes_through_the_command_line() -> None:
    request = WindowRequest(["/data/M 1/journal.jsonl"], theme="dark")
    *_, module, text = request.command()
    assert module == "rig.window"
    assert json.loads(text) == json.loads(WindowRequest.parse(text).command()[-1])
    assert WindowRequest.parse(text).journals == ["/data/M 1/journal.jsonl"]


def test_a_missing_package_is_told_with_the_words_that_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "find_spec", lambda name: None if name == "pyqtgraph" else object())
    with pytest.raises(ConfigError, match=r"needs pyqtgraph: pip install 'behavior-rig\[gui\]'"):
        check_window()


def test_a_terminal_without_a_display_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "find_spec", lambda name: object())
    monkeypatch.setattr(launch, "has_display", partial(has_display, "linux"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="no display"):
        check_window()
    monkeypatch.setenv("DISPLAY", ":0")
    check_window()
