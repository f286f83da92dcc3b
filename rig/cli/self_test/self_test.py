"""``rig self-test``: replay shipped and recent sessions, and name what this computer lacks."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from rich.text import Text

from rig import __version__
from rig.cli import common
from rig.cli.self_test.rows import Row, computer_row, recorded_row, shipped_row
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.diagnostics.computer_checks import (
    Part,
    check_clock,
    check_disk,
    check_extras,
    check_ports,
    check_screens,
    check_tools,
)
from rig.diagnostics.host_system import HostSystem
from rig.platform.system import SYSTEM
from rig.records.session.newest import newest_sessions
from rig.session.replay_worker import ReplayWorker
from rig.session.run.disk_space import FREE_BYTES
from rig.session.shipped_sessions import shipped_sessions
from rig.system.control_socket import running_folders
from rig.system.statuses import FAILED, NO_HARDWARE, OK
from rig.terminal.console import SafeConsole
from rig.terminal.format import pluralize

_STYLES = {"ok": "green", "missing": "yellow", "warning": "yellow", "error": "bold red"}
SHIPPED, COMPUTER = "sessions of this program", "this computer"


def run(arguments: argparse.Namespace) -> int:
    """Run all checks, and print each as soon as its result is known."""
    if arguments.last < 0:
        raise ConfigError(f"--last {arguments.last}: wanted 0 or more")
    folders = [Path(name) for name in arguments.data or ()] or [common.data_folder(arguments)]
    if missing := [str(folder) for folder in folders if arguments.data and not folder.is_dir()]:
        raise ConfigError(*(f"--data {name}: there is no such folder" for name in missing))
    console = None if arguments.json else SafeConsole()
    rows: list[Row] = []
    for row in _rows(folders, arguments.last):
        if console is not None:
            _print(console, row, is_first=not rows or rows[-1].group != row.group)
        rows.append(row)
    status = _status(rows)
    if console is None:
        print_json({"version": __version__, "status": status, "checks": [row.document() for row in rows]})
    else:
        print()
        print(_summary(rows))
    return status


def _rows(folders: list[Path], last: int) -> Iterator[Row]:
    newest: list[Path] = []
    with ReplayWorker() as worker:
        for name, journal in shipped_sessions().items():
            yield shipped_row(SHIPPED, name, None if journal is None else worker.check(journal))
        for folder in folders:
            for simulated in (False, True):
                yield from _recorded_rows(worker, folder, last, newest, simulated=simulated)
    yield from (computer_row(COMPUTER, part) for part in _parts(folders, newest))


def _recorded_rows(
    worker: ReplayWorker, folder: Path, last: int, newest: list[Path], *, simulated: bool
) -> Iterator[Row]:
    """Yield the rows of the last sessions below a folder; those of real subjects are added to ``newest``."""
    group = f"last {'simulated ' * simulated}sessions in {folder}"
    journals, unread = newest_sessions(folder, last, simulated=simulated)
    newest += [] if simulated else journals
    yield from (Row(group, "records", "warning", why) for why in unread)
    if not journals and not unread:
        yield Row(group, "none", "ok", "wanted folders such as M12/2026-11-21/001")
    running_now = running_folders()
    for journal in journals:
        is_running = journal.parent.resolve() in running_now
        yield recorded_row(group, folder, journal, None if is_running else worker.check(journal))


def _parts(folders: Iterable[Path], newest: Iterable[Path]) -> Iterator[Part]:
    yield Part("program", "ok", f"rig {__version__}, Python {platform.python_version()}, {SYSTEM}")
    yield from chain(check_extras(), check_tools(), check_ports(HostSystem()), check_screens())
    yield from (check_disk(folder, FREE_BYTES) for folder in folders)
    yield check_clock(common.now(), max((journal.parent.parent.name for journal in newest), default=""))


def _status(rows: list[Row]) -> int:
    groups = [row.group for row in rows if row.verdict == "error"]
    if any(group != COMPUTER for group in groups):
        return FAILED
    return NO_HARDWARE if groups else OK


def _summary(rows: list[Row]) -> str:
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in _STYLES}
    result = "FAILED" if counts["error"] else "OK"
    found = f"{pluralize(counts['error'], 'error')}, {pluralize(counts['warning'], 'warning')}"
    missing = counts["missing"]
    return f"self-test: {result} ({found}; {missing} missing, each needed only for what it gives)"


def _print(console: SafeConsole, row: Row, *, is_first: bool) -> None:
    if is_first:
        console.print(Text(row.group, "bold"))
    console.print(
        Text.assemble((f"  {row.verdict:8}", _STYLES[row.verdict]), (row.what, "bold"), ": ", row.text), soft_wrap=True
    )
    for word, text in (("for", row.gives), ("get it", row.get)):
        if text:  # in one piece, so that it can be copied
            console.print(Text(f"{'':10}{word + ':':8}{text}"), soft_wrap=True)
