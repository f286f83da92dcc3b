"""``rig catalog``: list and search the sessions of all subjects; ``rig catalog rebuild`` makes the catalog again."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterator
from dataclasses import asdict

from rig.cli import common
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError
from rig.live.reasons import REASONS
from rig.records.catalog import CATALOG, CatalogRow, load_catalog, rebuild_catalog
from rig.system.statuses import OK
from rig.terminal.format import pluralize

NO_END = "none"
COLUMNS = ("subject", "session", "protocol", "stage", "trials", "rewards", "given", "ended")


def run(arguments: argparse.Namespace) -> int:
    """Print the sessions. Raises ``ConfigError``, ``RecordError``."""
    data = common.data_folder(arguments)
    if not data.is_dir():
        raise ConfigError(f"{data}: there is no such folder; --data or $RIG_DATA names that of the records")
    since, until = (_date(name, getattr(arguments, name)) for name in ("since", "until"))
    if arguments.reason is not None and arguments.reason not in (*REASONS, NO_END):
        raise ConfigError(f"--reason {arguments.reason}: wanted one of {', '.join((*REASONS, NO_END))}")
    if arguments.what == "rebuild":
        rows = rebuild_catalog(data)
        print(f"{data / CATALOG}: made again from {pluralize(len(rows), 'journal')}")
        return OK
    wanted = [row for row in load_catalog(data) if _is_wanted(row, arguments, since, until)]
    found = [row for row in wanted if row.simulated == arguments.sim]
    if arguments.json:
        print_json([asdict(row) for row in found])
    else:
        print(*(_lines(found) if found else [_none(len(wanted), simulated=arguments.sim)]), sep="\n")
    return OK


def _date(name: str, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise ConfigError(f"--{name} {text}: is no day: wanted YYYY-MM-DD") from None


def _is_wanted(row: CatalogRow, arguments: argparse.Namespace, since: str | None, until: str | None) -> bool:
    return (
        arguments.subject in (None, row.subject)
        and arguments.protocol in (None, row.protocol)
        and arguments.reason in (None, row.reason or NO_END)
        and (since is None or row.day >= since)
        and (until is None or row.day <= until)
    )


def _none(others: int, *, simulated: bool) -> str:
    """Return that no session was found; ``others`` are those that the option ``--sim`` decides about."""
    if not others:
        return "no such session"
    kind, advice = ("real", "leave --sim out") if simulated else ("simulated", "add --sim")
    return f"no such session, but {pluralize(others, f'{kind} session')}: {advice}"


def _lines(rows: list[CatalogRow]) -> Iterator[str]:
    cells = [COLUMNS, *map(_cells, rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(COLUMNS))]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cells(row: CatalogRow) -> tuple[str, ...]:
    parts = ((row.ul, "ul"), (row.pellets, "pellets"), (row.access_s, "s"))
    given = ", ".join(f"{amount:g} {unit}" for amount, unit in parts if amount) or "0"
    return (
        row.subject,
        row.session,
        row.protocol or "unreadable",
        row.stage or "-",
        str(row.trials),
        str(row.rewards),
        given,
        _ended(row),
    )


def _ended(row: CatalogRow) -> str:
    ended = "no end" if row.reason is None else REASONS.get(row.reason, row.reason)
    return ended if row.voided is None else f"VOID, {row.voided}; {ended}"
