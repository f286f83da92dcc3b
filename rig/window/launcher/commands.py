"""The commands that the launcher runs, as a person would type them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rig.platform.command_line import command_line


class Commands:
    """The words of each command, behind ``rig``; ``experimenter`` is who works at the launcher, as far as is known."""

    def __init__(self, boxes_file: str, options: Sequence[str] = (), experimenter: str = "") -> None:
        self.experimenter = experimenter
        self._boxes_file = boxes_file
        self._options = options

    def show(self) -> list[str]:
        """Return the command that reads the facts of the boxes."""
        return ["boxes", "show", self._boxes_file, "--json", *self._options]

    def start(self, boxes: Sequence[str]) -> list[str]:
        """Return the command that starts boxes, and asks what is to be asked before."""
        only = [word for box in boxes for word in ("--only", box)]
        return ["run", "--boxes", self._boxes_file, *only, "--leave", *self._person("--experimenter"), *self._options]

    def give(self, subject: str) -> list[str]:
        """Return the command that asks whether an animal got what it is due."""
        return ["subject", "due", "--ask", subject, *self._person("--by"), *self._options]

    def watch(self, session: Path) -> list[str]:
        """Return the command that shows the charts of a session."""
        return ["watch", "--window", str(session)]

    def _person(self, option: str) -> list[str]:
        return [option, self.experimenter] if self.experimenter else []


def request_words(request: Mapping[str, object], subject: str) -> list[str]:
    """Return the command that sends a session the same request."""
    values = [str(request[key]) for key in ("source", "text", "param") if key in request]
    return ["session", str(request["do"]), *values, "--subject", subject]


def typed(words: Sequence[str]) -> str:
    """Return what a person types at a terminal."""
    return command_line(["rig", *words])
