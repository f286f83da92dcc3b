"""``rig show``: what a protocol is made of."""

from __future__ import annotations

import argparse

from rig.cli.status import OK
from rig.config import ProtocolFile, find, load, validate
from rig.core.errors import ConfigError
from rig.core.graph import mermaid, text
from rig.session.tasks import FoundTask, find_task


def run(arguments: argparse.Namespace) -> int:
    """Show the state graph of a protocol, given by its own name or that of its YAML file."""
    task = find_task_or_file(arguments.protocol).task
    print(mermaid(task) if arguments.mermaid else text(task))
    return OK


def find_task_or_file(word: str) -> FoundTask:
    """Find a task by its own name, or by a YAML file that names it. Raises ``ConfigError``."""
    try:
        return find_task(word)
    except ConfigError as error:
        try:
            path = find("protocols", word)
        except ConfigError:
            raise error from None
        return find_task(validate(ProtocolFile, load(path)).protocol, path.parent)
