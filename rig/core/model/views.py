"""The vocabulary of a protocol's ``views``: what its people look at during a session and after it.

``views: ClassVar = (Choices("choice", rewarded="rewarded"), Numbers("latency_s"))``. A view names columns of a table
and says nothing of how it is drawn: the window and the reports draw the charts that `rig.views` makes of the journal.
The journal's header holds the views (`view_fields`); `view_checks` checks them against the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

from rig.core.model.rows import TRIAL_TABLE


@dataclass(frozen=True, slots=True)
class InTable:
    """A mark on a field of a view: it names columns of the view's table that have one of these kinds."""

    kinds: tuple[str, ...]


Names: TypeAlias = str | tuple[str, ...]
"""One name, or several: one needs no parentheses, which are easily forgotten."""
WORDS = ("text", "integer", "number", "boolean", "any")
NUMBERS = ("integer", "number", "boolean", "any")
WordColumn: TypeAlias = Annotated[str, InTable(WORDS)]
NumberColumn: TypeAlias = Annotated[str, InTable(NUMBERS)]
NumberColumns: TypeAlias = Annotated[Names, InTable(NUMBERS)]


@dataclass(frozen=True)
class View:
    """What one chart shows: of which table, under which title, and only of the rows ``where`` columns have values.

    ``rows`` says what a row of the table is, in the plural, such as ``pecks``.
    """

    table: str = field(default=TRIAL_TABLE, kw_only=True)
    title: str = field(default="", kw_only=True)
    rows: str = field(default="", kw_only=True)
    where: Mapping[str, str | int] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class Choices(View):
    """A line of ticks for each word of a column, trial by trial: above the middle where ``rewarded`` is not 0.

    ``rewarded`` is a column. ``odds`` names for a word the column with its probability of reward, which is drawn within
    the word's line.
    """

    column: WordColumn
    rewarded: NumberColumn = ""
    odds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcomes(View):
    """A line of ticks for each outcome of the trials."""

    column: WordColumn = "outcome"


@dataclass(frozen=True)
class RunningShare(View):
    """Shares that the class of rows names (``shares``), over the last ``over`` completed trials.

    ``beside`` are columns with probabilities, drawn as dashed steps.
    """

    shares: Names
    over: int = 20
    beside: NumberColumns = ()


@dataclass(frozen=True)
class Numbers(View):
    """Numbers of columns trial by trial, with the running median of the last ``over``; 0 draws none.

    ``by`` is a column whose words give the numbers of one column different symbols. ``joined`` joins them by steps.
    ``at`` is the column that stands along the axis instead of the number of the trial, such as a time. ``beside`` are
    columns drawn as dashed steps without symbols, such as a limit. ``within`` is a column of which only the rows with
    its last value are drawn, such as a round.
    """

    columns: NumberColumns
    by: WordColumn = ""
    over: int = 20
    joined: bool = False
    log: bool = False
    at: NumberColumn = ""
    beside: NumberColumns = ()
    within: WordColumn = ""


@dataclass(frozen=True)
class Histogram(View):
    """How often numbers occur: of columns, or of one column for each word of ``by``."""

    columns: NumberColumns
    by: WordColumn = ""
    log: bool = False


@dataclass(frozen=True)
class SharesBy(View):
    """The share of each value of a column among all rows, and among those whose column ``rewarded`` is not 0."""

    column: WordColumn
    rewarded: NumberColumn = ""


@dataclass(frozen=True)
class Cumulative(View):
    """The cumulative record: the count of rows over the session's time in a column ``at``; rewards are ticks on it.

    ``by`` draws one line for each of its words.
    """

    at: NumberColumn
    rewarded: NumberColumn = ""
    by: WordColumn = ""


@dataclass(frozen=True)
class Places(View):
    """A map of where rows happened, by two columns; filled where the column ``rewarded`` is not 0.

    With lengths in cm the disks of the screen are drawn, each with the last value of the column ``label`` there.
    ``shade`` is a column that shades the places by their last value, such as the tiles of a grid. ``within`` is a
    column of which only the rows with its last value are drawn, such as a round. With ``down`` the numbers of ``y``
    grow downward, as those of the rows of a grid do.
    """

    x: NumberColumn
    y: NumberColumn
    rewarded: NumberColumn = ""
    label: WordColumn = ""
    shade: NumberColumn = ""
    within: WordColumn = ""
    down: bool = False


@dataclass(frozen=True)
class Track(View):
    """The path of a tracked animal; the last trials are colored by the words of ``by``."""

    by: WordColumn = ""


@dataclass(frozen=True)
class Spans(View):
    """Times from a column ``start`` to a column ``end`` over the session's time, on a line for each word of ``by``.

    ``since`` is a column with an earlier time, from which a thin line leads to the start. ``planned`` names notes of
    the protocol (their ``what``) that tell of spans that have not ended: for each word in the list ``by`` the times in
    the lists ``since`` and ``start``, or null. Each such note replaces the one before.
    """

    start: NumberColumn
    end: NumberColumn
    by: WordColumn
    since: NumberColumn = ""
    planned: str = ""


@dataclass(frozen=True)
class Raster(View):
    """When inputs and outputs went on, relative to a time of each trial: channels such as ``left.beam``.

    ``at`` is the column with the time; ``before_s`` and ``after_s`` say how much is shown around it, at most until the
    time in the column ``until``.
    """

    channels: Names
    at: NumberColumn
    before_s: float = 2.0
    after_s: float = 10.0
    until: NumberColumn = ""


VIEWS: Mapping[str, type[View]] = {
    "choices": Choices,
    "outcomes": Outcomes,
    "running_share": RunningShare,
    "numbers": Numbers,
    "histogram": Histogram,
    "shares_by": SharesBy,
    "cumulative": Cumulative,
    "places": Places,
    "track": Track,
    "spans": Spans,
    "raster": Raster,
}
"""All views, by the word that the journal's header has for each."""


@cache
def type_hints(kind: Any) -> Mapping[str, Any]:
    """Return the types of a view's fields with their marks."""
    return get_type_hints(kind, include_extras=True)


def bare_type(hint: Any) -> Any:
    """Return a type without its marks."""
    return get_args(hint)[0] if hasattr(hint, "__metadata__") else hint


def as_names(names: Names) -> tuple[str, ...]:
    """Return one name or several as a tuple, without empty ones."""
    return tuple(name for name in ((names,) if isinstance(names, str) else names) if name)


def kinds_of_columns(kind: Any, name: str) -> tuple[str, ...] | None:
    """Return the kinds of the columns that a field of a view names; None for a field that names no columns."""
    marks = getattr(type_hints(kind)[name], "__metadata__", ())
    return next((mark.kinds for mark in marks if isinstance(mark, InTable)), None)
