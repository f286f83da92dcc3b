"""``rig subject merge``: merge two records of one animal, whose name was mistyped once."""

from __future__ import annotations

import argparse

from rig.cli import common
from rig.cli.run.before import named_person
from rig.core.errors import ConfigError
from rig.session.merge import merge
from rig.system.statuses import OK
from rig.terminal.format import pluralize


def run(arguments: argparse.Namespace) -> int:
    """Run the merge. Raises ``ConfigError``, ``RecordError``."""
    if not arguments.reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    data = common.data_folder(arguments)
    wrong = common.known_subject(arguments)
    right = common.known_subject(argparse.Namespace(subject=arguments.right, data=arguments.data))
    merged = merge(data, wrong.name, right.name, by, arguments.reason, common.now())
    print(
        f"{wrong.name} is merged into {right.name}: {pluralize(merged.sessions, 'session')} and "
        f"{'1 entry' if merged.entries == 1 else f'{merged.entries} entries'} moved; {wrong.name} is retired"
    )
    return OK
