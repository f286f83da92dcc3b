"""The vocabulary of a protocol's ``views``: what its people look at during a session and after it.

``views: ClassVar = (Choices("choice", rewarded="rewarded"), Numbers("latency_s"))``. A view names columns of a table
and says nothing of how it is drawn: the window and the reports draw the charts that `rig.views` makes of the journal.
The journal's header holds the views; `view_checks` checks them against the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from msgspec import Meta, Struct, field

from rig.core.model.line import Whole
from rig.core.model.rows import TRIAL_TABLE

MAX_VIEWS = 32
"""The most views of a protocol, and the most names in one field of a view."""
_MAX_CHARS = 200
_MAX_NUMBER = 1e6


@dataclass(frozen=True, slots=True)
class InTable:
    """A mark on a field of a view: it names columns of the view's table that have one of these kinds."""

    kinds: tuple[str, ...]


# The descriptions are what `view_checks` tells the author of a wrong view.
_TEXT = f"a text of up to {_MAX_CHARS} characters"
_NAMES = f"a name, or up to {MAX_VIEWS} names"
Text: TypeAlias = Annotated[str, Meta(max_length=_MAX_CHARS, description=_TEXT)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=_MAX_CHARS, description=_TEXT)]
Names: TypeAlias = Annotated[Text | Annotated[tuple[Text, ...], Meta(max_length=MAX_VIEWS)], Meta(description=_NAMES)]
"""One name, or several: one needs no parentheses, which are easily forgotten."""
SomeNames: TypeAlias = Annotated[
    Name | Annotated[tuple[Text, ...], Meta(min_length=1, max_length=MAX_VIEWS)], Meta(description=_NAMES)
]
"""At least one name."""
Flag: TypeAlias = Annotated[bool, Meta(description="true or false")]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=10_000, description="a whole number from 0 to 10000")]
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=_MAX_NUMBER, description=f"a number from 0 to {_MAX_NUMBER:g}")]
_PAIRS = Meta(max_length=MAX_VIEWS, description=f"up to {MAX_VIEWS} names, each with a value")

_WORDS = InTable(("text", "integer", "number", "boolean", "any"))
_NUMBERS = InTable(("integer", "number", "boolean", "any"))
WordColumn: TypeAlias = Annotated[Name, _WORDS]
MaybeWordColumn: TypeAlias = Annotated[Text, _WORDS]
NumberColumn: TypeAlias = Annotated[Name, _NUMBERS]
MaybeNumberColumn: TypeAlias = Annotated[Text, _NUMBERS]


