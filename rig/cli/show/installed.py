"""``rig show models``, ``boards``, ``analyses`` and ``settings``: what is installed here, and how lists are printed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json, print_lines
from rig.config.limits import LAB_FILE
from rig.core.errors import ConfigError
from rig.system.config_paths import SETTINGS, user_settings
from rig.system.first_sentence import sentence
from rig.system.plugins import ANALYSES, BOARDS, MODELS, installed_plugins, load_plugin, origin
from rig.system.settings import VARIABLES, load_settings
from rig.system.settings_text import setting_values, settings_texts
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


def settings(arguments: argparse.Namespace) -> int:
    """Print every setting with its source."""
    values = load_settings()
    if arguments.json:
        print_json({key: {"value": value, "source": source} for key, value, source in setting_values(values)})
        return OK
    lines = [f"{label:32}{text}" for label, text in settings_texts(values)]
    limits = os.path.join(values.data.value, LAB_FILE)
    has = "" if os.path.exists(limits) else ", which does not exist"
    lines += [
        "",
        "The first of these that sets a value counts: a command's option; the variable",
        f"{', '.join(f'${each}' for each in VARIABLES.values())};",
        f"{os.path.abspath(SETTINGS)}; {user_settings()}.",
        f"Limits of the animals are in {limits}{has}.",
    ]
    print_lines("\n".join(lines))
    return OK
