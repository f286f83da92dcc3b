"""Skip a test where a tool is missing; in CI a missing tool is a failure."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

FIRMWARE = Path(__file__).parents[2] / "firmware"


def needs(*tools: str) -> None:
    """Skip the test unless all of these programs are there."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"needs {', '.join(missing)}")
    assert not missing, f"CI must have {', '.join(missing)}"


def run_make(target: str, build: Path, sources: Path = FIRMWARE, *variables: str) -> subprocess.CompletedProcess[str]:
    """Make a target of the firmware with a build folder of its own."""
    command = ["make", "-C", str(sources), "--no-print-directory", "-j2", f"BUILD={build}", *variables, target]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make(target: str, build: Path, sources: Path = FIRMWARE, *variables: str) -> str:
    """Make a target, and check that it was made; return what was printed."""
    done = run_make(target, build, sources, *variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make_shared(target: str) -> str:
    """Make a target in the folder that all tests share, so that each program is built once."""
    build = FIRMWARE / "build"
    build.mkdir(exist_ok=True)
    with FileLock(build / ".lock"):  # that of `sim_hardware.avr.firmware`
        return make(target, build)
