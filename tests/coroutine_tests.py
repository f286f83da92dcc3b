"""Tests that are coroutine functions: pytest calls them, and a folder's ``conftest.py`` says what runs them."""

from collections.abc import Callable, Coroutine
from inspect import iscoroutinefunction
from typing import Any

import pytest

Test = Callable[[], Coroutine[Any, Any, None]]


def run_coroutine_test(item: pytest.Function, run: Callable[[Test], object]) -> bool | None:
    """Run a test that is a coroutine function; return None for another one, which pytest itself runs."""
    if not iscoroutinefunction(item.obj):
        return None
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    run(lambda: item.obj(**arguments))
    return True
