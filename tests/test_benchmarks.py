"""The benchmarks can be started: they use the names that the program has now."""

from importlib import import_module

import pytest

from benchmarks.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_started(name: str) -> None:
    assert callable(import_module(f"benchmarks.{name}").measure)
