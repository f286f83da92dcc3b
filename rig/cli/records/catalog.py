"""``rig catalog``: list and search the sessions of all subjects; ``rig catalog rebuild`` makes the catalog again."""

from __future__ import annotations

import argparse
import datetime
from dataclasses import asdict, dataclass

from rig.cli import common
from rig.cli.terminal.printing import print_json, print_table
from rig.core.errors import ConfigError
from rig.live.end_reasons import FAILURES, REASONS, end_text
from rig.records.catalog import (
    CATALOG,
    CatalogRow,
    key_of,
    load_catalog,
    rebuild_catalog,
    session_folder,
    task_changes,
)
from rig.records.session.task_version import UNCHANGED
from rig.system.control_socket import running_folders
from rig.system.statuses import OK
from rig.terminal.format import pluralize

NO_END = "none"
WEEK_DAYS = 7
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
    rows = load_catalog(data)
    changes = task_changes(data, rows) if arguments.changes else {}
    folders = running_folders()
    listed = [
        Listed(row, session_folder(data, row).resolve() in folders, changes.get(key_of(row), UNCHANGED).texts)
        for row in rows
        if _is_wanted(row, arguments, since, until)
    ]
    if arguments.changes:
        listed = [each for each in listed if each.changes]
    if arguments.failed:
        listed = [each for each in listed if each.has_failed]
    found = [each for each in listed if each.row.simulated == arguments.sim]
    if arguments.json:
        print_json([each.document(with_changes=arguments.changes) for each in found])
    elif found:
        print_table([_cells(each) for each in found], COLUMNS, [each.changes for each in found])
    else:
        print(_none(len(listed), simulated=arguments.sim))
    return OK


@dataclass(frozen=True)
class Listed:
    """A session of the catalog, and whether it runs now."""

    row: CatalogRow
    running: bool
    changes: tuple[str, ...] = ()
    """How its code and parameters differ from the subject's last session of the protocol; only if asked for."""

    def document(self, *, with_changes: bool) -> dict[str, object]:
        """Return it for ``--json``."""
        facts = {name: value for name, value in asdict(self.row).items() if name not in ("code", "params")}
        return {**facts, "running": self.running, **({"changes": list(self.changes)} if with_changes else {})}

    @property
    def has_failed(self) -> bool:
        """Whether it broke off, for good or for a while, or ended by a fault or a panic."""
        reason = self.row.reason
        return bool(self.row.breaks) or reason in FAILURES or (reason is None and not self.running)

    @property
    def end(self) -> str:
        """Return how it ended, how often it broke off and went on before, and who voided it."""
        breaks, voided = self.row.breaks, self.row.voided
        ended = end_text(self.row.reason, running=self.running)
        if breaks:
            ended += f"; it broke off {pluralize(breaks, 'time')} and went on"
        return ended if voided is None else f"VOID, {voided}; {ended}"


def _date(name: str, text: str | None) -> str | None:
    if text is None:
        return None
    today = common.now().date()
    days_ago = {"today": 0, "yesterday": 1, "week": WEEK_DAYS - 1}
    if text in days_ago:
        return (today - datetime.timedelta(days=days_ago[text])).isoformat()
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise ConfigError(f"--{name} {text}: is no day: wanted YYYY-MM-DD, today, yesterday or week") from None


def _is_wanted(row: CatalogRow, arguments: argparse.Namespace, since: str | None, until: str | None) -> bool:
    return (
        arguments.subject in (None, row.subject)
        and arguments.protocol in (None, row.protocol, row.variant)
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


def _cells(listed: Listed) -> tuple[str, ...]:
    row = listed.row
    parts = ((row.ul, "ul"), (row.pellets, "pellets"), (row.access_s, "s"))
    given = ", ".join(f"{amount:g} {unit}" for amount, unit in parts if amount) or "0"
    return (
        row.subject,
        row.session,
        row.variant or row.protocol or "unreadable",
        row.stage or "-",
        str(row.trials),
        str(row.rewards),
        given,
        listed.end,
    )
