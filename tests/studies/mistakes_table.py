"""A table of the seeded mistakes: the numbers of each without it and with it, and whether they show it.

``python -m tests.studies.mistakes_table`` runs all of them; with names of studies, those of these studies.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.repository import ROOT
from tests.studies.seeded_mistakes import MISTAKES, Figure, Reduced, is_green, is_red, run, run_mistake

write = sys.stdout.write


def main(studies: Sequence[str]) -> None:
    """Print a row for each number of each mistake, then how many mistakes all of their numbers show."""
    names = [name for name, mistake in MISTAKES.items() if not studies or mistake.study in studies]
    write("| mistake | study | number | bounds | without | with | shown |\n|---|---|---|---|---|---|---|\n")
    shown = 0
    for name in names:
        comparisons = list(compare(name))
        shown += all(is_green(without) and is_red(figure) for without, figure in comparisons)
        for without, figure in comparisons:
            write(f"| {name} | {MISTAKES[name].study} | {table_row(without, figure)} |\n")
        sys.stdout.flush()
    write(f"\n{shown} of {len(names)} are shown by all of their numbers.\n")


def compare(name: str) -> Iterator[tuple[Figure, Figure]]:
    """Run a mistake; yield each of its numbers without it and with it."""
    mistake = MISTAKES[name]
    without = run_control(Reduced.control(mistake))
    with tempfile.TemporaryDirectory() as folder:
        figures = run_mistake(mistake, Path(folder))
    for row in mistake.rows:
        yield without[row], figures[row]


@cache
def run_control(reduced: Reduced) -> Mapping[str, Figure]:
    """Run a study without a mistake, once for each size; return its numbers by name."""
    with tempfile.TemporaryDirectory() as folder:
        return run(reduced.data(), ROOT, Path(folder))


def table_row(without: Figure, figure: Figure) -> str:
    """Return the cells of a number: name, bounds, both values with their errors, and whether it shows the mistake."""
    bounds = f"{number(figure['at_least'])} to {number(figure['at_most'])}"
    values = (f"{number(value['obtained'])} ± {number(value['error'])}" for value in (without, figure))
    return " | ".join((figure["name"], bounds, *values, verdict(without, figure)))


def number(value: float | None) -> str:
    """Return a number with three digits."""
    return "" if value is None else f"{value:.3g}"


def verdict(without: Figure, figure: Figure) -> str:
    """Return whether a number shows the mistake, or why it does not."""
    if not is_green(without):
        return f"no: without the mistake it is {without['verdict']}"
    if is_red(figure):
        return "yes"
    return f"no: {figure['verdict']}" + (", unsafe" if figure["unsafe"] else "")


if __name__ == "__main__":
    main(sys.argv[1:])
