"""What holds for every test: no loop is left with tasks on it, hypothesis does not race the machine, signals are heard.

A shell that starts the tests with nohup, or in the background, has switched some signals off for them and for
every program that they start.
"""

import asyncio
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("rig", deadline=None, derandomize=True)  # the same examples every time: nothing is flaky
settings.load_profile("rig")

for number, heard in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, heard)


SLOW = (
    "tests/adversary/",
    "tests/docs/test_ci.py",
    "tests/docs/test_recipes.py",
    "tests/docs/test_snippets.py",
    "tests/docs/test_worked_protocol.py",
    "tests/session/test_kill.py",
    "tests/session/test_power.py",
    "tests/test_wheel.py",
    "[avr-mega-slow",
    "[avr-uno-wraps",
)
"""Places whose tests take seconds of processor time each; of the contract, the variants of the firmware but one."""


FIRST = "tests/docs/test_a_day.py"
"""Begun before all others: it waits for six minutes, in which the other workers go on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(place in item.nodeid for place in SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: FIRST not in item.nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--board", help="the board that is held to the contract: sim, avr (default: both), or a port")


@pytest.fixture(autouse=True)
def no_task_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test after which a task still runs, on whatever loop the test has made."""
    loops: list[asyncio.AbstractEventLoop] = []
    make = asyncio.BaseEventLoop.__init__

    def remember(self: asyncio.BaseEventLoop, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        loops.append(self)

    monkeypatch.setattr(asyncio.BaseEventLoop, "__init__", remember)
    yield
    left = sorted({task.get_name() for loop in loops for task in asyncio.all_tasks(loop)})
    assert not left, f"still running after the test: {', '.join(left)}"
