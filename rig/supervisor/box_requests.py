"""What a person asks of the session of one box: the keys of its running display, in a thread of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rig.core.errors import ConfigError
from rig.live.keys import SessionKeys
from rig.supervisor.box import Box
from rig.supervisor.started import StartedSession

NO_SESSION = "runs no session"


class BoxRequests:
    """The keys of one box; each session has its own, so that a question to one is not answered to the next."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._session = box.session
        self._keys = self._new_keys()
        self.last: Mapping[str, object] | None = None
        """What was asked last, except for a status."""

    def _new_keys(self) -> SessionKeys:
        return SessionKeys(partial(self._ask, self._session), idle_hint="")

    @property
    def keys(self) -> SessionKeys:
        """Return the keys of the box's session."""
        if self._box.session is not self._session:
            self._session = self._box.session
            self._keys = self._new_keys()
        return self._keys

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited: what is typed meanwhile must not answer the question that comes."""
        return self._box.asker is not None and self._box.asker.is_busy

    def press(self, text: str) -> None:
        """Handle a key, or a text with its Enter, in the thread of the box."""
        asker, keys = self._box.asker, self.keys
        if asker is None or not self._box.is_active:
            # Its session has ended in the middle of a question: the key answers it, and nothing is asked.
            keys.press(text)
        else:
            asker.do(lambda: keys.press(text))

    def _ask(self, session: StartedSession | None, request: Mapping[str, object]) -> Mapping[str, object]:
        if not self._box.is_active:
            raise ConfigError(NO_SESSION)
        if request.get("do") != "status":
            self.last = request
        return self._box.ask(request, session)
