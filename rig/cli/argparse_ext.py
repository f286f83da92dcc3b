"""Parsers of the command line: an error takes two lines, and help is at most 120 columns wide."""

from __future__ import annotations

import argparse
import os
import re
import sys

from rig.cli.examples import EXAMPLES
from rig.system.statuses import WRONG_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

WIDEST = 120


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal, at most ``WIDEST`` columns."""

    def __init__(self, prog: str) -> None:
        # Without a width argparse imports shutil, which imports three compression libraries.
        super().__init__(prog, width=min(_columns(), WIDEST) - 2)


class Parser(argparse.ArgumentParser):
    """A parser that prints one line of error instead of the whole usage."""

    def __init__(self, prog: str, description: str | None = None, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=Help)
        # Not an option: `-1200ul` is an amount, and the command says what is wrong with it.
        self._negative_number_matcher = re.compile(r"-[.,]?\d")

    def format_help(self) -> str:
        """Return the help page, which ends with the command's example."""
        example = EXAMPLES.get(self.prog)
        return super().format_help() + ("" if example is None else f"\nexample:\n  {example}\n")

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse a line; unknown arguments end the program with a pointer to the command's help."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = getattr(found, "command", None)
            self.prog = f"{self.prog} {command}" if command else self.prog
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found

    def error(self, message: str) -> None:  # type: ignore[override]
        """Print the error and the command for help, and exit."""
        from rig.terminal.visible import escape_controls

        self.exit(WRONG_INPUT, f"{self.prog}: {escape_controls(message)}\nTry: {self.prog} --help\n")


def _columns() -> int:
    """Return the width of the terminal by the rules of ``shutil.get_terminal_size``."""
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80
