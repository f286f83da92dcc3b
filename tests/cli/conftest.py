"""The command line as a user meets it: words in, an exit status and two texts out."""

import asyncio
import datetime
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.boards import identify
from rig.boards.driver_lookup import Connection
from rig.boards.ports import SerialPort
from rig.boards.transport import Transport
from rig.cli import common
from rig.cli import subject_names as newcomers_module
from rig.cli.board import list as board_list
from rig.cli.main import main
from rig.cli.run import before as begin_module
from rig.cli.run import overrides as overrides_module
from rig.cli.run import session as run_module
from rig.cli.terminal import prompt as ask_module
from rig.cli.terminal.display import Display
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from rig.core.model.rig_spec import SimulationOptions
from rig.jobs import open_engine
from rig.session.run import run_session as perform_module
from sim_hardware.board.board import SimBoard
from sim_hardware.link_model import CableTransport, SerialCable
from sim_hardware.loop import VirtualLoop
from tests.harness import CollectorLeftAlone
from tests.session.real_driver import RealBoardDriver

BANDIT = ("two_armed_bandit", "--model", "rflr", "--start", "2026-11-21T09:00", "--set", "stop.session_s=60")
NEW_SUBJECT = ("--subject", "M1", "--yes", "--new", "--override", "weight=a test")
"""An animal that is here for the first time, and was not weighed."""


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str


Rig = Callable[..., Said]


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ``--jobs`` sessions run in this process on every computer, so that tests can replace parts of them."""
    monkeypatch.setattr(open_engine, "default_jobs", lambda: 1)


@pytest.fixture(autouse=True)
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders of the sessions of this process, which do without what takes long.

    A display is a program whose imports cost 0.1 s; a full collection of all that tests have imported takes 0.2 s.
    """
    monkeypatch.setattr(perform_module, "GcPaused", CollectorLeftAlone)
    folders: list[Path] = []
    monkeypatch.setattr(Display, "start", lambda display, folder: folders.append(folder))
    return folders


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where records go without --data."""
    folder = tmp_path / "records"
    monkeypatch.setenv("RIG_DATA", str(folder))
    return folder


@pytest.fixture
def rig(data: Path, capfd: pytest.CaptureFixture[str]) -> Rig:
    """What this process and those that it starts say."""

    def run(*words: Any) -> Said:
        capfd.readouterr()
        try:
            status: Any = main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert status in (0, 1, 2, 3, 130)
        return Said(status, out, err)

    return run


def rig_at(data: Path, port: str) -> Path:
    """Write the file of a rig whose board is real, at a port, and whose calibrations do not age."""
    path = data.parent / "rigs" / "far.yaml"
    path.parent.mkdir()
    path.write_text(
        f"calibration_max_days: null\nboards:\n  uno: {{driver: serial, port: {port}, reference: true}}\n"
        "devices:\n"
        "  left:   {kind: port, beam: 6, light: 10, valve: 3, calibration: sim_left}\n"
        "  center: {kind: port, beam: 5, light: 8}\n"
        "  right:  {kind: port, beam: 7, light: 9, valve: 4, calibration: sim_right}\n"
    )
    return path


@pytest.fixture
def far(data: Path) -> Path:
    """A rig with a real board that is not there."""
    return rig_at(data, "/dev/nowhere")


class Inhabited(RealBoardDriver):
    """A board that passes for a real one, with an animal before it."""

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        loop = VirtualLoop(t_max=10_000)
        loop.call_soon_threadsafe = loop.call_soon  # type: ignore[method-assign]
        return loop

    def connect(self, plan: Any, rehearsal: SimulationOptions) -> Connection:
        return super().connect(plan, SimulationOptions("rflr", hints=rehearsal.hints, seed=rehearsal.seed))


@pytest.fixture
def real(rig: Rig, data: Path, far: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """Run a session of a real animal in virtual time; the first word is the moment that the clock shows."""

    def run(moment: str, *words: Any, protocol: str = "two_armed_bandit") -> Said:
        task = () if "--curriculum" in words else (protocol,)
        weight = () if "--weight-g" in words else ("--override", "weight=a test")
        usual = ("--subject", "M1", "--rig", far, "--yes", *weight, "--set", "stop.session_s=60")
        seed = () if "--seed" in words else ("--seed", "1")
        new = () if any(data.glob("M1/*")) else ("--new",)
        with monkeypatch.context() as here:
            here.setattr(common, "now", lambda: datetime.datetime.fromisoformat(moment))
            for module in (run_module, perform_module):
                here.setattr(module, "find_driver", lambda name: Inhabited())
            return rig("run", *task, *usual, *seed, *new, *words)

    return run


@functools.cache
def _recorded() -> tempfile.TemporaryDirectory[str]:
    """The records of a virtual mouse's minute."""
    folder = tempfile.TemporaryDirectory(prefix="rig-recorded")
    assert main(["sim", *BANDIT, "--subject", "M1", "--data", folder.name]) == 0
    return folder


