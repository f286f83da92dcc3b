"""What this computer lacks: packages, programs, rights, a display, room on the disk, the right time.

Each part says what it gives, because a laboratory needs few of them on each computer.
"""

from __future__ import annotations

import datetime
import re
import shutil
import webbrowser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from rig.boards.driver_lookup import find_driver
from rig.boards.ports import ports_here
from rig.core.errors import ConfigError
from rig.diagnostics.host_system import HostSystem
from rig.diagnostics.port_checks import check_port, check_system
from rig.platform.clock_state import is_clock_synchronized
from rig.platform.groups import PORT_GROUP, opens_everything
from rig.platform.system import has_display
from rig.system.plugins import BOARDS, installed_plugins

DISTRIBUTION = "behavior-rig"
EXTRAS = {
    "analysis": "fits and figures of `rig analyze`, `rig study` and reports",
    "camera": "tracking of an animal by a camera",
    "screen": "touch screens: tasks of pigeons and people",
    "gui": "the window: `rig watch --window`, `rig run --window`",
    "data": "pandas tables and Parquet files: notebooks, `rig study`, `rig export`",
    "nwb": "`rig export nwb`",
    "cluster": "`--scheduler`: simulations on a cluster",
}
"""What each extra gives. The packages of an extra are those that the installed program names.

The extra `chip` has no row: `check_tools` has one of node, which need not come from there.
"""

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*;.*extra *== *['\"](?P<extra>[\w-]+)['\"]")
ROOM_BYTES = 5_000_000_000
"""A day of a laboratory with cameras takes less."""


@dataclass(frozen=True)
class Part:
    """A part of this computer: what it ``gives``, and the command or action to ``get`` it.

    ``missing`` is a part that only some laboratories need; an ``error`` keeps sessions from running.
    """

    what: str
    verdict: Literal["ok", "missing", "warning", "error"]
    text: str
    gives: str = ""
    get: str = ""


def check_extras(stated: Iterable[str] | None = None) -> Iterator[Part]:
    """Check the packages of each extra; ``stated`` are the requirements of this program, those installed by default."""
    if stated is None:
        try:
            stated = requires(DISTRIBUTION) or ()
        except PackageNotFoundError:
            stated = ()
    packages = _packages_of_extras(stated)
    for extra, gives in EXTRAS.items():
        names = packages.get(extra, [])
        absent = [name for name in names if _version(name) is None]
        get = f"pip install '{DISTRIBUTION}[{extra}]'"
        if not names:
            yield Part(f"extra {extra}", "warning", "the installed program does not name its packages", gives, get)
        elif absent:
            yield Part(f"extra {extra}", "missing", f"without {', '.join(absent)}", gives, get)
        else:
            yield Part(f"extra {extra}", "ok", ", ".join(f"{name} {_version(name)}" for name in names))


def _packages_of_extras(stated: Iterable[str]) -> dict[str, list[str]]:
    packages: dict[str, list[str]] = {}
    for requirement in stated:
        match = _REQUIREMENT.match(requirement)
        # An extra that names one of this program's own, as gui names screen: that one has its own row.
        if match is not None and match["name"] != DISTRIBUTION:
            packages.setdefault(match["extra"], []).append(match["name"])
    return packages


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def check_tools() -> Iterator[Part]:
    """Check the programs and libraries that the installed drivers of boards can use."""
    for name in installed_plugins(BOARDS):
        try:
            tools = list(find_driver(name).tools())
        except ConfigError as error:  # a laboratory's own driver
            yield Part(f"driver {name}", "warning", error.lines[0])
            continue
        for tool in tools:
            if tool.problem:
                yield Part(tool.name, "missing", tool.problem.partition(": ")[0], tool.gives, tool.get)
            else:
                yield Part(tool.name, "ok", tool.gives)


def check_ports(computer: HostSystem) -> Iterator[Part]:
    """Check the rights to serial ports, and what else may open them. No port is opened."""
    gives = "boards at serial ports"
    ports = [port for port in ports_here() if port.may_be_board]
    for finding in (*check_system(computer), *(found for port in ports for found in check_port(port, computer))):
        if finding.verdict in ("ok", "unavailable"):
            yield Part(finding.what, "ok", finding.text)
        else:
            yield Part(finding.what, "warning", finding.text, gives, finding.fix)
    if computer.linux and not ports:
        yield _port_rights(computer, gives)


def _port_rights(computer: HostSystem, gives: str) -> Part:
    if opens_everything() or computer.is_member(PORT_GROUP):
        return Part("serial ports", "ok", "you may open them; no board is connected")
    get = f"sudo usermod -a -G {PORT_GROUP} $USER   # then log out and in again"
    return Part("serial ports", "missing", f"you are not in the group {PORT_GROUP}", gives, get)


def check_screens() -> Iterator[Part]:
    """Check the display and the browser."""
    if has_display():
        yield Part("display", "ok", "windows can be opened")
    else:
        get = "work at the computer's own desktop, or over ssh with `ssh -X`"
        yield Part("display", "missing", "this terminal has none", "the window, touch screens, reports at once", get)
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        yield Part("browser", "missing", "none was found", "`rig report --open`", "install a browser, such as Firefox")
    else:
        yield Part("browser", "ok", getattr(browser, "name", "") or "the system's")


def check_disk(folder: Path, needed_bytes: int) -> Part:
    """Check the room where the records of a folder are, or will be."""
    there = next((path for path in (folder.absolute(), *folder.absolute().parents) if path.is_dir()), Path())
    what = f"disk of {folder}"
    try:
        free = shutil.disk_usage(there).free
    except OSError as error:
        return Part(what, "error", f"cannot be read: {error.strerror}", "sessions", "another folder: --data")
    text = f"{free / 1e9:.1f} GB are free"
    if free < needed_bytes:
        text += f"; a session needs {needed_bytes / 1e9:.1f} GB"
        return Part(what, "error", text, "sessions", "make room, or take another folder: --data")
    if free < ROOM_BYTES:
        return Part(what, "warning", text, "weeks of sessions", "make room, or take another folder: --data")
    return Part(what, "ok", text)


def check_clock(now: datetime.datetime, newest_day: str) -> Part:
    """Check the time: not before ``newest_day``, that of the newest session, and set by a time service."""
    gives = "sessions that lie in the folder of their day, and daily limits"
    if newest_day > now.date().isoformat():
        text = f"today is {now:%Y-%m-%d}, and a session is of {newest_day}"
        return Part("clock", "error", text, gives, "set this computer's date: timedatectl set-ntp true")
    synchronized = is_clock_synchronized()
    if synchronized is False:
        return Part(
            "clock", "warning", f"no time service has set it ({now:%Y-%m-%d %H:%M})", gives, "timedatectl set-ntp true"
        )
    by = "" if synchronized is None else ", set by a time service"
    return Part("clock", "ok", f"{now:%Y-%m-%d %H:%M}{by}")
