"""A session that the window shows: its feed, its requests, and its lamp."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rig.window.lamp import Lamp, Level, lamp_of
from rig.window.running_sessions import FindsSessions
from rig.window.session_feed import SessionFeed
from rig.window.session_requests import SessionRequests


class Watched:
    """One session: where its records lie, what it is called in the window, and what is known of it.

    ``boxes`` has the name of the box of each rig.
    """

    def __init__(
        self, journal: Path, sessions: FindsSessions, name: str = "", boxes: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.journal = journal
        self.feed = SessionFeed(journal)
        self.requests = SessionRequests(journal.parent, sessions)
        self._name = name
        self._boxes = boxes
        self.lamp = Lamp(Level.WAITING, "")

    @property
    def name(self) -> str:
        """Return what its tab is called: the box, or the subject, or its folder."""
        header = self.feed.progress.header
        if header is None:
            return self._name or self.journal.parent.name
        box = self._name or self._boxes.get(header.rig.name)
        return ": ".join(filter(None, (box, header.subject))) or self.journal.parent.name

    def update(self, budget_s: float) -> bool:
        """Read what is new for about so long, and look at its program; return whether there is more to read."""
        self.feed.read(budget_s)
        self.requests.update(has_ended=self.feed.progress.footer is not None)
        # A session that a program serves runs in real time; one that no program runs stands still.
        if self.requests.is_known:
            self.feed.real_time = not self.requests.has_died
        elif self.requests.is_missing and self.feed.real_time is None:
            self.feed.real_time = False
        self.lamp = self._lamp()
        return not self.feed.is_caught_up

    def _lamp(self) -> Lamp:
        if self.requests.has_died and not self.feed.progress.has_failed:
            again = f"run `rig recover {self.journal.parent}`"
            return Lamp(Level.FAILURE, f"the program that ran the session has gone: {again}")
        return lamp_of(self.feed, is_silent=self.requests.is_silent)

    def close(self) -> None:
        """Stop asking; the session goes on."""
        self.requests.close()
