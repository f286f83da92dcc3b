"""``rig show params``: what may be set, to what, and where the defaults come from."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from pydantic import BaseModel
from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json
from rig.cli.terminal.table import table_lines
from rig.config import SessionLimits, validate
from rig.config.explain import yaml_text
from rig.config.field_docs import FieldDoc, field_docs, param_groups
from rig.core.model.live import live_names
from rig.session.spec.protocol_lookup import FoundProtocol, look_up_protocol
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole

ROOMY = 140
"""From so many columns the sources have a column of their own."""


def run(arguments: argparse.Namespace) -> int:
    """Show the parameters of a protocol, and those of every session's end; of a YAML file also its values."""
    asked = look_up_protocol(arguments.protocol)
    sections: dict[str, type[BaseModel]] = {"params": asked.found.task.params_type, "stop": SessionLimits}
    values = {section: _values(model, asked, section) for section, model in sections.items()}
    if arguments.json:
        keys = {name: [_data(key, values[name]) for key in field_docs(model)] for name, model in sections.items()}
        facts = {"protocol": asked.found.name, "from": asked.found.origin, "file": asked.file}
        print_json(facts | keys)
        return OK
    console = SafeConsole()
    console.print(f"{asked.found.name}, {asked.found.origin}", soft_wrap=True)
    if asked.file is not None:
        console.print(f"values of {asked.file}, where they differ from the defaults", soft_wrap=True)
    if live_names(asked.found.task.params_type):
        console.print("live: `rig session set` may change it during a session", soft_wrap=True)
    for section, model in sections.items():
        console.print()
        _print(console, section, field_docs(model), values[section])
        for key, group in param_groups(model).items():
            console.print()
            _print(console, f"{section}.{key}", field_docs(group), None)
    return OK


def _values(model: type[BaseModel], asked: FoundProtocol, section: str) -> dict[str, Any] | None:
    """Return the values of the YAML file, if it is one that was asked for."""
    if asked.layered is None:
        return None
    return validate(model, asked.layered, (section,)).model_dump(mode="json")


def _data(key: FieldDoc, values: dict[str, Any] | None) -> dict[str, Any]:
    found = {"name": key.name, "type": key.type, "default": key.default, "required": key.required, "unit": key.unit}
    found |= {"accepted": key.accepted, "bounds": key.bounds, "choices": key.choices, "optional": key.optional}
    found |= {"description": key.description, "live": key.live, "source": key.source}
    return found if values is None else found | {"value": values[key.name]}


def _print(console: SafeConsole, section: str, keys: list[FieldDoc], values: dict[str, Any] | None) -> None:
    has_live = any(key.live for key in keys)
    live = ("",) if has_live else ()
    heads = [f"{section}:", "default", *(() if values is None else ("here",)), "unit", *live, "accepted"]
    cells = {key.name: _cells(key, values, has_live=has_live) for key in keys}
    if console.width >= ROOMY:
        console.print(_table(heads, keys, cells))
        return
    rows = [heads, *cells.values()]
    head, *lines = table_lines(rows)
    _, *without_accepted = table_lines([row[:-1] for row in rows])
    console.print(head, style="bold")
    for key, line, short in zip(keys, lines, without_accepted, strict=True):
        fits = len(line) < console.width
        console.print(line if fits else short, soft_wrap=True)
        _indented(console, "" if fits else f"accepted: {key.accepted}")
        _indented(console, key.description)
        _indented(console, key.source and f"source: {key.source}", style="dim")


def _cells(key: FieldDoc, values: dict[str, Any] | None, *, has_live: bool) -> list[str]:
    cells = [key.name, "required" if key.required else yaml_text(key.default)]
    if values is not None:
        cells.append("" if values[key.name] == key.default and not key.required else yaml_text(values[key.name]))
    return [*cells, key.unit, *(["live" if key.live else ""] if has_live else []), key.accepted]


def _table(heads: list[str], keys: list[FieldDoc], cells: dict[str, list[str]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in heads[:-1]:
        table.add_column(head, no_wrap=True)
    for head in (heads[-1], "what it is", "source of the default"):
        table.add_column(head, ratio=1)
    for key in keys:
        table.add_row(*(Text(cell) for cell in (*cells[key.name], key.description, key.source)))
    return table


def _indented(console: SafeConsole, text: str, style: str | None = None) -> None:
    for line in textwrap.wrap(text, console.width - 4):
        console.print(f"    {line}", style=style)
