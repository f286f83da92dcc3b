"""A computer without scipy: searches are simulated, analyzed and exported; only fits and tests need it."""

import subprocess
import sys
from pathlib import Path

import pytest

ABSENT = """
import sys
sys.modules["scipy"] = None  # an import of it fails, as where it is not installed
from rig.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def rig(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ABSENT, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the session of one participant."""
    path = tmp_path_factory.mktemp("plain")
    done = rig(path, "sim", "grid_bandit", "--model", "local_search", "--subject", "P1", "--seed", "1", "--data", ".")
    assert done.returncode == 0, done.stderr
    return path


def test_sessions_are_analyzed(folder: Path) -> None:
    done = rig(folder, "analyze", "sim")
    assert (done.returncode, "reward of a click" in done.stdout) == (0, True), done.stderr


def test_sessions_are_exported(folder: Path) -> None:
    done = rig(folder, "searches", "export", "sim", "--to", "clicks.csv")
    assert (done.returncode, done.stdout) == (0, "1 session, 240 clicks: clicks.csv\n"), done.stderr
