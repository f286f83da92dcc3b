"""The running display is another process: what becomes of it is no matter of the session's, and it outlives none."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.cli.terminal import display as module
from rig.cli.terminal.display import Display
from tests.cli.conftest import Rig
from tests.cli.processes import begun, posix, reason, until
from tests.cli.pseudo_terminal import PACED, SHORT, terminal

pytestmark = [posix, pytest.mark.real_time]


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds children in /proc")


@pytest.fixture
def displayed() -> None:
    """Displays are started here."""


@pytest.mark.parametrize("columns", [80, 200])
def test_a_terminal_shows_a_panel_and_in_the_end_only_the_end_screen(data: Path, columns: int) -> None:
    with terminal(*SHORT, "--speed", "100", columns=columns) as screen:
        assert screen.ends() == 0
    assert "Ctrl-C stops" in screen.text
    assert " of 4:00, " in screen.text
    end = screen.text.rpartition("╯")[2]
    assert end.count("\x1b[2K") >= 9, "the panel is erased"
    assert "the time limit was reached" in end
    assert "\x1b[?25h" in end
    assert "Traceback" not in screen.text


@linux
def test_a_display_that_is_killed_harms_nothing(rig: Rig, data: Path) -> None:
    with terminal(*SHORT, "--speed", "100") as screen:
        until(lambda: screen.shows("M1, two_armed_bandit"))
        (display,) = screen.displays()
        os.kill(display, signal.SIGKILL)
        assert screen.ends() == 0
    assert screen.text.rpartition("╯")[2].startswith(("\x1b[0m", "\r", "\x1b[?25h"))
    assert "\x1b[?25h" in screen.text, "the cursor is shown again"
    assert "the time limit was reached" in screen.text
    assert rig("replay", next(data.rglob("001"))).status == 0


@linux
def test_ctrl_c_is_for_the_session_and_the_display_ends_with_it(data: Path) -> None:
    with terminal(*PACED, "--speed", "20") as screen:
        until(lambda: screen.shows("M1, two_armed_bandit") and begun(data))
        (display,) = screen.displays()
        os.write(screen.master, b"\x03")
        assert screen.ends() == 130
    assert not Path(f"/proc/{display}").exists()
    assert "stopped by the operator" in screen.text
    assert "Traceback" not in screen.text
    assert "KeyboardInterrupt" not in screen.text


@linux
def test_a_terminal_that_is_closed_ends_session_and_display_and_the_records_are_whole(data: Path) -> None:
    with terminal(*PACED, "--speed", "20") as screen:
        until(lambda: screen.shows("M1, two_armed_bandit") and begun(data))
        (display,) = screen.displays()
        os.close(screen.master)
        assert screen.process.wait(20) == 130
        until(lambda: not Path(f"/proc/{display}").exists())
    assert reason(data) == "operator"
    assert len(list(data.rglob("trials.csv"))) == 1


@linux
def test_a_display_whose_program_is_killed_says_so_and_ends(data: Path) -> None:
    with terminal(*PACED, "--speed", "20") as screen:
        until(lambda: screen.shows("M1, two_armed_bandit") and begun(data))
        (display,) = screen.displays()
        screen.process.kill()
        until(lambda: screen.shows("rig recover") or not Path(f"/proc/{display}").exists())
        screen.shows("\0")
    assert "the program that ran the session has gone" in screen.text


def test_where_there_is_no_terminal_lines_are_plain(data: Path, child: Callable[..., "subprocess.Popen[str]"]) -> None:
    with child(*SHORT, "--speed", "100000", "--json") as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "\x1b" not in out + err
    assert "50 trials, " in err
    assert json.loads(out)["sessions"][0]["reason"] == "time_limit"


def test_a_display_that_cannot_be_started_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.sys, "executable", str(tmp_path / "nowhere"))
    with Display(real_time=True) as display:
        display.start(tmp_path)


def test_a_display_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\nexec sleep 1000\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(module.sys, "executable", str(sleeper))
    monkeypatch.setattr(module, "CLOSE_TIMEOUT_S", 0.1)
    began = time.monotonic()
    with Display(real_time=True) as display:
        display.start(tmp_path)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("error", [KeyboardInterrupt, subprocess.TimeoutExpired("rig.live", 2)])
def test_a_second_ctrl_c_does_not_wait_for_the_last_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Any
) -> None:
    communicate = subprocess.Popen.communicate

    def interrupted(process: Any, *arguments: Any) -> Any:
        if arguments:  # the first time
            raise error
        return communicate(process)

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with Display(real_time=True) as display:
        display.start(tmp_path)


def test_signals_are_not_held_up_in_the_session(tmp_path: Path) -> None:
    with Display(real_time=True) as display:
        display.start(tmp_path)
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


SLEEPER = """
from dataclasses import dataclass

from rig import Next, Port, Row, Task, TaskParams, state


@dataclass
class Box:
    left: Port


class Sleeper(Task[TaskParams, Box, Row]):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.sleep(2)
        __import__("time").sleep(60)
        return self.wait
"""


def test_a_protocol_that_does_not_come_back_is_said_while_it_does_not(tmp_path: Path) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    (tmp_path / "sleeper.yaml").write_text(
        "protocol: ./sleeper.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 600, max_rewards: 1}\n"
    )
    words = ("run", tmp_path / "sleeper.yaml", "--subject", "M1", "--model", "rflr", "--yes", "--data", tmp_path / "d")
    with terminal(*words) as it:
        until(lambda: it.shows("has not come back for"))
