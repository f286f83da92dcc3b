"""The laboratory of the tests of `rig device`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.cli.device import device
from tests.cli.conftest import *  # noqa: F403
from tests.cli.device.lab import Lab, make_lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    return make_lab(tmp_path, monkeypatch)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], str | None]], None]:
    """Put a person at the terminal who answers each question by a function."""

    def person(answer: Callable[[str], str | None]) -> None:
        monkeypatch.setattr(device, "is_interactive", lambda: True)
        monkeypatch.setattr(device, "ask_now", answer)

    return person
