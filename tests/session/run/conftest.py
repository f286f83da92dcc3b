"""A test that is a coroutine function runs in virtual time."""

import pytest

from sim_hardware.loop import run
from tests.coroutine_tests import run_coroutine_test


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    return run_coroutine_test(pyfuncitem, lambda test: run(test()))
