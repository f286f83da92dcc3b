"""The window is another process: what becomes of it is no matter of the session's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from rig.core.journal.kinds import StateLine
from tests.cli.conftest import BANDIT
from tests.cli.processes import journal, posix, reason, start, until
from tests.repository import ROOT
from tests.screen_tools import display as x_display
from tests.screen_tools import need_screen_tools
from tests.tables import rows
from tests.window.journals import JournalWriter

pytestmark = [posix, pytest.mark.slow, pytest.mark.real_time]

RUN = ("run", *map(str, BANDIT), "--model", "rflr", "--subject", "M1", "--yes", "--seed", "1", "--window")


@pytest.fixture(autouse=True)
def display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    need_screen_tools()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("RIG_DATA", str(tmp_path / "data"))


def windows() -> list[int]:
    """The windows of this test's data."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"rig.window" in words and os.environ["RIG_DATA"].encode() in words:
            found.append(int(folder.name))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the window in /proc")
@pytest.mark.parametrize("harm", [signal.SIGKILL, signal.SIGSTOP])
def test_a_window_that_is_killed_or_stopped_does_not_touch_the_session(harm: signal.Signals, tmp_path: Path) -> None:
    process = start(*RUN, "--set", "stop.session_s=6")
    window = 0
    try:
        (window,) = until(windows)
        until(lambda: any(isinstance(line, StateLine) for line in journal(tmp_path)))
        os.kill(window, harm)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        for pid in windows():
            os.kill(pid, signal.SIGKILL)
    assert process.returncode == 0, err
    assert reason(tmp_path) == "time_limit"
    assert ("the window has failed (signal 9)" in err) == (harm == signal.SIGKILL)


def test_a_window_that_cannot_open_is_told_and_the_session_is_undisturbed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", ":987")
    process = start(*RUN, "--set", "stop.session_s=5")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "the window has failed" in err
    assert reason(tmp_path) == "time_limit"


def test_a_window_whose_output_is_never_read_goes_on(tmp_path: Path) -> None:
    """Its pipe is full from the beginning, and its journal ends in nonsense."""
    writer = JournalWriter(tmp_path / "journal.jsonl")
    writer.append(b"\xffnonsense\n" + writer.line("state", 5, name="ready")[:9])
    read, write = os.pipe()
    os.set_blocking(write, False)
    while True:
        try:
            os.write(write, b"x" * 65536)
        except BlockingIOError:
            break
    os.set_blocking(write, True)
    command = [sys.executable, "-m", "rig.cli.main", "watch", "--window", str(writer.path)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=write, stderr=write)
    try:
        child = until(lambda: _children(process.pid))
        until(lambda: _cpu_s(child[0]) > 0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        os.kill(child[0], signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(read)
        os.close(write)


def test_ctrl_c_ends_the_window_also_where_qt_swallows_it(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "journal.jsonl")
    process = start("watch", "--window", str(writer.path))
    try:
        (child,) = until(lambda: _children(process.pid))
        until(lambda: _cpu_s(child) > 0.1)
        process.send_signal(signal.SIGINT)  # to the command alone: none reaches the window
        assert process.wait(30) == 0
        assert not Path(f"/proc/{child}").exists()
    finally:
        process.kill()
        process.communicate()


def test_a_real_window_is_on_the_display_and_a_key_closes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter(tmp_path / "journal.jsonl")
    for number in range(1, 50):
        writer.write("state", 1_000_000 * number, name=("ready", "choose")[number % 2])
        writer.trial(number, 1_000_000 * number + 5)
    picture = tmp_path / "window.png"
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    with x_display() as name:
        monkeypatch.setenv("DISPLAY", name)
        command = [sys.executable, "-m", "tests.window.pressed_window", str(writer.path), str(picture)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    pixels = cv2.imread(str(picture))
    assert (pixels.reshape(-1, 3).max(axis=0) - pixels.reshape(-1, 3).min(axis=0) > 100).all(), "it is drawn"
    assert pixels.mean() < 80, "it is dark"


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _cpu_s(pid: int) -> float:
    fields: list[Any] = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@rows("words", "why")
def test_what_cannot_be_shown_is_refused_with_a_reason(words: list[str], why: str) -> None:
    process = start(*words)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert why in err
