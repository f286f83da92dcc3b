"""Sessions with given outcomes, for the tests of the tables over sessions."""

from pathlib import Path

from rig.analysis.common.record import Record
from rig.analysis.sessions.visits import SessionRecord, of_record
from tests.journal_lines import FOOTER, HEADER

OUTCOMES = ("rewarded", "unrewarded", "rewarded", "omission")


def visit(day: int = 1, outcomes: tuple[str, ...] = OUTCOMES, ended: bool = True, **footer: object) -> SessionRecord:
    header = {**HEADER, "k": "header", "t": 0, "start": f"2026-11-{day:02}T09:00:00", "columns": ["trial", "outcome"]}
    rows = [
        {"k": "trial", "t": 1_000_000 * (place + 1) ** 2, "trial": place + 1, "outcome": outcome}
        for place, outcome in enumerate(outcomes)
    ]
    end = [{**FOOTER, "k": "footer", "t": 60_000_000, "rewards": 2, "ul": 5.0, **footer}] if ended else []
    return of_record(Record(f"M1/2026-11-{day:02}/001", "M1", Path(), [header, *rows, *end]))
