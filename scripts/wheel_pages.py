"""Run the commands of the README and of the tutorials with the installed wheel and the extras that each page names.

A page is read as the tests of pages read it, with its exit statuses and the blocks that are not run. Each page is typed
in a folder with the rig file and the calibrations of a laboratory, and with the files that the page shows.
`a-day.md` is left out: it takes six minutes of real time, and scripts/a_day.py runs it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from serial.tools.list_ports import comports

from scripts import a_day
from scripts.installed_wheel import FailedError, InstalledWheel
from tests.docs import laboratory_files
from tests.docs.consoles import wrong_result
from tests.docs.installs import extras_of
from tests.docs.pages import ROOT, Block, blocks_of, path_of

PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs/tutorials").glob("*.md"))) if page != a_day.PAGE]
SHELLS = ("sh", "console")


class Terminal(Protocol):
    """Where commands are typed."""

    @property
    def configs(self) -> Path:
        """Return the folder of the shipped YAML files."""

    def typed(self, line: str, folder: Path) -> tuple[int, str]:
        """Run a line; return the exit status and all that is printed."""


class PageRun(NamedTuple):
    """The commands of a page: how many were typed, in how many seconds, and what went wrong."""

    page: str
    commands: int
    seconds: float
    problems: list[str]


def run_pages(folder: Path, base: Path, wheel: Path) -> Iterator[PageRun]:
    """Yield the run of each page that has commands, in a new folder. Raises ``FailedError``."""
    refuse_boards()
    installed: InstalledWheel | None = None
    for extras, pages in _by_extras().items():
        if installed is None or not installed.extras <= extras:
            installed = InstalledWheel(folder / "_".join(sorted(extras)), base, wheel)
        installed.install(extras)
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            yield from threads.map(partial(run_page, installed, folder), pages)


def _by_extras() -> Mapping[frozenset[str], list[Path]]:
    """Return the pages with commands by their extras, fewer first: their environment becomes that of the next ones."""
    pages: dict[frozenset[str], list[Path]] = {}
    for page in sorted(PAGES, key=lambda page: len(extras_of(page))):
        if any(_commands_of(block) for block in blocks_of(page)):
            pages.setdefault(frozenset(extras_of(page)), []).append(page)
    return pages


def refuse_boards() -> None:
    """Raise ``FailedError`` if a board is plugged in: commands of the pages would open its valves."""
    ports = [port.device for port in comports() if port.vid is not None]
    if ports:
        raise FailedError(f"unplug {', '.join(ports)}: commands of the pages would open valves")


def run_page(terminal: Terminal, folder: Path, page: Path) -> PageRun:
    """Run the commands of a page in a new laboratory in a folder, and write the files that it shows."""
    laboratory = folder / f"laboratory_{page.stem}"
    laboratory_files.write(laboratory)
    begun, typed, problems = time.monotonic(), 0, list[str]()
    for block in blocks_of(page):
        if block.file is not None:
            file = laboratory / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        for command, shown in _commands_of(block):
            status, printed = terminal.typed(command, laboratory)
            # The pages show the shipped files as they are called in the repository.
            problem = wrong_result(shown, block.status, status, printed.replace(str(terminal.configs), "configs"))
            problems += [f"{block.where}: {command}: {problem}"] if problem else []
            typed += 1
    return PageRun(path_of(page), typed, time.monotonic() - begun, problems)


def _commands_of(block: Block) -> list[tuple[str, str]]:
    return list(block.commands()) if block.language in SHELLS and not block.pending else []
