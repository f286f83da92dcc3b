"""Find the running session that a command means, and send it a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.core.errors import ConfigError
from rig.system.control_socket import Answer, ask, is_supported, running
from rig.system.statuses import OK


def sessions() -> list[tuple[Path, Answer]]:
    """Return the sockets and statuses of the running sessions. Raises ``ConfigError`` on a system without sockets."""
    if not is_supported():
        raise ConfigError("this system has no local sockets: use the keys of the session's own terminal")
    return running()


def find(subject: str | None) -> Path:
    """Return the socket of the session that is meant. Raises ``ConfigError`` that lists the running ones."""
    found = sessions()
    if not found:
        raise ConfigError("no session runs on this computer under your user that can be reached")
    names = ", ".join(str(status.get("subject", "one that does not answer")) for _, status in found)
    if subject is None:
        if len(found) > 1:
            raise ConfigError(f"{len(found)} sessions run: say which with --subject: {names}")
        return found[0][0]
    named = [path for path, status in found if status.get("subject") == subject]
    if len(named) != 1:
        why = "no session of this subject runs" if not named else f"{len(named)} sessions of this subject run"
        raise ConfigError(f"--subject {subject}: {why}; running: {names}")
    return named[0]


def answer_of(subject: str | None, **request: Any) -> Answer:
    """Return a session's answer to a request. Raises ``ConfigError`` with the reason for a refusal."""
    answer = ask(find(subject), request)
    if not answer["ok"]:
        raise ConfigError(str(answer.get("error")))
    return answer


def send(subject: str | None, **request: Any) -> int:
    """Send a session a request, and print its answer. Raises ``ConfigError`` with the reason for a refusal."""
    print(answer_of(subject, **request).get("text"))
    return OK
