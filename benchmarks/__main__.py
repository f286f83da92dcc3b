"""``python -m benchmarks``: measure the numbers of the pages and compare them with their bounds."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

from benchmarks.measure import Measure, Options

NAMES = (
    "full_stack",
    "journal_line",
    "looking_back",
    "campaigns",
    "driver_path",
    "control_flood",
    "memory",
    "analyze",
    "grid_fits",
    "load",
    "start_up",
    "board_timing",
    "tracking",
    "screen",
    "boxes",
    "views",
    "reports",
    "window",
)


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks; return 1 if a number is outside its bound."""
    asked = _parse(arguments)
    options = Options(tuple(asked.seed) or None, asked.rounds)
    console = Console(stderr=asked.json)
    found: dict[str, list[Measure]] = {}
    for name in asked.only or NAMES:
        with console.status(name):
            found[name] = import_module(f"benchmarks.{name}").measure(options)
    if asked.json:
        print(json.dumps({name: [m.to_dict() for m in measures] for name, measures in found.items()}, indent=2))
    else:
        console.print(_table(found))
    return 0 if all(m.holds for measures in found.values() for m in measures) else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=NAMES, help="run only this benchmark; may be repeated")
    parser.add_argument(
        "--seed", action="append", type=int, default=[], help="seed of a session (full_stack); may be repeated"
    )
    parser.add_argument(
        "--rounds", type=int, help="number of interleaved rounds (full_stack: per seed; boxes: minutes)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


def _table(found: dict[str, list[Measure]]) -> Table:
    here = f"Python {platform.python_version()}, {platform.system()}; median of the rounds (smallest-largest)"
    table = Table("what", "measured", "must be", "", caption=here)
    for measures in found.values():
        for measure in measures:
            what = f"{measure.what}\n[dim]{measure.note}[/dim]" if measure.note else measure.what
            mark = "[green]holds[/green]" if measure.holds else "[red]does not hold[/red]"
            table.add_row(what, measure.measured, measure.must_be, mark)
    return table


if __name__ == "__main__":
    sys.exit(main())
