"""Progress of long work on standard error: a bar on a terminal, otherwise a line for each tenth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rig.terminal.console import SafeConsole

T = TypeVar("T")

LINES = 10


def shown(results: Iterable[T], count: int, what: str) -> Iterator[T]:
    """Yield results as they come, and draw how many of ``count`` have come."""
    console = SafeConsole(stderr=True)
    if not count:
        yield from results
    elif console.is_terminal:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console, transient=True) as bar:
            yield from bar.track(results, total=count, description=what)
    else:
        for number, result in enumerate(results, 1):
            yield result
            if number * LINES // count > (number - 1) * LINES // count:
                console.print(f"{what}: {number} of {count}", soft_wrap=True)
