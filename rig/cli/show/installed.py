"""``rig show models``, ``boards`` and ``analyses``: what is installed; and how each list of ``rig show`` is printed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.system.first_sentence import sentence
from rig.system.plugins import ANALYSES, BOARDS, MODELS, installed_plugins, load_plugin, origin
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole


def models(arguments: argparse.Namespace) -> int:
    """Print the installed models; one that cannot be loaded is listed with its mistake."""
    return show_installed(MODELS, arguments.json, "needs")


def boards(arguments: argparse.Namespace) -> int:
    """Print the installed boards; one that cannot be loaded is listed with its mistake."""
    return show_installed(BOARDS, arguments.json)


def analyses(arguments: argparse.Namespace) -> int:
    """Print the installed analyses; one that cannot be loaded is listed with its mistake."""
    return show_installed(ANALYSES, arguments.json, "columns")


Entry: TypeAlias = tuple[str, str, str, str, Sequence[tuple[str, str]]]
"""Name, source, sentence, mistake, and what belongs to it, each with its own sentence."""


def show(entries: Iterable[Entry]) -> None:
    """Print a list, as wide as the terminal."""
    console = SafeConsole()
    for name, source, text, mistake, below in entries:
        console.print(Text.assemble((name, "bold"), "  ", (source, "dim")), soft_wrap=True)
        for words, style in ((text, ""), (mistake, "red")):
            if words:
                console.print(Padding(Text(words, style), (0, 0, 0, 4), expand=False))
        if below:
            table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
            table.add_column(no_wrap=True)
            table.add_column()
            for key, words in below:
                table.add_row(Text(key), Text(words, "dim"))
            console.print(Padding(table, (0, 0, 0, 6), expand=False))


def show_installed(group: str, as_json: bool, also: str | None = None) -> int:
    """Print what is installed in a group; what cannot be loaded is listed with its mistake.

    ``also`` is something else to tell of each, a tuple of words.
    """
    found: list[dict[str, Any]] = []
    for name, point in installed_plugins(group).items():
        facts = {"name": name, "source": origin(point), "sentence": "", "mistake": ""}
        try:
            thing = load_plugin(group, name)
            found.append(facts | {"sentence": sentence(thing)})
            if also is not None:
                found[-1][also] = list(getattr(thing, also, ()))
        except ConfigError as error:
            found.append(facts | {"mistake": str(error)})
    if as_json:
        print_json({group.removeprefix("rig."): found})
    else:
        show(
            (
                *(each[key] for key in ("name", "source", "sentence", "mistake")),
                [(f"{also}:", ", ".join(each[also]))] if also and each.get(also) else (),
            )
            for each in found
        )
    return OK
