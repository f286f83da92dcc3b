"""Parsers of the command line: verbs, examples, errors of two lines, and help of at most 120 columns."""

from __future__ import annotations

import argparse
import os
import re
import sys

from rig.system.statuses import WRONG_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDEST = 120


class Help(argparse.HelpFormatter):
    """Help as wide as the terminal, at most ``WIDEST`` columns."""

    def __init__(self, prog: str) -> None:
        # Without a width argparse imports shutil, which imports three compression libraries.
        super().__init__(prog, width=min(_columns(), WIDEST) - 2)


class Parser(argparse.ArgumentParser):
    """A parser that prints one line of error instead of the whole usage, and ends its help page with examples."""

    def __init__(self, prog: str, description: str | None = None, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=Help)
        # Not an option: `-1200ul` is an amount, and the command says what is wrong with it.
        self._negative_number_matcher = re.compile(r"-[.,]?\d")
        self.examples: tuple[str, ...] = ()
        self.groups: Mapping[str, Mapping[str, str]] = {}
        """The commands of this parser with their lines of help, under the headings of the help page."""

    def runs(self, function: str, *examples: str) -> None:
        """Set what runs a line, as ``module:function``, and the examples, as the words that follow the command."""
        self.set_defaults(run=function)
        self.examples = examples

    def verbs(self, package: str, *examples: str) -> Verbs:
        """Return the verbs of this noun, whose functions are in modules of ``package``."""
        self.examples = examples
        return Verbs(self, package)

    def format_help(self) -> str:
        """Return the help page."""
        page = self._grouped_help() if self.groups else super().format_help()
        examples = "".join(f"\n  {self.prog} {words}".rstrip() for words in self.examples)
        return page + (f"\nexample{'s' * (len(self.examples) > 1)}:{examples}\n" if examples else "")

    def _grouped_help(self) -> str:
        page = self._get_formatter()
        page.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        page.add_text(self.description)
        for heading, commands in self.groups.items():
            page.start_section(heading)
            page.add_arguments([argparse.Action([], name, help=text) for name, text in commands.items()])
            page.end_section()
        page.start_section("options")
        page.add_arguments([action for action in self._actions if action.option_strings])
        page.end_section()
        page.add_text(self.epilog)
        return page.format_help()

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse a line; unknown arguments end the program with a pointer to the command's help."""
        arguments, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = getattr(arguments, "command", None)
            self.prog = f"{self.prog} {command}" if command else self.prog
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return arguments

    def error(self, message: str) -> None:  # type: ignore[override]
        """Print the error and the command for help, and exit."""
        from rig.terminal.visible import escape_controls

        self.exit(WRONG_INPUT, f"{self.prog}: {escape_controls(message)}\nTry: {self.prog} --help\n")


class Verbs:
    """The verbs of a noun, each with a parser."""

    def __init__(self, noun: Parser, package: str) -> None:
        self._parsers = noun.add_subparsers(dest="what", metavar="WHAT", required=True, parser_class=Parser)
        self._package = package

    def add(self, name: str, text: str, function: str, *examples: str) -> Parser:
        """Add a verb with its line of help; ``function`` is ``module:function`` in the package of the noun."""
        verb = self._parsers.add_parser(name, help=text)
        verb.runs(f"{self._package}.{function}", *examples)
        return verb


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
