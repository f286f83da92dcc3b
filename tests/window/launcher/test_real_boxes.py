"""A stranger at the launcher with four boards at ports, in real time: every act is a click or a key."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import HandGiven, RewardLine
from rig.records.subject_events import read_events
from tests.cli.processes import journal
from tests.supervisor.boxes_at_ports import BoxesAtPorts

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux", reason="ports are pseudo-terminals, and processes are looked up in /proc"
    ),
    pytest.mark.real_time,
    pytest.mark.slow,
    pytest.mark.usefixtures("qt"),
]
BOXES = ("box_1", "box_2", "box_3", "box_4")
WITHIN_S = 120.0
"""What a computer on which other tests run may need for a command."""


class Laboratory(BoxesAtPorts):
    """Four boards at ports, each with a mouse that is due water, and the files that name them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BOXES)
        for subject in self.data.iterdir():
            (subject / "subject.yaml").write_text("baseline_g: 25\ndaily_target_ul: 1000\n")


class Stranger:
    """A person who reads buttons, clicks them, and types what is asked for."""

    def __init__(self, laboratory: Laboratory) -> None:
        self._laboratory = laboratory
        self.acts = 0
        self.window = self.open()

    def open(self) -> Any:
        """Open the launcher, as its process does."""
        from rig.window.launcher.commands import Commands
        from rig.window.launcher.launcher_window import LauncherWindow
        from rig.window.launcher.program import Program
        from rig.window.launcher.roster import Roster
        from rig.window.theme import LIGHT

        data = self._laboratory.data
        commands = Commands(str(self._laboratory.file), ["--data", str(data)], "anna")
        self.window = LauncherWindow(commands, Roster(data), Program, LIGHT)
        self.window.start()
        return self.window

    async def until(self, true: Callable[[], Any]) -> None:
        from PySide6.QtWidgets import QApplication

        began = time.monotonic()
        while not true():
            assert time.monotonic() - began < WITHIN_S, self.window._page._printed.toPlainText()
            QApplication.processEvents()
            await asyncio.sleep(0.01)

    def card(self, number: int) -> Any:
        return self.window._grid.cards[number]

    async def click(self, of: Any, key: str) -> None:
        """Click a button as soon as it is there."""
        await self.until(lambda: key in of.buttons and of.buttons[key].isEnabled())
        self.acts += 1
        of.buttons[key].setFocus()  # as a press of a mouse or a finger does
        of.buttons[key].click()

    async def answer(self, wanted: str, typed: str = "", button: str = "\n") -> None:
        """Type an answer to the question that begins so, and click a button."""
        page = self.window._page
        await self.until(lambda: page._title.text().startswith(wanted))
        for digit in typed:
            self.acts += 1
            page._keypad.buttons[digit].click()
        await self.click(page._answers, button)

    async def start_all(self) -> None:
        await self.click(self.window._all, "a")
        for number in range(len(BOXES)):
            await self.answer("weight in g", "24")
            await self.answer(f"Is it M{number + 1}?", button="y")
        await self.until(lambda: not self.window._page.is_open)

    async def trials(self, count: int) -> None:
        await self.until(lambda: all(box.progress.trials >= count for box in self.window._roster.boxes.values()))

    async def reward(self, number: int) -> None:
        card = self.card(number)
        await self.click(card._buttons, "r")
        await self.click(card._buttons, "1")
        await self.until(lambda: "gave" in card._answer.text() or "ul" in card._answer.text())

    async def end(self, number: int) -> None:
        await self.click(self.card(number)._buttons, "e")
        await self.click(self.card(number)._buttons, "y")

    async def top_up(self, number: int) -> None:
        await self.click(self.card(number)._buttons, "g")
        await self.answer(f"M{number + 1} is due", button="y")
        await self.until(lambda: not self.window._page.is_open)


def niceness(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])


async def story(stranger: Stranger, laboratory: Laboratory) -> None:
    began = time.monotonic()
    await stranger.until(lambda: len(stranger.window._grid.cards) == len(BOXES))
    await stranger.start_all()
    await stranger.trials(1)
    pids = laboratory.pids
    assert {niceness(pid) for pid in pids.values()} == {niceness(os.getpid())}

    # The launcher goes, and the sessions do not notice. Another one finds them.
    stranger.window.close()
    stranger.open()
    await stranger.until(lambda: len(stranger.window._grid.cards) == len(BOXES))
    await stranger.trials(3)
    assert {name: box.pid for name, box in stranger.window._roster.boxes.items()} == pids

    await stranger.reward(1)
    for number in range(len(BOXES)):
        await stranger.end(number)
    boxes = stranger.window._roster.boxes
    await stranger.until(lambda: not any(box.is_active for box in boxes.values()))
    assert {box.reason for box in boxes.values()} == {"operator"}
    for number in range(len(BOXES)):
        await stranger.top_up(number)
    await stranger.until(lambda: not any("g" in card._buttons.buttons for card in stranger.window._grid.cards))
    print(f"{stranger.acts} clicks, {time.monotonic() - began:.0f} s")  # noqa: T201 - what the task costs a person


def test_a_stranger_starts_four_boxes_gives_a_drop_ends_them_and_gives_what_is_due(
    tmp_path: Path, runtime: Path
) -> None:
    async def main() -> Laboratory:
        laboratory = Laboratory(tmp_path)
        try:
            stranger = Stranger(laboratory)
            await story(stranger, laboratory)
            stranger.window.close()
        finally:
            await laboratory.close()
        return laboratory

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        laboratory = runner.run(main())
    lines = journal(laboratory.data / "M2")
    assert any(isinstance(line, RewardLine) and line.delivered_by == "operator" for line in lines)
    for number in range(1, 5):
        (given,) = read_events(laboratory.data / f"M{number}").of_kind(HandGiven)
        assert given.by == "anna"
        assert 0 < given.ul <= 1000
