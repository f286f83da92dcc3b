"""The parsers of the command line: a small mistake takes two lines, and help is never too wide to read."""

from __future__ import annotations

import argparse
import os
import sys

from rig.system.statuses import WRONG_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

WIDEST = 120


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal, within reason."""

    def __init__(self, prog: str) -> None:
        # Without a width argparse asks shutil, which takes three compression libraries with it.
        super().__init__(prog, width=min(_columns(), WIDEST) - 2)


class Parser(argparse.ArgumentParser):
    """A parser that does not print the whole usage over a small mistake."""

    def __init__(self, prog: str, description: str | None = None, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=Help)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse a line; what its command does not know is refused with where the command's help is."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = getattr(found, "command", None)
            self.prog = f"{self.prog} {command}" if command else self.prog
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found

    def error(self, message: str) -> None:  # type: ignore[override]
        """Say what is wrong and where help is."""
        from rig.terminal.visible import escape_controls

        self.exit(WRONG_INPUT, f"{self.prog}: {escape_controls(message)}\nTry: {self.prog} --help\n")


def _columns() -> int:
    """Return how wide the terminal is, as the standard library's shutil does."""
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80
