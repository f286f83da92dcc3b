"""``rig show models``, ``boards``, ``devices``, ``analyses``, ``settings``: what is installed, and how lists look."""

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
from rig.system.plugins import ANALYSES, BOARDS, DEVICES, MODELS, installed_plugins, load_plugin, origin
from rig.system.settings import VARIABLES, load_settings
from rig.system.settings_text import setting_values, settings_texts
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole

PLUGINS = {
    "models": (MODELS, "needs"),
    "boards": (BOARDS, ""),
    "devices": (DEVICES, "maintenance"),
    "analyses": (ANALYSES, "columns"),
}
"""The group of each list of plugins, and a tuple of words that each plugin has beside its sentence."""

Entry: TypeAlias = tuple[str, str, str, str, Sequence[tuple[str, str]]]
"""Name, source, sentence, mistake, and what belongs to it, each with its own sentence."""


def show(entries: Iterable[Entry]) -> None:
    """Print a list, as wide as the terminal."""
    console = SafeConsole()
    for name, source, text, mistake, below in entries:
        console.print(Text.assemble((name, "bold"), "  ", (source, "dim")), soft_wrap=True)
        for words, style in ((text, ""), (mistake, "red")):
            for line in words.splitlines():
                console.print(Padding(Text(line, style), (0, 0, 0, 4), expand=False))
        if below:
            table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
            table.add_column(no_wrap=True)
            table.add_column()
            for key, words in below:
                table.add_row(Text(key), Text(words, "dim"))
            console.print(Padding(table, (0, 0, 0, 6), expand=False))


def plugins(arguments: argparse.Namespace) -> int:
    """Print the plugins of a list; one that cannot be loaded is listed with its mistake."""
    group, also = PLUGINS[arguments.what]
    found: list[dict[str, Any]] = []
    for name, point in installed_plugins(group).items():
        facts = {"name": name, "source": origin(point), "sentence": "", "mistake": ""}
        try:
            thing = load_plugin(group, name)
            found.append(facts | {"sentence": sentence(thing)})
            if also:
                found[-1][also] = list(getattr(thing, also, ()))
        except ConfigError as error:
            found.append(facts | {"mistake": str(error)})
    if arguments.json:
        print_json({arguments.what: found})
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
