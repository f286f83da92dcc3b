"""``rig analyze --compare DIR``: the sessions beside those of real mice in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from protocols.two_armed_bandit.analysis.day_to_day.compare import FEWEST, Comparison, compare
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession, of_file
from rig.analysis.common.tables import Table, number
from rig.core.errors import ConfigError
from rig.terminal.format import pluralize


def with_real(folder: str, sessions: Sequence[ChoiceSession]) -> tuple[Comparison, ...]:
    """Return sessions beside all files of a folder. Raises ``ConfigError``, also if their conditions differ."""
    real = [of_file(path) for path in sorted(Path(folder).glob("*.csv"))]
    if min(len(real), len(sessions)) < FEWEST:
        raise ConfigError(
            f"--compare {folder}: has {pluralize(len(real), 'session')}, to compare with {len(sessions)}: wanted at "
            f"least {FEWEST} of both, which have a spread"
        )
    conditions, others = ({session.condition for session in own} for own in (real, sessions))
    if conditions != others:
        raise ConfigError(
            f"--compare {folder}: has sessions at {', '.join(sorted(conditions))}, but those to compare are at "
            f"{', '.join(sorted(others))}: wanted the same conditions"
        )
    return compare(real, sessions)


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """Return the printed table."""
    within = sum(row.within for row in comparisons)
    rows = (
        (
            *(row.name, number(row.real), number(row.real_se), number(row.other), number(row.other_se)),
            "yes" if row.within else "no",
        )
        for row in comparisons
    )
    title = f"beside real mice: {within} of {len(comparisons)} statistics within two standard errors"
    return Table.of(title, ("", "real", "s.e.", "here", "s.e.", "within"), rows)
