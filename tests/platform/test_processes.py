"""Programs of this computer that run, or have ended."""

import os
import subprocess
import sys

import pytest

from rig.platform.processes import is_running, start_mark

pytestmark = pytest.mark.skipif(os.name == "nt", reason="asks as POSIX does")


def test_a_program_that_has_ended_does_not_run_though_its_parent_has_not_asked() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    assert is_running(os.getpid())
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_running(process.pid) is (sys.platform != "linux")
    process.wait()
    assert not is_running(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells programs with one number apart")
def test_a_later_program_with_the_same_number_is_another_one() -> None:
    mark = start_mark(os.getpid())
    assert is_running(os.getpid(), mark)
    assert not is_running(os.getpid(), f"{mark}0")
