"""Programs that outlive the one that started them."""

import os
import sys
from pathlib import Path

import pytest

from rig.system.processes import start_detached

pytestmark = pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX")


def test_a_program_writes_to_its_log_and_is_in_a_session_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "a.log"
    program = "import os, sys; print(os.getsid(0) == os.getpid(), sys.stdin.read() == '')"
    for _ in range(2):
        assert start_detached([sys.executable, "-c", program], log).wait(30) == 0
    assert log.read_text() == "True True\n" * 2


@pytest.mark.skipif(sys.platform != "linux", reason="processors are chosen on Linux")
@pytest.mark.parametrize("is_there", [True, False])
def test_a_program_gets_its_processors_or_all_of_them(tmp_path: Path, *, is_there: bool) -> None:
    cpus = [min(os.sched_getaffinity(0)) if is_there else 100_000]
    process = start_detached(["sleep", "60"], tmp_path / "log", cpus)
    try:
        usable = set(cpus) & os.sched_getaffinity(0) or os.sched_getaffinity(0)
        assert os.sched_getaffinity(process.pid) == usable
    finally:
        process.kill()
        process.wait()
