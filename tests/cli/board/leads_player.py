"""Leads instead of hands: does at a served rig what `rig board accept` asks a person for at its terminal."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from rig.diagnostics.io_test import spoken_name
from rig.session.spec.build import load_rig_spec
from tests.cli.processes import until
from tests.cli.pseudo_terminal import Terminal

Answer = Callable[[re.Match[str]], str]


class LeadsPlayer:
    """Reads a terminal, moves the leads of ``server`` as it says, and answers what the leads show."""

    def __init__(
        self, shown: Terminal, server: "subprocess.Popen[str]", rig_file: Path, unplug: str = "unplug"
    ) -> None:
        self.moves: list[str] = []
        self._shown = shown
        self._server = server
        self._names = {spoken_name(each): each.name for each in load_rig_spec(str(rig_file), "avr").wiring.channels}
        self._at = 0
        self._changed: list[str] = []
        """Inputs to clear when the board has seen them: of two changes at once it sees none, they are a bounce."""
        self._rules: list[tuple[str, Answer]] = [
            (r"break the (\w+)(?: \w+)? now", lambda found: self.move(f"break {found[1]}")),
            (r"clear the (\w+)(?: \w+)? again", lambda found: self.move(f"clear {found[1]}")),
            (r"let the other machine change the (\w+)", self._change),
            (r"from pin (\d+) to pin (\d+) [^;]*; .*press Enter ", self._put_jumper),
            (r"pull the USB cable", lambda found: self.move(unplug)),
            (r"plug the cable in again; then press Enter ", lambda found: self.move("plug") + "\n"),
            (r"press Enter ", lambda found: "\n"),
            (r"did (the [\w ]+?) (?:come on|click)[^\[]*\[Y/n[^\]]*\] ", self._saw),
            (r"(?:did water|is every light)[^\[]*\[Y/n[^\]]*\] ", lambda found: "y\n"),
            (r"\[y/N\] ", lambda found: "y\n"),
        ]

    def play(self) -> int:
        """Play until the command has ended; return its exit status."""
        while until(lambda: self._next() or self._has_ended(), within_s=90) is not True:
            pass
        return self._shown.process.wait()

    def _has_ended(self) -> bool:
        return self._shown.process.poll() is not None and not self._next()

    def _next(self) -> str:
        """Do what is asked for next; return the words that asked for it."""
        import os

        self._shown.shows("")
        asked = self._shown.text
        found = [
            (match.start(), match, do)
            for rule, do in self._rules
            if (match := re.compile(rule).search(asked, self._at))
        ]
        if not found:
            return ""
        _, match, do = min(found, key=lambda each: each[0])
        self._at = match.end()
        while self._changed:
            self.move(f"clear {self._changed.pop()}")
        if answer := do(match):
            os.write(self._shown.master, answer.encode())
        return match[0]

    def move(self, line: str) -> str:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(f"{line}\n")
        self._server.stdin.flush()
        self.moves.append(f"{line} > {self._server.stdout.readline().strip()}")
        return ""

    def _change(self, found: re.Match[str]) -> str:
        self._changed.append(found[1])
        return self.move(f"break {found[1]}")

    def _put_jumper(self, found: re.Match[str]) -> str:
        return self.move(f"jumper {found[1]} {found[2]}") + "\n"

    def _saw(self, found: re.Match[str]) -> str:
        self.move("seen")
        return "y\n" if self._names[found[1]] in re.split(r"[ ,]+", self.moves[-1]) else "n\n"
