"""``rig device``: run a verb with the devices that a line names."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

from rig.cli import common
from rig.cli.commands.preflight import experimenter, named_person
from rig.cli.device.targets import Target, find_targets
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.cli.terminal.screen_layout import box
from rig.core.errors import ConfigError
from rig.devices.kinds import installed_kinds
from rig.maintenance.bench import Bench
from rig.maintenance.verb import verbs_of
from rig.session.subject import SubjectFolder


def run(arguments: argparse.Namespace) -> int:
    """Run the verb with every rig that the line names."""
    verb = verbs_of(installed_kinds().values())[arguments.verb]
    targets = find_targets(arguments, verb)
    benches = [_CommandLineBench(arguments, target, is_only=len(targets) == 1) for target in targets]
    if verb.opens_board and verb.needs_timing:
        _check_timing(benches)
    return verb.run_all(benches, arguments)


def _check_timing(benches: Sequence[Bench]) -> None:
    for bench in benches:
        if (reason := bench.driver.timing_unsupported_reason) is not None:
            raise ConfigError(f"{bench.rig.name}: the board must count the pulses; {reason}")


class _CommandLineBench(Bench):
    """A bench whose person is at the terminal, and whose records are those of the line."""

    def __init__(self, arguments: argparse.Namespace, target: Target, *, is_only: bool) -> None:
        label = "the rig" if is_only else target.word
        super().__init__(target.word, target.rig, getattr(arguments, "board", None), target.devices, label)
        self._arguments = arguments

    @property
    def is_confirmed(self) -> bool:
        """Return whether ``--yes`` was given."""
        return bool(getattr(self._arguments, "yes", False))

    @property
    def is_interactive(self) -> bool:
        """Return whether a person is at the terminal."""
        return is_interactive()

    def ask(self, question: str) -> str | None:
        """Return the typed answer; None at the end of input."""
        return ask_now(question)

    def show(self, text: str) -> None:
        """Show an important text in a frame."""
        box(text, sys.stderr)

    def print(self, *lines: str) -> None:
        """Print lines of the result."""
        for line in lines:
            print(line)

    def tell(self, *lines: str) -> None:
        """Print lines on standard error."""
        for line in lines:
            print(line, file=sys.stderr)

    @property
    def data(self) -> Path:
        """Return the folder of ``--data``, or what the computer is set to."""
        return common.data_folder(self._arguments)

    def now(self) -> datetime.datetime:
        """Return the computer's date and time."""
        return common.now()

    def person(self, *, is_named: bool = False) -> str:
        """Return the person of ``--by`` or $RIG_EXPERIMENTER. Raises ``ConfigError``."""
        by = getattr(self._arguments, "by", None)
        return named_person(by, "--by NAME") if is_named else experimenter(by)

    def subject(self) -> SubjectFolder:
        """Return the folder of ``--subject``. Raises ``ConfigError``."""
        return common.known_subject(self._arguments)
