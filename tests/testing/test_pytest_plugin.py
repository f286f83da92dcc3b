"""The fixtures, as a laboratory's pytest finds them: by the entry point, in a folder of its own."""

import json
import subprocess
import sys

import pytest

import rig.testing  # noqa: F401  what an inner run of pytest is the first to import is dropped after it

pytest_plugins = ("pytester",)

TEST = """
from rig.testing import poke

def test_a_poke_is_paid(run_session):
    session = run_session("free_water", [poke(1.0, "left")], stop={"session_s": 10})
    assert session.rows[0].outcome == "rewarded"
    assert session.driver.accepts_models
"""

OTHERS = ("dandi", "dandischema", "zarr", "platformdirs")
"""Plugins of other packages that are installed here; importing them takes seconds."""
QUIET = ("-q", "-p", "no:cacheprovider", *(word for name in OTHERS for word in ("-p", f"no:{name}")))
HEAVY = ("asyncio", "pydantic", "yaml", "numpy", "rig.session", "rig.testing", "sim_hardware", "serial")


def test_a_laboratorys_test_uses_the_fixture_without_an_import(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_lab=TEST)
    answer = pytester.runpytest_inprocess(*QUIET, "-W", "error", "--rig-board", "sim")
    answer.assert_outcomes(passed=1)


def test_a_board_that_is_not_there_is_named_with_those_that_are(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_lab=TEST)
    answer = pytester.runpytest_inprocess(*QUIET, "--rig-board", "simm")
    answer.assert_outcomes(failed=1)
    answer.stdout.fnmatch_lines("*driver 'simm' is not installed; did you mean 'sim'?*")


def test_the_plugin_imports_next_to_nothing_of_ours_until_a_fixture_is_used() -> None:
    code = (
        "import sys, pytest, json; before = set(sys.modules); import rig.pytest_plugin; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in json.loads(run.stdout) if name.startswith(HEAVY)] == []
