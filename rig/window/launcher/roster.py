"""The boxes of the launcher: those of its file, and those in which another program has started a session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rig.platform.processes import is_running
from rig.supervisor.box import Box
from rig.supervisor.box_facts import BoxFacts
from rig.supervisor.started import StartedSession, StartedSessions
from rig.window.targets import is_recent


class Roster:
    """Finds the sessions of the boxes in the list of a data folder."""

    def __init__(self, data: Path) -> None:
        self.boxes: dict[str, Box] = {}
        self._sessions = StartedSessions(data)
        self._shown: dict[str, tuple[int, str]] = {}
        """The process of the session that each box shows."""

    def set_facts(self, facts: Mapping[str, BoxFacts]) -> None:
        """Set the boxes of the file, in its order; a session that runs stays in its box, whatever the file says."""
        before = self.boxes
        kept = {
            name: box
            for name, box in before.items()
            if box.is_active or (name in facts and box.subject == facts[name].subject)
        }
        of_file = {name: kept[name] if name in kept else self._box(name, each.subject) for name, each in facts.items()}
        self.boxes = {**of_file, **kept}
        for name in before.keys() - {name for name, box in before.items() if self.boxes.get(name) is box}:
            before[name].close()
            self._shown.pop(name, None)

    def look(self) -> None:
        """Update which sessions the boxes show: any program of this computer may have started one."""
        for started in self._sessions.newest():
            box = self.boxes.get(started.box)
            process = (started.pid, started.mark)
            if process == self._shown.get(started.box) or (box is not None and box.is_active):
                continue
            runs = is_running(*process)
            if runs or (box is not None and box.subject == started.subject and is_recent(started)):
                self._take_up(started, process)

    def _take_up(self, started: StartedSession, process: tuple[int, str]) -> None:
        box = self.boxes.setdefault(started.box, self._box(started.box, started.subject))
        box.close()
        box.begin(started)
        self._shown[started.box] = process

    def _box(self, name: str, subject: str) -> Box:
        return Box(name, subject, folder_of=self._sessions.folder_of)

    def update(self) -> set[str]:
        """Read what is new of each session; return the boxes whose session has ended since."""
        active = {name for name, box in self.boxes.items() if box.is_active}
        for box in self.boxes.values():
            box.update()
        return {name for name in active if not self.boxes[name].is_active}

    def close(self) -> None:
        """Close what watches the sessions, which go on."""
        for box in self.boxes.values():
            box.close()
