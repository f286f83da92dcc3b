"""What the tests of the real window need: Qt, its libraries, and a display. In CI they must be there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

PECKING_WINDOW = Path(__file__).parent / "screen" / "pecking_window.py"
INSTALL = "make test-tools names the packages"


def need_screen_tools() -> None:
    """Skip the test where Qt, one of its libraries or Xvfb is absent; fail it in CI."""
    if why := _absent():
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)


@cache
def _absent() -> str:
    program = "import PySide6.QtTest, PySide6.QtWidgets"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{done.stderr.strip().splitlines()[-1]}: {INSTALL}"
    return "" if shutil.which("Xvfb") else f"there is no Xvfb: {INSTALL}"


@contextmanager
def display() -> Iterator[str]:
    """Run an X server without a monitor; give its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as said:
            yield f":{said.readline().strip()}"
    finally:
        server.terminate()
        server.wait()
