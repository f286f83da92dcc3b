"""The window beside a session."""

import tempfile
from pathlib import Path

import pytest

from rig.cli.terminal.window import DetachedWindow, show_window
from rig.core.errors import ConfigError
from rig.window.launch import WindowRequest


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without a folder for temporary files, as with a full disk."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere/at/all"])


def request(folder: Path) -> WindowRequest:
    return WindowRequest([str(folder)])


@pytest.mark.usefixtures("nowhere")
def test_a_session_goes_on_where_its_window_cannot_start(tmp_path: Path) -> None:
    with DetachedWindow(request) as window:
        window.start(tmp_path)


@pytest.mark.usefixtures("nowhere")
def test_a_window_alone_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="TMPDIR"):
        show_window(request(tmp_path))
