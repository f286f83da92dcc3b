"""Pytest fixtures for a laboratory's own tests, found by the entry point ``pytest11``.

The module is imported at every start of pytest where this library is installed, so its imports are inside functions.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig.testing import SessionHarness


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--rig-board``, the simulated board of `run_session`."""
    group = parser.getgroup("rig", "sessions of behavior-rig")
    group.addoption(
        "--rig-board",
        default="sim",
        metavar="DRIVER",
        help="the board of the fixture run_session: sim (a model, default), or avr (the firmware on a simulated chip)",
    )


@pytest.fixture
def run_session(pytestconfig: pytest.Config) -> Callable[..., SessionHarness]:
    """Return `rig.testing.run_session` with the board of ``--rig-board``."""
    from rig import testing

    return partial(testing.run_session, board=pytestconfig.getoption("--rig-board"))
