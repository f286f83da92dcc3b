"""``rig device``: run a verb with the devices that a line names."""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from rig.cli import common
from rig.cli.device.targets import Target, find_targets
from rig.cli.subject_names import known_subject
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.cli.terminal.screen_layout import box
from rig.core.errors import ConfigError
from rig.maintenance.bench import Bench
from rig.maintenance.verb import Verb
from rig.session.subject_folder import SubjectFolder


def run(arguments: argparse.Namespace) -> int:
    """Run the verb with every rig that the line names."""
    verb: Verb = arguments.verb
    targets = find_targets(arguments, verb)
    benches = [_CommandLineBench(arguments, verb, target, is_only=len(targets) == 1) for target in targets]
    for bench in benches if verb.opens_board and verb.needs_timing else ():
        if (reason := bench.driver.timing_unsupported_reason) is not None:
            raise ConfigError(f"{bench.rig.name}: the board must count the pulses; {reason}")
    return verb.run(benches, arguments)


class _CommandLineBench(Bench):
    """A bench whose person is at the terminal, and whose records are those of the line."""

    def __init__(self, arguments: argparse.Namespace, verb: Verb, target: Target, *, is_only: bool) -> None:
        data = common.data_folder(arguments) if verb.has_records else Path()
        super().__init__(target.word, target.rig, target.devices, getattr(arguments, "board", None), data)
        self._arguments = arguments
        self._label = "the rig" if is_only else target.word

    def confirm_empty(self, what: str) -> None:
        """Wait until a person says that no animal is in the rig. Raises ``ConfigError`` otherwise."""
        if self.is_simulated or getattr(self._arguments, "yes", False):
            return
        if not self.is_interactive:
            raise ConfigError(f"no animal may be in {self._label}: {what}. Without a terminal, add --yes to say so")
        box(f"No animal may be in {self._label}: {what}", sys.stderr)
        answer = ask_now(f"Is {self._label} empty? [y/N] ")
        if (answer or "").lower() not in ("y", "yes"):
            raise ConfigError("Not confirmed; nothing was given.")

    @property
    def is_interactive(self) -> bool:
        """Return whether a person is at the terminal."""
        return is_interactive()

    def ask(self, question: str) -> str | None:
        """Return the typed answer; None at the end of input."""
        return ask_now(question)

    def print(self, *lines: str) -> None:
        """Print lines of the result."""
        for line in lines:
            print(line)

    def tell(self, *lines: str) -> None:
        """Print lines on standard error."""
        for line in lines:
            print(line, file=sys.stderr)

    def now(self) -> datetime.datetime:
        """Return the computer's date and time."""
        return common.now()

    def person(self, *, is_named: bool = False) -> str:
        """Return the person of ``--by`` or $RIG_EXPERIMENTER. Raises ``ConfigError``."""
        by = getattr(self._arguments, "by", None)
        return common.named_person(by, "--by NAME") if is_named else common.experimenter(by)

    def subject(self) -> SubjectFolder:
        """Return the folder of ``--subject``. Raises ``ConfigError``."""
        return known_subject(self._arguments)
