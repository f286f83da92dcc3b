"""``rig show``: what a protocol is made of."""

from __future__ import annotations

import argparse

from rig.cli.status import OK
from rig.config import ProtocolFile, find, load, validate
from rig.core.errors import ConfigError
from rig.core.graph import mermaid, text
from rig.session.setup import find_task


def run(arguments: argparse.Namespace) -> int:
    """Show the state graph of a protocol, given by its own name or that of its YAML file."""
    try:
        task = find_task(arguments.protocol)
    except ConfigError as error:
        try:
            path = find("protocols", arguments.protocol)
        except ConfigError:
            raise error from None
        task = find_task(validate(ProtocolFile, load(path)).protocol)
    print(mermaid(task) if arguments.mermaid else text(task))
    return OK
