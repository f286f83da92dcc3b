"""Sessions with given outcomes, for the tests of the tables over sessions."""

from rig.analysis.sessions.visits import SessionRecord, of_session
from rig.core.journal.kinds import TrialLine
from tests.journal_lines import FOOTER, made
from tests.records.session_of_lines import SessionOfLines

OUTCOMES = ("rewarded", "unrewarded", "rewarded", "omission")


def visit(day: int = 1, outcomes: tuple[str, ...] = OUTCOMES, ended: bool = True, **footer: object) -> SessionRecord:
    rows = [
        TrialLine(1_000_000 * trial**2, {"trial": trial, "outcome": outcome})
        for trial, outcome in enumerate(outcomes, start=1)
    ]
    end = [made("footer", 60_000_000, **{**FOOTER, "rewards": 2, "ul": 5.0, **footer})] if ended else []
    start = f"2026-11-{day:02}T09:00:00"
    return of_session(SessionOfLines(f"M1/2026-11-{day:02}/001", *rows, *end, start=start))
