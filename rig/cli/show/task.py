"""``rig show params``, ``columns`` and ``graph``: what may be set of a protocol, its tables and its states."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json, print_lines, table_lines
from rig.config import SessionLimits, validate
from rig.config.explain import yaml_text
from rig.config.field_docs import FieldDoc, field_docs, param_groups
from rig.core.model.columns import describe_columns
from rig.core.model.live import live_names
from rig.core.model.rows import TRIAL_TABLE, Row
from rig.core.task.graph_text import mermaid, text
from rig.session.spec.protocol_lookup import FoundProtocol, look_up_protocol
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole

ROOMY = 140
"""From so many columns of a terminal the sources have a column of their own."""
COLUMN_HEADS = ("column", "kind", "unit", "what it holds")


def params(arguments: argparse.Namespace) -> int:
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


def _values(model: type[BaseModel], asked: FoundProtocol, section: str) -> dict[str, object] | None:
    """Return the values of the YAML file, if it is one that was asked for."""
    if asked.layered is None:
        return None
    return validate(model, asked.layered, (section,)).model_dump(mode="json")


def _data(key: FieldDoc, values: dict[str, object] | None) -> dict[str, object]:
    found = {"name": key.name, "type": key.type, "default": key.default, "required": key.required, "unit": key.unit}
    found |= {"accepted": key.accepted, "bounds": key.bounds, "choices": key.choices, "optional": key.optional}
    found |= {"description": key.description, "live": key.live, "source": key.source}
    return found if values is None else found | {"value": values[key.name]}


def _print(console: SafeConsole, section: str, keys: list[FieldDoc], values: dict[str, object] | None) -> None:
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


def _cells(key: FieldDoc, values: dict[str, object] | None, *, has_live: bool) -> list[str]:
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


def graph(arguments: argparse.Namespace) -> int:
    """Show the state graph of a protocol, given by its own name or that of its YAML file."""
    task = look_up_protocol(arguments.protocol).found.task
    print_lines(mermaid(task) if arguments.mermaid else text(task))
    return OK


def columns(arguments: argparse.Namespace) -> int:
    """Show the columns of every table of a protocol."""
    asked = look_up_protocol(arguments.protocol)
    tables = {name: describe_columns(row) for name, row in _tables(asked).items()}
    if arguments.json:
        print_json({"protocol": asked.found.name, "from": asked.found.origin, "tables": tables})
        return OK
    console = SafeConsole()
    console.print(f"{asked.found.name}, {asked.found.origin}", soft_wrap=True)
    for name, columns in tables.items():
        console.print()
        console.print(f"{name}.csv", style="bold")
        console.print(_column_table(columns))
    return OK


def _tables(asked: FoundProtocol) -> Mapping[str, type[Row]]:
    return {TRIAL_TABLE: asked.found.task.row_type, **asked.found.task.tables}


def _column_table(columns: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for head in COLUMN_HEADS[:-1]:
        table.add_column(head, no_wrap=True)
    table.add_column(COLUMN_HEADS[-1], ratio=1)
    for name, said in columns.items():
        table.add_row(*(Text(text) for text in (name, said["kind"], said["unit"], _text(said))))
    return table


def _text(said: Mapping[str, Any]) -> str:
    values = ", ".join(value or "(empty)" for value in said.get("values", ()))
    return f"{said['text']} [{values}]" if values else str(said["text"])
