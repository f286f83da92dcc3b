"""Two boxes with boards at ports in real time: a supervisor or a session that is killed disturbs nothing else."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.header import Footer
from rig.core.journal.kinds import TrialLine
from rig.session.replay import replay_lines
from tests.cli.processes import journal, start
from tests.supervisor.boxes_at_ports import BoxesAtPorts

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux", reason="ports are pseudo-terminals, and processes are looked up in /proc"
    ),
    pytest.mark.real_time,
    pytest.mark.slow,
]
WITHIN_S = 60.0
LEASE_S = 2.0
BUSY_S = 3.0
"""What a computer on which other tests run may add."""
ANSWERS = ("--yes", "--today", "one.override=weight=a test", "--today", "two.override=weight=a test")


class Laboratory(BoxesAtPorts):
    """Two boards with an animal each at ports, and the programs that are started."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ("one", "two"))
        self._environment = {"RIG_DATA": str(self.data)}
        self._programs: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        program = start(*words, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert program.stdout is not None
        os.set_blocking(program.stdout.fileno(), False)
        self._programs.append(program)
        return program

    def run(self) -> subprocess.Popen[str]:
        return self.start("run", "--boxes", str(self.file), *ANSWERS)

    def trials(self, subject: str) -> int:
        return sum(isinstance(line, TrialLine) for line in journal(self.data / subject))

    async def close(self) -> None:
        for program in self._programs:
            program.kill()
            program.communicate()
        await super().close()


async def until(true: Callable[[], Any], within_s: float = WITHIN_S) -> float:
    """Return how long it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < within_s, "it never happened"
        await asyncio.sleep(0.01)
    return time.monotonic() - began


def saying(program: subprocess.Popen[str], said: list[str], pattern: str) -> Callable[[], bool]:
    def has_said() -> bool:
        assert program.stdout is not None
        with suppress(BlockingIOError):
            said.append(os.read(program.stdout.fileno(), 1 << 16).decode())
        return re.search(pattern, "".join(said)) is not None

    return has_said


async def story(laboratory: Laboratory) -> None:
    said: list[str] = []
    supervisor = laboratory.run()
    await until(lambda: min(laboratory.trials("M1"), laboratory.trials("M2")) > 3)

    # One session dies. It is told within a second, its outputs go off by the lease, and the other goes on.
    os.kill(laboratory.pids["one"], signal.SIGKILL)
    told_s = await until(
        saying(supervisor, said, r"one: M1: ended: its program ended unexpectedly: killed by signal 9")
    )
    assert told_s < BUSY_S + 1.0
    await until(lambda: not laboratory.chips["one"].on, LEASE_S + BUSY_S)
    before = laboratory.trials("M2")
    await until(lambda: laboratory.trials("M2") > before + 2)

    # The supervisor dies too. The session goes on, and another supervisor takes it up, and ends it.
    supervisor.kill()
    supervisor.wait()
    before = laboratory.trials("M2")
    await until(lambda: laboratory.trials("M2") > before + 2)
    said.clear()
    attached = laboratory.start("session", "attach")
    await until(saying(attached, said, r"one: M1: ended: its program ended unexpectedly[^§]*two: M2: records: "))
    laboratory.start("session", "reward", "left")
    ended = laboratory.start("session", "end", "--subject", "M2")
    await until(lambda: ended.poll() is not None)
    await until(lambda: attached.poll() is not None)
    saying(attached, said, "")()
    assert attached.returncode == 1, "".join(said)
    assert "two: M2: ended: stopped by the operator" in "".join(said)
    assert "PANIC" not in "".join(said)


def test_a_session_and_a_supervisor_that_are_killed_disturb_nothing_else(tmp_path: Path, runtime: Path) -> None:
    async def main() -> Laboratory:
        laboratory = Laboratory(tmp_path)
        try:
            await story(laboratory)
            return laboratory
        finally:
            await laboratory.close()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        laboratory = runner.run(main())
    footer = journal(laboratory.data / "M2")[-1]
    assert isinstance(footer, Footer)
    assert (footer.reason, footer.lease_expirations, footer.complete) == ("operator", 0, True)
    assert replay_lines(journal(laboratory.data / "M2"))[1] is None
    assert len(journal(laboratory.data / "M1")) > 10
