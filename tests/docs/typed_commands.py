"""The commands of the program, and the pages that show each of them, in a fenced block or in backticks."""

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.docs import named_things
from tests.docs.pages import PAGES, blocks_of

_COMMAND = re.compile(r"(?:[^#]*\s)??rig ([^#]*)")
_CONTINUED = re.compile(r"[\\^]\n")


class Command(NamedTuple):
    """The words of a command, such as ``session note``, and its parser."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser

    @property
    def options(self) -> list[str]:
        """The long form of each option that its help lists."""
        return [
            text
            for action in self.parser._actions
            for text in action.option_strings
            if text.startswith("--") and text != "--help" and action.help != argparse.SUPPRESS
        ]


class PageTexts(NamedTuple):
    """What a page shows: the words after ``rig`` of each command line, and each option that stands alone."""

    lines: tuple[tuple[str, ...], ...]
    options: frozenset[str]


@cache
def commands() -> tuple[Command, ...]:
    """Return every command of the program and of the experiments, and every verb in the place of its noun."""
    return tuple(_commands((), named_things.parser()))


def _commands(words: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[Command]:
    verbs = named_things.commands_of(parser)
    if not verbs:
        yield Command(words, parser)
    for verb, verb_parser in verbs.items():
        yield from _commands((*words, verb), verb_parser)


@cache
def texts_of(page: Path) -> PageTexts:
    """Return what a page shows."""
    blocks = (_CONTINUED.sub(" ", block.text).splitlines() for block in blocks_of(page))
    names = [named.text for named in named_things.names_of(page)]
    matches = (_COMMAND.match(line) for line in (*(line for lines in blocks for line in lines), *names))
    lines = tuple(tuple(match[1].split()) for match in matches if match is not None)
    return PageTexts(lines, frozenset(_option(name) for name in names if name.startswith("--")))


def is_shown(words: Sequence[str], page: Path) -> bool:
    """Whether a page shows a command."""
    return any(_begins_with(words, line) for line in texts_of(page).lines)


def options_shown(words: Sequence[str], page: Path) -> set[str]:
    """Return the options of a command that a page shows: in its lines, or alone on a page that shows the command."""
    texts = texts_of(page)
    lines = [line for line in texts.lines if _begins_with(words, line)]
    return {_option(word) for line in lines for word in line} | (texts.options if lines else frozenset())


def missing_commands() -> list[str]:
    """Return the commands that no page shows."""
    return [" ".join(words) for words, _ in commands() if not any(is_shown(words, page) for page in PAGES)]


def missing_options(command: Command, shared: frozenset[str]) -> list[str]:
    """Return the options of a command that no page shows with it; one that is shared may stand with another one."""
    shown = set().union(*(options_shown(command.words, page) for page in PAGES))
    shown |= shared & {option for page in PAGES for option in texts_of(page).options}
    return [f"{' '.join(command.words)} {option}" for option in command.options if option not in shown]


def _begins_with(words: Sequence[str], line: Sequence[str]) -> bool:
    """Whether a line has the words of a command; ``weigh|give`` in it is each of both."""
    return len(line) >= len(words) and all(word in typed.split("|") for word, typed in zip(words, line, strict=False))


def _option(text: str) -> str:
    return re.split(r"[= \]…]", text.lstrip("["))[0]