class View(Struct, frozen=True, tag_field="view", forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What one chart shows: of which table, under which title, and only of the rows ``where`` columns have values.

    ``rows`` says what a row of the table is, in the plural, such as ``pecks``.
    """

    table: Text = TRIAL_TABLE
    title: Text = ""
    rows: Text = ""
    where: Annotated[Mapping[Text, str | Whole], _PAIRS] = field(default_factory=dict)


class Choices(View, frozen=True, tag="choices"):
    """A line of ticks for each word of a column, trial by trial: above the middle where ``rewarded`` is not 0.

    ``rewarded`` is a column. ``odds`` names for a word the column with its probability of reward, which is drawn within
    the word's line.
    """

    column: WordColumn
    rewarded: MaybeNumberColumn = ""
    odds: Annotated[Mapping[Text, Text], _PAIRS] = field(default_factory=dict)


class Outcomes(View, frozen=True, tag="outcomes"):
    """A line of ticks for each outcome of the trials."""

    column: WordColumn = "outcome"


class RunningShare(View, frozen=True, tag="running_share"):
    """Shares that the class of rows names (``shares``), over the last ``over`` completed trials.

    ``beside`` are columns with probabilities, drawn as dashed steps.
    """

    shares: SomeNames
    over: Count = 20
    beside: Annotated[Names, _NUMBERS] = ()


class Numbers(View, frozen=True, tag="numbers"):
    """Numbers of columns trial by trial, with the running median of the last ``over``; 0 draws none.

    ``by`` is a column whose words give the numbers of one column different symbols. ``joined`` joins them by steps.
    ``at`` is the column that stands along the axis instead of the number of the trial, such as a time. ``beside`` are
    columns drawn as dashed steps without symbols, such as a limit. ``within`` is a column of which only the rows with
    its last value are drawn, such as a round.
    """

    columns: Annotated[SomeNames, _NUMBERS]
    by: MaybeWordColumn = ""
    over: Count = 20
    joined: Flag = False
    log: Flag = False
    at: MaybeNumberColumn = ""
    beside: Annotated[Names, _NUMBERS] = ()
    within: MaybeWordColumn = ""


class Histogram(View, frozen=True, tag="histogram"):
    """How often numbers occur: of columns, or of one column for each word of ``by``."""

    columns: Annotated[SomeNames, _NUMBERS]
    by: MaybeWordColumn = ""
    log: Flag = False


class SharesBy(View, frozen=True, tag="shares_by"):
    """The share of each value of a column among all rows, and among those whose column ``rewarded`` is not 0."""

    column: WordColumn
    rewarded: MaybeNumberColumn = ""


class Cumulative(View, frozen=True, tag="cumulative"):
    """The cumulative record: the count of rows over the session's time in a column ``at``; rewards are ticks on it.

    ``by`` draws one line for each of its words.
    """

    at: NumberColumn
    rewarded: MaybeNumberColumn = ""
    by: MaybeWordColumn = ""


class Places(View, frozen=True, tag="places"):
    """A map of where rows happened, by two columns; filled where the column ``rewarded`` is not 0.

    With lengths in cm the disks of the screen are drawn, each with the last value of the column ``label`` there.
    ``shade`` is a column that shades the places by their last value, such as the tiles of a grid. ``within`` is a
    column of which only the rows with its last value are drawn, such as a round. With ``down`` the numbers of ``y``
    grow downward, as those of the rows of a grid do.
    """

    x: NumberColumn
    y: NumberColumn
    rewarded: MaybeNumberColumn = ""
    label: MaybeWordColumn = ""
    shade: MaybeNumberColumn = ""
    within: MaybeWordColumn = ""
    down: Flag = False


class Track(View, frozen=True, tag="track"):
    """The path of a tracked animal; the last trials are colored by the words of ``by``."""

    by: MaybeWordColumn = ""


class Spans(View, frozen=True, tag="spans"):
    """Times from a column ``start`` to a column ``end`` over the session's time, on a line for each word of ``by``.

    ``since`` is a column with an earlier time, from which a thin line leads to the start. ``planned`` names notes of
    the protocol (their ``what``) that tell of spans that have not ended: for each word in the list ``by`` the times in
    the lists ``since`` and ``start``, or null. Each such note replaces the one before.
    """

    start: NumberColumn
    end: NumberColumn
    by: WordColumn
    since: MaybeNumberColumn = ""
    planned: Text = ""


class Raster(View, frozen=True, tag="raster"):
    """When inputs and outputs went on, relative to a time of each trial: channels such as ``left.beam``.

    ``at`` is the column with the time; ``before_s`` and ``after_s`` say how much is shown around it, at most until the
    time in the column ``until``.
    """

    channels: SomeNames
    at: NumberColumn
    before_s: Seconds = 2.0
    after_s: Seconds = 10.0
    until: MaybeNumberColumn = ""


AnyView: TypeAlias = (
    Choices | Outcomes | RunningShare | Numbers | Histogram | SharesBy | Cumulative | Places | Track | Spans | Raster
)
VIEWS: tuple[type[AnyView], ...] = get_args(AnyView)


def as_names(names: Names) -> tuple[str, ...]:
    """Return one name or several as a tuple, without empty ones."""
    return tuple(name for name in ((names,) if isinstance(names, str) else names) if name)
