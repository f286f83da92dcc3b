"""The fixtures, as a laboratory's pytest finds them: by the entry point, in a folder of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

TEST = """
from rig.testing import poke

def test_a_poke_is_paid(run_session):
    session = run_session("free_water", [poke(1.0, "left")], stop={"session_s": 10})
    assert session.rows[0].outcome == "rewarded"
    assert session.driver.accepts_models
"""

HEAVY = ("asyncio", "pydantic", "yaml", "numpy", "rig.session", "rig.testing", "sim_hardware", "serial")


def test_a_laboratorys_test_uses_the_fixture_without_an_import(tmp_path: Path) -> None:
    (tmp_path / "test_lab.py").write_text(TEST)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "--rig-board", "sim"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


def test_a_board_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "test_lab.py").write_text(TEST)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rig-board", "simm"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "driver 'simm' is not installed; did you mean 'sim'?" in run.stdout


def test_the_plugin_imports_next_to_nothing_of_ours_until_a_fixture_is_used() -> None:
    code = (
        "import sys, pytest, json; before = set(sys.modules); import rig.pytest_plugin; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in json.loads(run.stdout) if name.startswith(HEAVY)] == []
