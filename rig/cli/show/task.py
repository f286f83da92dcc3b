"""``rig show graph`` and ``columns``: the states and the tables of a protocol; and which one a name means."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json, print_lines
from rig.core.model.columns import describe_columns
from rig.core.model.rows import TRIAL_TABLE
from rig.core.task.graph import mermaid, text
from rig.session.spec.protocol_lookup import FoundProtocol, look_up_protocol
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole


def graph(arguments: argparse.Namespace) -> int:
    """Show the state graph of a protocol, given by its own name or that of its YAML file."""
    task = look_up_protocol(arguments.protocol).found.task
    print_lines(mermaid(task) if arguments.mermaid else text(task))
    return OK


HEADS = ("column", "kind", "unit", "what it holds")


def columns(arguments: argparse.Namespace) -> int:
    """Show the columns of every table of a protocol."""
    asked = look_up_protocol(arguments.protocol)
    tables = {name: describe_columns(row) for name, row in _rows(asked).items()}
    if arguments.json:
        print_json({"protocol": asked.found.name, "from": asked.found.origin, "tables": tables})
        return OK
    console = SafeConsole()
    console.print(f"{asked.found.name}, {asked.found.origin}", soft_wrap=True)
    for name, columns in tables.items():
        console.print()
        console.print(f"{name}.csv", style="bold")
        console.print(_table(columns))
    return OK


def _rows(asked: FoundProtocol) -> Mapping[str, Any]:
    return {TRIAL_TABLE: asked.found.task.row_type, **asked.found.task.tables}


def _table(columns: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for head in HEADS[:-1]:
        table.add_column(head, no_wrap=True)
    table.add_column(HEADS[-1], ratio=1)
    for name, said in columns.items():
        table.add_row(*(Text(text) for text in (name, said["kind"], said["unit"], _text(said))))
    return table


def _text(said: Mapping[str, Any]) -> str:
    values = ", ".join(value or "(empty)" for value in said.get("values", ()))
    return f"{said['text']} [{values}]" if values else str(said["text"])
