"""``rig show graph`` and ``columns``: the states and the tables of a protocol; and which one a name means."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from rig.cli.terminal.printing import print_json, print_lines
from rig.config import LayeredConfig, ProtocolFile, config_issue, find, load_config, validate
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.core.model.columns import describe_columns
from rig.core.model.rows import TRIAL_TABLE
from rig.core.task.graph import mermaid, text
from rig.session.build.task_classes import FoundTask, find_task
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


@dataclass(frozen=True)
class FoundProtocol:
    """A task, and the YAML file that was asked for, if it was one."""

    found: FoundTask
    layered: LayeredConfig | None = None

    @property
    def file(self) -> str | None:
        """Return the path of the YAML file that was asked for, if it was one."""
        return None if self.layered is None else display_path(self.layered.sources[0])


def look_up_protocol(word: str) -> FoundProtocol:
    """Return the task of a name or a file, or of a YAML file that names it. Raises ``ConfigError``."""
    if word.endswith((".yaml", ".yml")):
        return _of_file(find("protocols", word))
    try:
        return FoundProtocol(find_task(word))
    except ConfigError as error:
        try:
            path = find("protocols", word)
        except ConfigError:
            raise error from None
    return _of_file(path)


def _of_file(path: Path) -> FoundProtocol:
    layered = load_config(path)
    word = validate(ProtocolFile, layered).protocol
    mark = layered.location(("protocol",))
    try:
        found = find_task(word, None if mark.line is None else Path(mark.file).parent)
    except ConfigError as error:
        raise ConfigError(config_issue(mark, ("protocol",), str(error))) from None
    return FoundProtocol(found, layered)
