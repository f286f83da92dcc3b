"""``rig show protocols``: what is installed, what lies in folders here, and the YAML files of each."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from rig.cli.show.installed import show
from rig.cli.show.template import write_template
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.session.spec.protocol_catalog import ProtocolEntry, YamlEntry, protocols
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Print the protocols, or write a new one."""
    if arguments.template is not None:
        return _template(arguments)
    if arguments.into is not None:
        raise ConfigError("--into: says where a template goes: give --template NAME too")
    entries = protocols()
    if arguments.json:
        print_json({"protocols": [asdict(each) for each in entries]})
        return OK
    show((each.name, _source(each), each.sentence, each.mistake, _lines(each.files)) for each in entries)
    return OK


def _source(entry: ProtocolEntry) -> str:
    return entry.source if entry.run else f"{entry.source} (read, not run)"


def _lines(files: list[YamlEntry]) -> list[tuple[str, str]]:
    return [(each.name, each.sentence) for each in files]


def _template(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.into or "")
    python, yaml = write_template(arguments.template, folder)
    if arguments.json:
        print_json({"written": [str(python), str(yaml)]})
        return OK
    print(f"{python}: the task; change it to your own", f"{yaml}: its parameters, and when a session ends", sep="\n")
    print("", "Try:", f"  rig check {yaml}", f"  rig sim {yaml} --model random --seed 1", sep="\n")
    return OK
