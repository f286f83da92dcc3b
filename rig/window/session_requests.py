"""What a person asks of one session: its keys, done in a thread, and the reason why they can do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rig.core.errors import ConfigError
from rig.live.keys import SessionKeys
from rig.platform.processes import is_running, start_mark
from rig.supervisor.asker import SessionAsker
from rig.window.running_sessions import FindsSessions

STARTING = "looking for the session's program …"
UNREACHABLE = "no program of this computer runs this session under your user and can be reached"
GONE = "the program that ran the session has gone"
ENDED = "the session has ended"


class SessionRequests:
    """The keys of one session, which are those of the running display."""

    def __init__(self, folder: Path, sessions: FindsSessions) -> None:
        self.keys = SessionKeys(self._ask, idle_hint="")
        self._folder = folder.resolve()
        self._sessions = sessions
        self._asker: SessionAsker | None = None
        self._pid = 0
        self._mark = ""
        self._has_ended = False

    def update(self, *, has_ended: bool) -> None:
        """Update what is known of the session's program; ``has_ended`` says that its footer has come."""
        self._has_ended = has_ended
        if self._asker is None and not has_ended:
            pid = self._sessions.look().get(self._folder)
            if pid is not None:
                self._pid, self._mark = pid, start_mark(pid)
                self._asker = SessionAsker(pid)
                self._asker.start()
        if has_ended and self._asker is not None:
            self._asker.close()

    def close(self) -> None:
        """End the thread of the requests."""
        if self._asker is not None:
            self._asker.close()

    @property
    def is_known(self) -> bool:
        """Whether the session's program was found."""
        return self._asker is not None

    @property
    def is_missing(self) -> bool:
        """Whether no program runs the session, as far as this computer can tell."""
        return self._asker is None and self._sessions.has_looked

    @property
    def has_died(self) -> bool:
        """Whether the session's program ran and has gone without an end."""
        return self._asker is not None and not self._has_ended and not is_running(self._pid, self._mark)

    @property
    def is_silent(self) -> bool:
        """Whether the program did not answer the last question for its status."""
        return self._asker is not None and not self._has_ended and self._asker.is_silent

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._asker is not None and self._asker.is_busy

    @property
    def why_not(self) -> str:
        """Return why nothing can be asked; empty when it can."""
        if self._has_ended:
            return ENDED
        if self._asker is None:
            return UNREACHABLE if self._sessions.has_looked else STARTING
        return GONE if self.has_died else ""

    def press(self, text: str) -> None:
        """Handle a key, or a text with its Enter, in the session's thread."""
        asker = self._asker
        if asker is not None and not self.why_not:
            asker.do(lambda: self.keys.press(text))

    def _ask(self, request: Mapping[str, object]) -> Mapping[str, object]:
        if self._asker is None:
            raise ConfigError(UNREACHABLE)
        return self._asker.ask(request)
