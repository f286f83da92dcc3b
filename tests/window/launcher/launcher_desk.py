"""The launcher with commands and sessions that a test plays: no process, no thread, no waiting."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rig.supervisor.box_facts import BoxFacts, FactRow
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from rig.terminal.questions import Question, question_record
from rig.window.launcher.program import Line
from tests.expectations.lines import line
from tests.journal_lines import HEADER, journal_file
from tests.supervisor.boxes import STOP, FakeAsker


def facts(box: str, subject: str, **more: Any) -> BoxFacts:
    rows = [FactRow("weight", "24 g (96.0 % of the baseline)"), FactRow("valves", "left FAILED its check", True)]
    return BoxFacts(box, subject, **{"simulated": False, "rows": rows, **more})


class FakeProgram:
    """A command that prints and ends when the test says so."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.status: int | None = None
        self.answers: list[str | None] = []
        self._lines: list[Line] = []
        self._ends: int | None = None

    def lines(self) -> Iterator[Line]:
        while self._lines:
            yield self._lines.pop(0)
        self.status = self._ends

    def answer(self, text: str) -> None:
        self.answers.append(text)

    def leave(self) -> None:
        self.answers.append(None)

    def prints(self, *texts: str, is_error: bool = True) -> FakeProgram:
        self._lines += [Line(text, is_error) for text in texts]
        return self

    def asks(self, text: str, *answers: tuple[str, str], is_number: bool = False) -> FakeProgram:
        return self.prints(question_record(Question(text, answers, is_number=is_number)).rstrip("\n"))

    def ends(self, status: int = 0) -> FakeProgram:
        self._ends = status
        return self


class PlayedSession:
    """A session that a program of this computer has started."""

    def __init__(self, data: Path, box: str, subject: str, pid: int) -> None:
        self.folder = data / subject / "2026-11-24" / f"{pid:03d}"
        self.folder.mkdir(parents=True)
        self.started = StartedSession(
            box, subject, pid, str(data / "log"), "2026-11-24T09:00:00", host=this_computer(), mark="played"
        )
        StartedSessions(data).add(self.started)
        StartedSessions(data).add_folder(pid, "played", self.folder)
        self._journal = journal_file(self.folder / "journal.jsonl")
        self.write("header", **{**HEADER, "stop": STOP, "subject": subject, "model": None, "columns": ["outcome"]})
        self.write("state", name="ready")

    def write(self, kind: str, t_s: float = 0.0, **fields: Any) -> None:
        self._journal.write(line(kind, t_s, **fields))


class Desk:
    """A window, the commands that it has run, and the sessions of its computer."""

    def __init__(self, data: Path, running: set[int]) -> None:
        from rig.window.launcher.commands import Commands
        from rig.window.launcher.launcher_window import LauncherWindow
        from rig.window.launcher.roster import Roster
        from rig.window.theme import LIGHT

        self.data, self.running = data, running
        self.programs: list[FakeProgram] = []
        self.file = data / "mice.yaml"
        self.file.write_text("boxes: {}")
        self.window = LauncherWindow(Commands("mice", experimenter="anna"), Roster(data), self._run, LIGHT)
        self.window.show()
        self.window._timer.stop()

    def _run(self, words: Sequence[str]) -> FakeProgram:
        self.programs.append(FakeProgram(words))
        return self.programs[-1]

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.window._turn = min(self.window._turn, 4)  # a turn in which it looks for sessions
            self.window._take_turn()

    def read(self, *boxes: BoxFacts, mistakes: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        """Let the command that reads the facts answer."""
        self.window._reader.ask()
        self.turn(2)
        while (program := self._reading) is not None:
            if mistakes:
                program.prints(*mistakes).ends(2)
            else:
                shown = [asdict(each) for each in boxes]
                fields = {"file": str(self.file), "boxes": shown, "experimenters": list(names)}
                program.prints(json.dumps(fields), is_error=False).ends()
            self.turn(2)

    @property
    def _reading(self) -> FakeProgram | None:
        shows = (each for each in self.programs if each.words[:2] == ["boxes", "show"] and each.status is None)
        return next(shows, None)

    def session(self, box: str, subject: str, pid: int) -> PlayedSession:
        self.running.add(pid)
        played = PlayedSession(self.data, box, subject, pid)
        self.turn(2)
        return played

    def end(self, played: PlayedSession, reason: str = "operator", **more: Any) -> None:
        played.write("footer", 60.0, reason=reason, **more)
        self.kill(played)

    def kill(self, played: PlayedSession) -> None:
        self.running.discard(played.started.pid)
        self.turn(2)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.press(key)
            self.answer_requests()

    def answer_requests(self) -> None:
        for box in self.window._roster.boxes.values():
            if isinstance(asker := box.asker, FakeAsker):
                asker.run()
        self.window.refresh()

    @property
    def asked(self) -> dict[str, list[Mapping[str, Any]]]:
        boxes = self.window._roster.boxes.items()
        return {name: box.asker.asked for name, box in boxes if isinstance(box.asker, FakeAsker)}

    @property
    def commands(self) -> list[str]:
        """The commands that were run, but for those that read the facts."""
        return [" ".join(each.words) for each in self.programs if each.words[:2] != ["boxes", "show"]]

    def card(self, number: int = 1) -> Any:
        return self.window._grid.cards[number - 1]

    def buttons(self, number: int = 1) -> list[str]:
        return [button.text().split("\n")[0] for button in self.card(number)._buttons.buttons.values()]

    @property
    def page(self) -> Any:
        return self.window._page

    @property
    def bottom(self) -> str:
        return f"{self.window._command.text()} | {self.window._answer.text()}"
