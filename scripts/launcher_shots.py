"""Pictures of the launcher, light and dark: a morning at four boxes, whose facts and questions the commands have given.

Two sessions run: seeded simulated ones, whose journals are copied up to their middle.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from rig.cli.main import main as rig
from rig.cli.terminal import prompt
from rig.platform.processes import start_mark
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from rig.window.launcher.program import Line
from scripts.pictures import application, png
from scripts.window_shots import FOLDER, START, Shot, journal_of

if TYPE_CHECKING:
    from rig.window.launcher.launcher_window import LauncherWindow

NOW = datetime.datetime.fromisoformat(START)
SIZES = {"": (1280, 800), "_small": (800, 600)}
SHIPPED = Path(__file__).parents[1] / "configs"
TURNS = 12
WAIT_S = 0.05
VALVES = {"box_1": ("2026-11-18", ""), "box_2": ("2026-11-19", ""), "box_3": ("2026-11-17", "2.2")}
"""The day of each box's calibration, and the volume that its last check found in the place of 2.5 ul."""
BOXES = """\
defaults: {rig: box_1, protocol: two_armed_bandit}
boxes:
  box_1: {subject: M12, curriculum: two_armed_bandit}
  box_2: {subject: M13, rig: box_2}
  box_3: {subject: M14, rig: box_3, protocol: free_water}
  maze: {subject: R4, rig: maze, protocol: delay_discounting}
"""
BEFORE = (
    ("add", "M12", "--species", "mouse", "--baseline-g", "25.6", "--baseline-date", "2026-11-01"),
    ("add", "M13", "--species", "mouse", "--baseline-g", "24.8", "--baseline-date", "2026-11-01"),
    ("add", "M14", "--species", "mouse", "--baseline-g", "26.1", "--baseline-date", "2026-11-01"),
    ("add", "R4", "--species", "rat", "--baseline-g", "310", "--baseline-date", "2026-11-01"),
    ("weigh", "M12", "23.1"),
    ("weigh", "M13", "22.7"),
    ("weigh", "M14", "23.0", "--at", "yesterday 09:10"),
    ("weigh", "R4", "268"),
)


class _Played:
    """A command that has printed its lines, and waits for an answer or has ended."""

    def __init__(self, words: Sequence[str], lines: Sequence[Line], status: int | None) -> None:
        self.words = words
        self.status: int | None = None
        self._lines, self._status = list(lines), status

    def lines(self) -> Iterator[Line]:
        """Yield what it has printed."""
        while self._lines:
            yield self._lines.pop(0)
        self.status = self._status

    def answer(self, text: str) -> None:
        """Handle no answer: the picture shows the question."""

    def leave(self) -> None:
        """End nothing."""


def _run(words: Sequence[str]) -> _Played:
    """Run a command up to its first question, which is not answered."""
    printed, errors = io.StringIO(), io.StringIO()
    asks = words[0] == "run"
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(errors),
        patch.object(prompt, "_asks_by_records", asks),
        patch("sys.stdin", io.StringIO("")),
    ):
        status = rig(list(words))
    lines = [Line(text, is_error) for file, is_error in ((printed, False), (errors, True)) for text in _lines(file)]
    if asks:
        question = next(index for index, line in enumerate(lines) if line.text.startswith("\x1e"))
        lines = lines[: question + 1]
    return _Played(words, lines, None if asks else status)


def _lines(file: io.StringIO) -> list[str]:
    return file.getvalue().removesuffix("\n").split("\n")


def _laboratory(folder: Path) -> None:
    """Write the files of a laboratory, and what was recorded of its animals."""
    configs = folder / "configs"
    for kind in ("rigs", "calibrations", "boxes", "protocols"):
        (configs / kind).mkdir(parents=True)
    shutil.copy(SHIPPED / "protocols" / "free_water.yaml", configs / "protocols")
    (configs / "boxes" / "mice.yaml").write_text(BOXES)
    for name, (day, ul) in VALVES.items():
        checks = f"checks: [{{date: 2026-11-20, open_ms: 40, ul: {ul}, by: anna}}]\n" if ul else ""
        devices = [f"  {side}: {{calibration: {side}_{name}}}\n" for side in ("left", "right")]
        for side in ("left", "right"):
            text = f"extends: {side}_2026-11-03.yaml\ndate: {day}\n{checks if side == 'left' else ''}"
            (configs / "calibrations" / f"{side}_{name}.yaml").write_text(text)
        port = f"boards: {{uno: {{port: /dev/{name}}}}}\ndevices:\n"
        (configs / "rigs" / f"{name}.yaml").write_text(f"extends: nose_ports_uno.yaml\n{port}{''.join(devices)}")
    maze = "extends: t_maze_uno.yaml\nboards: {uno: {port: /dev/maze}}\n"
    (configs / "rigs" / "maze.yaml").write_text(maze)
    for words in BEFORE:
        _quiet(["subject", *words])
    _quiet(["device", "fill", "maze", "left_feeder", "--pellets", "420"])
    _quiet(["device", "fill", "maze", "right_feeder", "--pellets", "38"])


def _quiet(words: Sequence[str]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        if rig(list(words)):
            raise RuntimeError(f"rig {' '.join(words)}: {errors.getvalue()}")


def _start_sessions(data: Path) -> None:
    """Write the list of the sessions that run, with this program for that of each."""
    for number, (box, subject, share) in enumerate((("box_1", "M12", 0.5), ("box_2", "M13", 0.3))):
        journal = journal_of(Shot(subject, "two_armed_bandit", "rflr", share=share), data)
        pid = os.getppid() if number else os.getpid()
        started = StartedSession(box, subject, pid, "log", START, host=this_computer(), mark=start_mark(pid))
        StartedSessions(data).add(started)
        StartedSessions(data).add_folder(pid, started.mark, journal.parent)


@contextlib.contextmanager
def _morning(folder: Path) -> Iterator[Path]:
    """Set the clock to the morning of the sessions, in the folder of a laboratory; yield its data folder."""
    data = folder / "data"
    environment = {"RIG_DATA": "data", "RIG_EXPERIMENTER": "anna", "COLUMNS": "80"}
    with contextlib.chdir(folder), patch.dict(os.environ, environment), patch("rig.cli.common.now", lambda: NOW):
        _laboratory(folder)
        _start_sessions(data)
        yield data


def draw(data: Path, name: str, act: Callable[[LauncherWindow], None] = lambda window: None) -> Mapping[Path, bytes]:
    """Draw the launcher in both sizes, light and dark, after an act of a person."""
    application()
    from rig.window.launcher.commands import Commands
    from rig.window.launcher.launcher_window import LauncherWindow
    from rig.window.launcher.roster import Roster
    from rig.window.theme import DARK, LIGHT

    files = {}
    for theme in (LIGHT, DARK):
        window = LauncherWindow(Commands("mice", experimenter="anna"), Roster(data), _run, theme)
        window.start()
        for suffix, size in SIZES.items():
            window.resize(*size)
            _settle()
            if not window.is_asking:
                act(window)
            _settle()
            files[FOLDER / f"{name}{suffix}_{theme.name}.png"] = png(window.grab())
        window.close()
    return files


def _settle() -> None:
    for _ in range(TURNS):
        application().processEvents()
        time.sleep(WAIT_S)


def _start_third(window: LauncherWindow) -> None:
    for key in "3s":
        window.press(key)


def pages() -> Mapping[Path, bytes]:
    """Draw the cards, and a question."""
    with TemporaryDirectory() as folder, _morning(Path(folder)) as data:
        cards = draw(data, "launcher")
        return {**cards, **draw(data, "launcher_question", _start_third)}
