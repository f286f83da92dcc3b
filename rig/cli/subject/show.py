"""``rig subject show``: a subject's weights, water, top-up, stage, last sessions and notes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from rig.cli import common
from rig.cli.analyze.answer import INSTALL, missing_extra
from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import Row, warning, write
from rig.core.errors import ConfigError
from rig.live.end_reasons import end_text
from rig.records.subject.days import SubjectDay
from rig.records.subject.entries import Entry
from rig.records.subject.report import SubjectReport, subject_report
from rig.system.control_socket import running_folders
from rig.system.statuses import OK
from rig.terminal.format import amounts_text, pluralize

MOST_DAYS = 3650
OWN_ROWS = {"baseline_g", "baseline_date", "implant_g", "implant_date"}
"""Facts with a row of their own."""
LAST = 5
"""So many sessions and notes are listed."""


def run(arguments: argparse.Namespace) -> int:
    """Print the report, and draw the figure. Raises ``ConfigError``, ``RecordError``."""
    subject = known_subject(arguments)
    report = subject_report(subject.folder, common.now(), parse_days(arguments.days))
    if arguments.figure is not None:
        _draw(report, arguments.figure)
    if arguments.json:
        print_json(report.model_dump(mode="json"))
    else:
        write(_rows(report, _running(subject.folder)), sys.stdout)
    return OK


def parse_days(text: str) -> int:
    """Parse ``--days``. Raises ``ConfigError``."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MOST_DAYS):
        raise ConfigError(f"--days {text}: wanted a number of days from 1 to {MOST_DAYS}")
    return int(text)


def _draw(report: SubjectReport, file: str) -> None:
    path = Path(file)
    if path.suffix.lower() != ".png":
        raise ConfigError(f"--figure {file}: wanted a file that ends in .png")
    if not path.parent.is_dir():
        raise ConfigError(f"--figure {file}: there is no folder {path.parent}")
    if not report.days:
        raise ConfigError(f"--figure {file}: nothing is recorded of {report.subject} yet: there is nothing to draw")
    if "matplotlib" in missing_extra():
        raise ConfigError(f"--figure {file}: needs matplotlib: {INSTALL}")
    from rig.analysis.common.style import save
    from rig.analysis.sessions.subject_figure import subject_figure

    save(subject_figure(report), path)
    print(f"figure: {path}", file=sys.stderr)


def _running(subject: Path) -> frozenset[str]:
    """Return the names of a subject's sessions that run."""
    folders = (folder for folder in running_folders() if folder.parent.parent == subject.resolve())
    return frozenset("/".join(folder.parts[-2:]) for folder in folders)


def _rows(report: SubjectReport, running: frozenset[str]) -> Iterator[Row]:
    yield "subject", Text(report.subject, style="bold")
    facts = report.facts.model_dump(mode="json", exclude_none=True, exclude=OWN_ROWS)
    if facts:
        yield "facts", ", ".join(f"{name} {value}" for name, value in facts.items())
    if report.baseline_g is not None:
        since = f", of {report.baseline_date}" if report.baseline_date else ""
        yield "baseline", f"{report.baseline_g:g} g{since}"
    if report.implant_g:
        yield "implant", f"{report.implant_g:g} g; the percentages are without it"
    yield "restricted", report.restriction
    yield "stage", report.stage or "none: no session of a curriculum"
    if report.due_today is not None:
        yield "due today", Text(report.due_today, style="bold")
    yield from (("top-up", Text(f"OPEN, of {text}", style="bold red")) for text in report.open_top_ups)
    yield "days", _table(report.days) if report.days else "nothing is recorded yet"
    last = [session for day in report.days for session in day.sessions][-LAST:]
    for place, session in enumerate(last):
        reason = end_text(session.reason, running=session.session in running)
        counts = f"{pluralize(session.trials, 'trial')}, {pluralize(session.rewards, 'reward')}"
        void = "" if session.voided is None else f"; VOID, {session.voided}"
        yield "" if place else "sessions", f"{session.session}  {session.protocol}, {counts}; {reason}{void}"
    for place, entry in enumerate(entry_lines(report.entries[-LAST:])):
        yield "" if place else "entries", entry
    for name, texts in (("notes", report.notes), ("changes", report.changes)):
        for place, note in enumerate(texts[-LAST:]):
            yield "" if place else name, f"{note.at[:16].replace('T', ' ')}  {note.by}: {note.text}"
    for day in report.days:
        yield from (warning(f"{day.day}: {text}") for text in day.warnings)
    said = (report.baseline_warning, *report.unfinished, *report.damage)
    yield from (warning(text) for text in said if text)


def entry_lines(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a line for each entry, the numbers aligned."""
    width = max((len(str(entry.number)) for entry in entries), default=0)
    for entry in entries:
        void = "" if entry.voided is None else f"  VOID, {entry.voided}"
        yield f"{entry.number:>{width}}  {entry.time_text}  {entry.by}: {entry.text}{void}"


def _table(days: list[SubjectDay]) -> Table:
    shown = ["day", "weight", "%", "trials", "rewards", "earned", "by hand", "due"]
    table = Table.grid(padding=(0, 1, 0, 0))  # two columns more would fold amounts at 80 columns
    for name in shown:
        table.add_column(justify="left" if name == "day" else "right", overflow="fold", no_wrap=name != "earned")
    table.add_row(*(Text(name, style="dim") for name in shown))
    for day in days:
        table.add_row(*map(Text, _cells(day)))
    return table


def _cells(day: SubjectDay) -> tuple[str, ...]:
    after = f" / {day.weight_after_g:g} g" if day.weight_after_g is not None else ""
    weight = "-" if day.weight_g is None else f"{day.weight_g:g} g"
    due = "-"
    if day.due_unit is not None:
        due = "unknown" if day.due is None else f"{day.due:g} {day.due_unit}"
    unknown = " + unknown" if day.unknown else ""
    return (
        day.day.isoformat(),
        weight + after,
        "-" if day.percent is None else f"{day.percent:.1f}",
        str(day.trials),
        str(day.rewards),
        amounts_text(day.earned_ul, day.earned_pellets, day.earned_access_s) + unknown,
        amounts_text(day.by_hand_ul, day.by_hand_pellets, 0, day.by_hand_food_g),
        due,
    )
