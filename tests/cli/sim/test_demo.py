"""How `rig demo` ends: with the session's report, opened if the person wants that; and how it is seen in the window."""

from __future__ import annotations

import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rig.cli.sim import demo
from rig.cli.terminal import window
from rig.core.errors import ConfigError
from rig.window.launch import WindowRequest
from tests.cli.conftest import Rig

SHORT = ("demo", "--speed", "max")


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of ten seconds."""
    build_spec = demo.build_spec
    monkeypatch.setattr(demo, "build_spec", lambda request: build_spec(replace(request, sets=("stop.session_s=10",))))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that a browser at a desktop was asked to open."""
    pages: list[str] = []
    monkeypatch.setattr(demo, "is_interactive", lambda: True)
    monkeypatch.setattr(demo, "has_display", lambda: True)
    monkeypatch.setattr(demo, "_has_browser", lambda: True)
    monkeypatch.setattr(webbrowser, "open", pages.append)
    return pages


@pytest.mark.parametrize(("answer", "opens"), [("", True), ("y", True), ("Yes", True), ("n", False), (None, False)])
def test_at_a_desktop_a_person_is_asked(
    rig: Rig, opened: list[str], monkeypatch: pytest.MonkeyPatch, answer: str | None, opens: bool, data: Path
) -> None:
    monkeypatch.setattr(demo, "ask_now", lambda question: answer)
    assert rig(*SHORT).status == 0
    (page,) = data.rglob("report.html")
    assert opened == ([page.absolute().as_uri()] if opens else [])


@pytest.mark.parametrize("lacking", ["is_interactive", "has_display", "_has_browser"])
def test_without_terminal_display_or_browser_the_report_is_only_named(
    rig: Rig, opened: list[str], monkeypatch: pytest.MonkeyPatch, lacking: str, data: Path
) -> None:
    monkeypatch.setattr(demo, lacking, lambda: False)
    monkeypatch.setattr(demo, "ask_now", lambda question: pytest.fail("asked"))
    answer = rig(*SHORT)
    (page,) = data.rglob("report.html")
    assert f": {page.absolute()}\n" in answer.out
    assert opened == []


def test_the_window_shows_the_session_while_it_runs(
    rig: Rig, opened: list[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    shown: list[WindowRequest] = []

    class Program:
        def __init__(self, request: WindowRequest, **settings: Any) -> None:
            shown.append(request)
            raise OSError

    monkeypatch.setattr(window, "_Program", Program)
    monkeypatch.setattr(demo, "check_window", lambda: None)
    assert rig(*SHORT, "--window", "--theme", "dark").status == 0
    (journal,) = data.rglob("journal.jsonl")
    assert (shown[0].journals, shown[0].theme) == ([str(journal.absolute())], "dark")
    assert opened == []


def test_the_window_plays_it_at_20_times_real_time(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = []

    def stop(text: str) -> float:
        speeds.append(text)
        raise ConfigError("enough")

    monkeypatch.setattr(demo.common, "speed", stop)
    monkeypatch.setattr(demo, "check_window", lambda: None)
    for words in ((), ("--window",), ("--window", "--speed", "5")):
        assert rig("demo", *words).status == 2
    assert speeds == ["600", "20", "5"]


def test_without_the_extra_nothing_runs(rig: Rig, monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setattr("rig.window.launch.find_spec", lambda name: None)
    answer = rig("demo", "--window")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "the window needs pyqtgraph and PySide6: pip install 'behavior-rig[gui]'\n"
    assert not list(data.rglob("journal.jsonl"))
