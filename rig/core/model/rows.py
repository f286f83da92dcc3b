"""Rows that a protocol writes: of the trial table, and of its further tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import MISSING, Field, dataclass, field, fields
from inspect import get_annotations
from typing import TYPE_CHECKING, ClassVar

from rig.core.close_words import closest_word
from rig.core.errors import TaskError
from rig.core.model.code_lines import CodeLine, is_own, line_above
from rig.core.model.reward import Reward
from rig.core.model.shares import Share

TRIAL_TABLE = "trials"
"""The table of every session, one row per trial."""

_TABLE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TAKEN = (TRIAL_TABLE, "positions")


def table_name_error(name: str) -> str:
    """Return why a further table cannot have a name, which becomes a file's name; empty where it can."""
    # ``fullmatch``: ``match`` with ``$`` would accept a name that ends in a line break.
    if _TABLE.fullmatch(name) and name not in _TAKEN:
        return ""
    return f"wanted up to 64 small letters, digits and _, a letter first, and none of {', '.join(_TAKEN)}"


def column_name_error(names: Sequence[str]) -> str:
    """Return why a table cannot have columns of these names; empty where it can."""
    seen: set[str] = set()
    for name in names:
        if not name.isidentifier():
            return f"a column '{name:.40}' is no name"
        if name in seen:
            return f"a column '{name:.40}' is there twice"
        seen.add(name)
    return ""


class OneOf:
    """The possible values of a column: ``Annotated[str, OneOf("", "left")]``.

    A cell with another value is a mistake, and so is a curriculum's rule, a view or a `Share` that asks for one.
    """

    def __init__(self, *values: str) -> None:
        self.values = values


KEEPS_UNKNOWN_COLUMNS: ContextVar[bool] = ContextVar("keeps_unknown_columns", default=False)
"""Whether a value for an unknown column is kept, and reported with the row: a real session never ends for it.

Of a row whose trial has begun, `keep_unknown` says so: the board's events settle its rewards outside of this context.
"""