@pytest.fixture
def session(data: Path) -> Path:
    """A session of a minute that has ended well; each test has a copy of its own."""
    shutil.copytree(_recorded().name, data, dirs_exist_ok=True)
    return data / "sim" / "M1" / "2026-11-21" / "001"


@pytest.fixture
def child() -> Callable[..., subprocess.Popen[str]]:
    def start(*words: Any, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "rig.cli.main", *map(str, words)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
        return subprocess.Popen(command, text=True, env=os.environ | {"TERM": "dumb"}, **pipes)

    return start


COURSE = """\
# Water for two days, then the task.
stages:
  water:
    protocol: two_armed_bandit_stage1
    manual_steps: bait the ports
    rules:
      - to: task
        when:
          - {sessions: 2}
          - {label: rewards, count: {rewarded: 1}, at_least: 5}
  task:
    protocol: two_armed_bandit
    params: {p_high: 0.9}
    rules:
      - to: end
        when: [{sessions: 2}]
"""

Write = Callable[..., Path]


@pytest.fixture
def course(tmp_path: Path) -> Write:
    """A short curriculum, with changes."""

    def write(*changes: tuple[str, str]) -> Path:
        text = COURSE
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path = tmp_path / "lab" / "curricula" / "course.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


UNO = SerialPort("/dev/ttyACM0", "Arduino Uno", 0x2341, 0x43, "5573")
HELD = SerialPort("/dev/ttyACM1", "Arduino Mega", 0x2341, 0x42, None, "process 41 (rig run free_water)")
SCALE = SerialPort("/dev/ttyUSB0", "a scale")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Boards behind the ports; which of them were opened."""
    ports: list[str] = []

    def open_(port: str, baud: int) -> Transport:
        ports.append(port)
        if port != UNO.device:
            raise BoardNotFoundError(f"{port}: permission denied")
        cable = SerialCable(running())
        board = SimBoard(running(), cable.to_host.send, lambda pin, level: None)
        cable.to_board.deliver = board.receive
        return CableTransport(cable)

    monkeypatch.setattr(identify, "opened", open_)
    monkeypatch.setattr(board_list, "ports_here", lambda: [UNO, HELD, SCALE])
    return ports


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Put a person at the terminal who types these lines; return the questions that they are asked."""

    def person(*lines: str) -> list[str]:
        left, asked = list(lines), list[str]()

        def ask(question: str) -> str | None:
            asked.append(question)
            return left.pop(0) if left else None

        for module in (begin_module, newcomers_module, ask_module, overrides_module):
            monkeypatch.setattr(module, "is_interactive", lambda: True)
            monkeypatch.setattr(module, "ask", ask, raising=False)
        monkeypatch.setattr(ask_module, "discard_typed", lambda: None)
        return asked

    return person


@pytest.fixture
def morning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ada work on the morning of 2026-11-21, at a terminal of 120 columns."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 8))
