"""`make determinism`, as far as one Python can tell, and what it says when a Python is missing."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "determinism.py"


@pytest.fixture
def determinism(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("determinism", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "determinism", module)
    spec.loader.exec_module(module)
    return module


def test_a_session_is_the_same_under_two_hash_seeds() -> None:
    command = [sys.executable, str(SCRIPT), "--present", "--session-s", "60"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 sessions: identical" in done.stdout


def test_missing_pythons_are_named(
    determinism: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(determinism, "PYTHONS", ("3.98", "3.99"))
    assert determinism.main([]) == 1
    assert "missing: Python 3.98, 3.99" in capsys.readouterr().out


def test_the_interpreter_that_runs_is_found(determinism: ModuleType) -> None:
    found = determinism.find_python(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert found is not None


def test_journals_that_differ_are_status_1(
    determinism: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(determinism, "session", lambda python, seed, hash_seed, session_s: f"{seed}{hash_seed}")
    assert determinism.main(["--present"]) == 1
    assert "seed 2: 2 different journals" in capsys.readouterr().out


def test_a_session_that_fails_is_status_1(determinism: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert determinism.main(["--present", "--session-s", "never"]) == 1
    assert "stop.session_s" in capsys.readouterr().out
