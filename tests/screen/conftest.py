"""A display for real windows: Qt's own that is nowhere, and an X server without a monitor."""

from collections.abc import Iterator

import pytest

from tests.screen_tools import display, need_screen_tools


@pytest.fixture(scope="session")
def x_server() -> Iterator[str]:
    need_screen_tools()
    with display() as name:
        yield name


@pytest.fixture
def offscreen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows be nowhere."""
    need_screen_tools()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture
def xvfb(monkeypatch: pytest.MonkeyPatch, x_server: str) -> None:
    """Let windows be on the X server."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", x_server)


@pytest.fixture(params=["offscreen", "xvfb"])
def platform(request: pytest.FixtureRequest) -> str:
    """Let windows be in either place."""
    request.getfixturevalue(request.param)
    return str(request.param)
