"""What a person asks of the session of one box: the keys of its running display, in a thread of its own."""

from __future__ import annotations

from collections.abc import Mapping

from rig.core.errors import ConfigError
from rig.live.keys import SessionKeys
from rig.supervisor.box import Box

NO_SESSION = "runs no session"


class BoxRequests:
    """The keys of one box."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.keys = SessionKeys(self._ask, idle_hint="")
        self.last: Mapping[str, object] | None = None
        """What was asked last, except for a status."""

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited: what is typed meanwhile must not answer the question that comes."""
        return self._box.asker is not None and self._box.asker.is_busy

    def press(self, text: str) -> None:
        """Handle a key, or a text with its Enter, in the thread of the box."""
        asker = self._box.asker
        if asker is None or not self._box.is_active:
            # Its session has ended in the middle of a question: the key answers it, and nothing is asked.
            self.keys.press(text)
        else:
            asker.do(lambda: self.keys.press(text))

    def _ask(self, request: Mapping[str, object]) -> Mapping[str, object]:
        if not self._box.is_active:
            raise ConfigError(NO_SESSION)
        if request.get("do") != "status":
            self.last = request
        return self._box.ask(request)