@dataclass
class Row:
    """One row of the trial table or of a further table; its fields, in their order, are the columns.

    ``shares`` are what the summary counts, by name, among the trials with the outcome ``rewarded`` or ``unrewarded``.
    ``letter`` is the column whose first letter stands for a trial in the live display. Setting an unknown column raises
    ``TaskError``, but not in a real session. A column that is keyword-only in a base class is keyword-only where it is
    declared again.
    """

    shares: ClassVar[Mapping[str, Share]] = {}
    letter: ClassVar[str] = ""
    _columns: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()
    _lines: ClassVar[dict[str, CodeLine] | None] = None
    _keeps_unknown: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._columns, cls._known = (), frozenset()  # not those of its base
        # ``@dataclass`` leaves a field that is declared again at its place in the base, and takes it for positional: it
        # would come before the first column of the protocol.
        for name in get_annotations(cls):
            if _is_keyword_only(cls, name):
                _make_keyword_only(cls, name)

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the rewards of this trial; called once, when no reward of the trial is pending."""

    def interrupted(self) -> None:
        """Record that the trial was interrupted."""

    if not TYPE_CHECKING:  # a type checker would take any name for one that can be set

        def __setattr__(self, name: str, value: object) -> None:
            # A set, and without ``self.__dict__``, which would be made here: rows are set forty times in a trial.
            if name not in self._known:
                name = self._checked_column(name)
            if self._lines is not None:
                self._lines[name] = line_above(1)
            object.__setattr__(self, name, value)

    def _checked_column(self, name: str) -> str:
        """Return the name under which a value is kept. Raises ``TaskError`` for an unknown column."""
        cls = type(self)
        cls._known = frozenset(cls.columns())
        if name in cls._known or isinstance(getattr(cls, name, None), property):
            return name
        if self._keeps_unknown or KEEPS_UNKNOWN_COLUMNS.get():
            # A value in the place of ``values`` or ``on_rewards`` would end the session when the row is written.
            return f"{name}_" if hasattr(cls, name) else name
        raise TaskError(unknown_column_text(cls, name))

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns in their order."""
        # At first use, because ``@dataclass`` adds the fields after the class is made.
        if not cls._columns:
            cls._columns = cls._ordered_columns()
        return cls._columns

    @classmethod
    def _ordered_columns(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    def values(self) -> dict[str, object]:
        """Return the row as columns and values."""
        return {name: getattr(self, name) for name in self.columns()}


_BEGUN = ""
"""The key of the line that began a row; no column has this name."""


# Functions, because all methods of a row are words of protocols.
def trace_lines(row: Row, begun_at: CodeLine) -> None:
    """Record from now on which line sets a column; ``begun_at`` stands for all columns that are set already."""
    object.__setattr__(row, "_lines", {_BEGUN: begun_at})


def line_of(row: Row, column: str) -> CodeLine | None:
    """Return the line that set a column, or the one that began the row; None if they were not recorded."""
    lines = row._lines  # noqa: SLF001 (of this module)
    if lines is None:
        return None
    line = lines.get(column)
    return lines[_BEGUN] if line is None or is_own(line) else line


def begun_line(row: Row) -> CodeLine | None:
    """Return the line that began a row; None if it was not recorded."""
    return line_of(row, _BEGUN)


class _SealedLines(dict[str, CodeLine]):
    """The lines of a row after the ``call`` that ends it."""

    def __init__(self, lines: dict[str, CodeLine], call: str) -> None:
        super().__init__(lines)
        self._call = call

    def __setitem__(self, column: str, line: CodeLine) -> None:
        raise TaskError(f"the row gets {column} after {self._call}, when it may be written: set it before")


def seal(row: Row, call: str = "self.end_trial()") -> None:
    """Close a row whose lines are recorded to further values: after the ``call`` they would be lost."""
    if row._lines is not None:  # noqa: SLF001 (of this module)
        object.__setattr__(row, "_lines", _SealedLines(row._lines, call))  # noqa: SLF001


def reopen(row: Row) -> None:
    """Open a row again for the values that are known only after the end of its trial."""
    if row._lines is not None:  # noqa: SLF001 (of this module)
        object.__setattr__(row, "_lines", dict(row._lines))  # noqa: SLF001


def keep_unknown(row: Row) -> None:
    """Record that values for unknown columns of a row are kept from now on."""
    object.__setattr__(row, "_keeps_unknown", True)


def unknown_columns(row: Row) -> Mapping[str, object]:
    """Return the values that were set for columns that the row does not have."""
    own, known, kind = vars(row), row.columns(), type(row)
    if len(own) <= len(known):
        return {}
    kept = {name: value for name, value in own.items() if name not in known and not hasattr(kind, name)}
    return {name[:-1] if hasattr(kind, name[:-1]) else name: value for name, value in kept.items()}


def _is_keyword_only(kind: type[Row], name: str) -> bool:
    """Whether a column is declared in a base class, and keyword-only there."""
    declared = (vars(base).get("__dataclass_fields__", {}).get(name) for base in kind.__mro__[1:])
    # ``is True``: of a class variable it is no truth value.
    return next((column.kw_only is True for column in declared if column is not None), False)


def _make_keyword_only(kind: type[Row], name: str) -> None:
    # ``getattr``: without a value of its own the column has that of its base, as for ``@dataclass``.
    value = getattr(kind, name, MISSING)
    if isinstance(value, Field):
        value.kw_only = True
    else:
        setattr(kind, name, field(kw_only=True) if value is MISSING else field(default=value, kw_only=True))


def unknown_column_text(kind: type[Row], name: str) -> str:
    """Return the message for an unknown column: the closest one, and those that exist."""
    columns = kind.columns()
    if name in get_annotations(kind):
        return f"{kind.__name__} has no column '{name:.40}': write @dataclass above the class"
    near = closest_word(name, columns)
    guess = "" if near is None else f" Did you mean '{near}'?"
    return f"{kind.__name__} has no column '{name:.40}'.{guess} It has {', '.join(columns) or 'none'}"
