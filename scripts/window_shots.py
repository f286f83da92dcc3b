"""Pictures of the window, light and dark, from seeded simulated sessions of the shipped protocols.

A session is shown in its middle, as a person sees it while it runs: its journal is copied up to there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from rig.cli.main import main as rig
from rig.records.journal.read import JOURNAL
from scripts.pictures import application, png

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from rig.window.main_window import MainWindow
    from rig.window.theme import Theme

FOLDER = Path(__file__).parents[1] / "docs" / "window"
START = "2026-11-21T09:00"
SIZE = (1700, 1000)
MOST_S = 60.0


class Shot(NamedTuple):
    """A session to draw, further words of its command, and the share of it that is shown."""

    subject: str
    protocol: str
    model: str
    words: Sequence[str] = ()
    share: float = 0.6


SHOTS: Mapping[str, Shot] = {
    "two_armed_bandit": Shot("M1", "two_armed_bandit", "rflr"),
    "delay_discounting": Shot("R1", "delay_discounting", "rat", ("--rig", "sim_t_maze_tracked")),
    "disk_bandit": Shot("P1", "disk_bandit", "pigeon"),
    "disk_bandit_human": Shot("S1", "disk_bandit_human", "human", share=0.9),
    "grid_bandit": Shot("S2", "grid_bandit", "gp_ucb"),
    "risky_bandit": Shot("S3", "risky_bandit_exp2", "gp_pos"),
    "free_water": Shot("M2", "free_water", "random_explorer"),
}
WALL = "wall"
ON_WALL = ("two_armed_bandit", "delay_discounting", "disk_bandit", "disk_bandit_human")


class _Running:
    """Has this program for that of every session, so that the buttons are those of a running one."""

    has_looked = True

    def __init__(self, journals: Sequence[Path]) -> None:
        self._found = {journal.parent.resolve(): os.getpid() for journal in journals}

    def look(self) -> Mapping[Path, int]:
        """Return the sessions."""
        return self._found

    def close(self) -> None:
        """End nothing."""


def journal_of(shot: Shot, data: Path) -> Path:
    """Run a session; return its journal, which is cut in its middle."""
    words = ["--model", shot.model, "--seed", "1", "--start", START, "--data", str(data), "--subject", shot.subject]
    rig(["sim", shot.protocol, *words, *shot.words])
    folder = data / "sim" / shot.subject / START[:10] / "001"
    journal = folder / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: round(shot.share * len(lines))]))
    return journal


def draw(name: str, journals: Sequence[Path]) -> Mapping[Path, bytes]:
    """Draw the window of some sessions, light and dark."""
    running = application()
    from rig.window.theme import DARK, LIGHT

    files = {}
    for theme in (LIGHT, DARK):
        window = open_window(journals, theme, SIZE)
        settle(running, window)
        files[FOLDER / f"{name}_{theme.name}.png"] = png(window.grab())
        window.close()
    return files


def open_window(journals: Sequence[Path], theme: Theme, size: tuple[int, int]) -> MainWindow:
    """Open the window with some journals, as if the last line of each had just been written."""
    from rig.window.main_window import MainWindow
    from rig.window.targets import NamedTargets

    for journal in journals:
        os.utime(journal)
    window = MainWindow(NamedTargets(journals), _Running(journals), theme, with_wall=False)
    window.resize(*size)
    window.start()
    return window


def settle(application: QApplication, window: MainWindow) -> None:
    """Run the window until everything is read and drawn."""
    until_s = time.monotonic() + MOST_S
    turns = 0
    while turns < 30 and time.monotonic() < until_s:
        application.processEvents()
        time.sleep(0.05)
        turns += all(page.watched.feed.is_caught_up for page in window.pages)


def pages() -> Mapping[Path, bytes]:
    """Draw all windows."""
    with TemporaryDirectory() as data:
        journals = {name: journal_of(shot, Path(data)) for name, shot in SHOTS.items()}
        files = {path: png for name, journal in journals.items() for path, png in draw(name, [journal]).items()}
        return {**files, **draw(WALL, [journals[name] for name in ON_WALL])}
