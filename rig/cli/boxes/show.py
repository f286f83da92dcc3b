"""``rig boxes show``: what each box of a file is about to run, and how its animal, valves and stock are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict

from rich.text import Text

from rig.cli import common
from rig.cli.boxes.facts import facts_of
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import Row, say, write
from rig.config import find
from rig.platform.processes import lower_priority
from rig.session.read_boxes import Boxes
from rig.supervisor.box_facts import BoxFacts
from rig.system.settings import load_settings
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Print the facts of each box. Raises ``ConfigError`` with the mistakes of the file."""
    lower_priority()  # the launcher asks while sessions run
    data, settings = common.data_folder(arguments).absolute(), load_settings()
    path = find("boxes", arguments.boxes)
    facts = [facts_of(plan, data) for plan in Boxes(path, settings).plans]
    if arguments.json:
        names = list(settings.experimenters.value)
        print_json({"file": str(path.absolute()), "boxes": [asdict(each) for each in facts], "experimenters": names})
        return OK
    for index, each in enumerate(facts):
        simulated = " (simulated)" if each.simulated else ""
        say(*[""] * (index > 0), f"{each.box}: {each.subject}{simulated}", file=sys.stdout)
        write(_rows(each), sys.stdout)
    return OK


def _rows(facts: BoxFacts) -> Iterator[Row]:
    for row in facts.rows:
        yield row.name, Text(row.text, "bold yellow" if row.needs_look else "")
    if facts.problem:
        yield "refused", Text(facts.problem, "bold red")
