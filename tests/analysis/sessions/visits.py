"""Sessions with given outcomes, for the tests of the tables over sessions."""

from pathlib import Path

from rig.analysis.common.record import Record
from rig.analysis.sessions.visits import SessionRecord, of_record
from rig.core.journal.header import Header
from rig.core.journal.kinds import TrialLine
from tests.journal_lines import FOOTER, HEADER, made

OUTCOMES = ("rewarded", "unrewarded", "rewarded", "omission")


def visit(day: int = 1, outcomes: tuple[str, ...] = OUTCOMES, ended: bool = True, **footer: object) -> SessionRecord:
    header = made("header", **{**HEADER, "start": f"2026-11-{day:02}T09:00:00", "columns": ["trial", "outcome"]})
    assert isinstance(header, Header)
    rows = [
        TrialLine(1_000_000 * trial**2, {"trial": trial, "outcome": outcome})
        for trial, outcome in enumerate(outcomes, start=1)
    ]
    end = [made("footer", 60_000_000, **{**FOOTER, "rewards": 2, "ul": 5.0, **footer})] if ended else []
    return of_record(Record(f"M1/2026-11-{day:02}/001", "M1", Path(), header, [*rows, *end]))
