"""The laboratory of the tests of `rig valve`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.cli.maintenance import valves, weights
from tests.cli.conftest import *  # noqa: F403
from tests.cli.valve.lab import Lab, make_lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    return make_lab(tmp_path, monkeypatch)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], str | None]], None]:
    """Put a person at the terminal who answers each question by a function."""

    def person(answer: Callable[[str], str | None]) -> None:
        monkeypatch.setattr(weights, "is_interactive", lambda: True)
        monkeypatch.setattr(valves, "is_interactive", lambda: True)
        monkeypatch.setattr(valves, "ask_now", answer)
        monkeypatch.setattr(weights.TypedWeigher.__init__, "__defaults__", (answer,))
        monkeypatch.setitem(weights.ScaleWeigher.__init__.__kwdefaults__, "ask", answer)

    return person
