"""``rig show``: what is there, and what it is made of."""

from __future__ import annotations

import argparse
from importlib import import_module

from rig.cli.show.protocol_lookup import look_up_protocol
from rig.cli.terminal.printing import print_lines
from rig.core.task.graph import mermaid, text
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Show what was asked for."""
    if arguments.what == "graph":
        return _graph(arguments)
    return int(import_module(f"rig.cli.show.{arguments.what}").run(arguments))


def _graph(arguments: argparse.Namespace) -> int:
    """Show the state graph of a protocol, given by its own name or that of its YAML file."""
    task = look_up_protocol(arguments.protocol).found.task
    print_lines(mermaid(task) if arguments.mermaid else text(task))
    return OK
