"""``rig session reward``, ``note``, ``set``, ``pause``, ``resume`` and ``end``: control a running session."""

from __future__ import annotations

import argparse
from pathlib import Path

from rig.core.errors import ConfigError
from rig.system import control_socket
from rig.system.control_socket import Answer, ask
from rig.system.statuses import OK
from rig.terminal.format import param_texts


def reward(arguments: argparse.Namespace) -> int:
    """Send the request, and print the reward's status."""
    return send(arguments.subject, do="reward", source=arguments.source)


def note(arguments: argparse.Namespace) -> int:
    """Send the note."""
    return send(arguments.subject, do="note", text=" ".join(arguments.text))


def set_parameter(arguments: argparse.Namespace) -> int:
    """Send the request, and print what changes; without ``KEY=VALUE`` print what may change."""
    if arguments.parameter is not None:
        return send(arguments.subject, do="set", param=arguments.parameter)
    status = answer_of(arguments.subject, do="status")
    values, wanted = status["live"], status["set_next"]
    for text, key in zip(param_texts(values), values, strict=True):
        then = (
            f", {param_texts({key: wanted[key]})[0].partition('=')[2]} from the next trial on" if key in wanted else ""
        )
        print(f"{text}{then}")
    if not values:
        print("no parameter of this protocol may change during a session")
    return OK


def pause(arguments: argparse.Namespace) -> int:
    """Send the request, and print whether it pauses now or later."""
    return send(arguments.subject, do="pause")


def resume(arguments: argparse.Namespace) -> int:
    """Send the request."""
    return send(arguments.subject, do="resume")


def end(arguments: argparse.Namespace) -> int:
    """End the session."""
    return send(arguments.subject, do="end")


def find(name: str | None) -> Path:
    """Return the socket of the session of a subject or a box. Raises ``ConfigError`` that lists the running ones."""
    found = control_socket.running()
    if not found:
        raise ConfigError("no session runs on this computer under your user that can be reached")
    names = ", ".join(_names(status) for _, status in found)
    if name is None:
        if len(found) > 1:
            raise ConfigError(f"{len(found)} sessions run: say which with --subject: {names}")
        return found[0][0]
    named = [path for path, status in found if name in (status.get("subject"), status.get("box"))]
    if len(named) != 1:
        why = "no session of this name runs" if not named else f"{len(named)} sessions of this name run"
        raise ConfigError(f"--subject {name}: {why}; running: {names}")
    return named[0]


def _names(status: Answer) -> str:
    subject = str(status.get("subject", "one that does not answer"))
    return f"{subject} in {status['box']}" if status.get("box") else subject


def answer_of(subject: str | None, **request: object) -> Answer:
    """Return a session's answer to a request. Raises ``ConfigError`` with the reason for a refusal."""
    answer = ask(find(subject), request)
    if not answer["ok"]:
        raise ConfigError(str(answer.get("error")))
    return answer


def send(subject: str | None, **request: object) -> int:
    """Send a session a request, and print its answer. Raises ``ConfigError`` with the reason for a refusal."""
    print(answer_of(subject, **request).get("text"))
    return OK
