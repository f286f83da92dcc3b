"""Fixtures for a laboratory's own tests; pytest finds them by the entry point ``pytest11``.

It is imported at every start of pytest where this library is installed: what it needs is imported when it is used.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig.testing import SessionHarness


def pytest_addoption(parser: pytest.Parser) -> None:
    """Send pytest the option that says on which simulated board `run_session` runs."""
    group = parser.getgroup("rig", "sessions of behavior-rig")
    group.addoption(
        "--rig-board",
        default="sim",
        metavar="DRIVER",
        help="the board of the fixture run_session: sim (a model, default), or avr (the firmware on a simulated chip)",
    )


@pytest.fixture
def run_session(pytestconfig: pytest.Config) -> Callable[..., SessionHarness]:
    """Return `rig.testing.run_session`, on the board that ``--rig-board`` names."""
    from rig import testing

    return partial(testing.run_session, board=pytestconfig.getoption("--rig-board"))
