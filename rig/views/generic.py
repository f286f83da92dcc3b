"""The views of a protocol that names none, made from its tables as the journal's header describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rig.core.journal.header import Header
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.views import MAX_VIEWS, Choices, Cumulative, Numbers, Outcomes, RunningShare, View
from rig.views.categories import known_words
from rig.views.cells import Described, label_of, unit_of

MAX_COLUMNS = 6
"""More columns of one unit make a second chart."""
MAX_CHOICES = 3
_ACCOUNTING = ("outcome", "delivered_by")
_COUNTED = ("trial", "rewarded")
"""Columns that count trials or rewards: each other chart shows them."""
_SET = ("probability", "ul")
"""Units of what the program sets: steps show it better than medians."""
_TITLES = {"s": "durations", "ms": "durations", "probability": "probabilities", "ul": "volumes"}


def generic_views(header: Header) -> list[View]:
    """Return outcomes, shares and numbers of the trial table, and numbers of the further tables."""
    views = [view for table, columns in header.columns_by_table.items() for view in _of_table(header, table, columns)]
    return views[:MAX_VIEWS]


def _of_table(header: Header, table: str, columns: Sequence[str]) -> Iterator[View]:
    described = header.described(table)
    kinds = {column: described[column].kind if column in described else "" for column in columns}
    is_trials = table == TRIAL_TABLE
    prefix = "" if is_trials else f"{label_of(table)}: "
    if kinds.get("outcome") == "text":
        yield Outcomes("outcome", table=table, title=f"{prefix}outcomes")
    rewarded = "rewarded" if kinds.get("rewarded") in ("integer", "boolean", "number") else ""
    for column in _choice_columns(header, described, kinds, is_trials=is_trials):
        yield Choices(column, rewarded, table=table, title=f"{prefix}{label_of(column)}")
    if is_trials and header.shares:
        yield RunningShare(tuple(header.shares)[:MAX_COLUMNS])
    for unit, group in _by_unit(described, columns).items():
        title = prefix + _TITLES.get(unit, f"numbers in {unit}" if unit else "numbers")
        is_set = unit in _SET
        for first in range(0, len(group), MAX_COLUMNS):
            some = tuple(group[first : first + MAX_COLUMNS])
            yield Numbers(some, over=0 if is_set or not unit else 20, joined=is_set, table=table, title=title)
    times = [column for column in columns if kinds[column] == "number" and _is_time(column)]
    if times:
        yield Cumulative(times[0], rewarded, table=table, title=f"{prefix}cumulative record")


def _choice_columns(header: Header, described: Described, kinds: Mapping[str, str], *, is_trials: bool) -> list[str]:
    """Return the column of the live display's letter, or without one those whose words are few, or not known."""
    letter = header.letter if is_trials else ""
    texts = [name for name, kind in kinds.items() if kind == "text" and name not in _ACCOUNTING]
    known = {name: len(known_words(described, name)) for name in texts}
    # Texts of unknown words may be anything, such as answers: trials rather have choices.
    few = [name for name, count in known.items() if 2 <= count <= 8 or (is_trials and not count)]
    return [name for name in ([letter] if letter else few[:MAX_CHOICES]) if name in kinds]


def _by_unit(described: Described, columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns with numbers by their unit; times of the session always rise, and are left out."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        kind = described[column].kind if column in described else ""
        if kind in ("integer", "number", "any") and column not in _COUNTED and not _is_time(column):
            groups.setdefault(unit_of(described, column), []).append(column)
    return groups


def _is_time(column: str) -> bool:
    return column == "t" or column.startswith("t_")
