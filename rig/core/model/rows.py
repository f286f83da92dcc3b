"""Rows that a protocol writes: of the trial table, and of its further tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar

from rig.core.close_words import closest_word
from rig.core.errors import TaskError
from rig.core.model.reward import Reward
from rig.core.model.shares import Share

TRIAL_TABLE = "trials"
"""The table of every session, one row per trial."""

_TABLE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TAKEN = (TRIAL_TABLE, "positions")
_OF_LINES = ("seq", "src", "k", "crc")
"""A column ``t`` is renamed in a line; no column may be named as another field of every line."""


def table_name_error(name: str) -> str:
    """Return why a further table cannot have a name, which becomes a file's name; empty where it can."""
    # ``fullmatch``: ``match`` with ``$`` would accept a name that ends in a line break.
    if _TABLE.fullmatch(name) and name not in _TAKEN:
        return ""
    return f"wanted up to 64 small letters, digits and _, a letter first, and none of {', '.join(_TAKEN)}"


def column_name_error(names: Sequence[str], *, further: bool = False) -> str:
    """Return why a table, or a ``further`` one, cannot have columns of these names; empty where it can."""
    own = (*_OF_LINES, "table") if further else _OF_LINES
    seen: set[str] = set()
    for name in names:
        if not name.isidentifier():
            return f"a column '{name:.40}' is no name"
        if name in own:
            return f"a column '{name}' is the journal's own: give it another name"
        # A line holds column ``t`` as ``t_``, so a table with both would lose one.
        if name in seen or (name == "t_" and "t" in names):
            return f"a column '{name:.40}' is there twice"
        seen.add(name)
    return ""


class OneOf:
    """The possible values of a column: ``Annotated[str, OneOf("", "left")]``.

    A curriculum's rule, or a `Share`, that compares with another value is a mistake.
    """

    def __init__(self, *values: str) -> None:
        self.values = values


@dataclass
class Row:
    """One row of the trial table or of a further table; its fields, in their order, are the columns.

    ``shares`` are what the summary counts, by name, among the trials with the outcome ``rewarded`` or ``unrewarded``.
    ``letter`` is the column whose first letter stands for a trial in the live display. Setting an unknown column raises
    ``TaskError``.
    """

    shares: ClassVar[Mapping[str, Share]] = {}
    letter: ClassVar[str] = ""
    _columns: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._columns, cls._known = (), frozenset()  # not those of its base

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the rewards of this trial; called once, when no reward of the trial is pending."""

    def interrupted(self) -> None:
        """Record that the trial was interrupted."""

    if not TYPE_CHECKING:  # a type checker would take any name for one that can be set

        def __setattr__(self, name: str, value: Any) -> None:
            # A set, and without ``self.__dict__``, which would be made here: rows are set forty times in a trial.
            if name not in self._known:
                self._check_column(name)
            object.__setattr__(self, name, value)

    @classmethod
    def _check_column(cls, name: str) -> None:
        cls._known = frozenset(cls.columns())
        if name not in cls._known and not isinstance(getattr(cls, name, None), property):
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

    def values(self) -> dict[str, Any]:
        """Return the row as columns and values."""
        return dict(vars(self))  # a dataclass sets its fields in their order


def unknown_column_text(kind: type[Row], name: str) -> str:
    """Return the message for an unknown column: the closest one, and those that exist."""
    columns = kind.columns()
    if name in get_annotations(kind):
        return f"{kind.__name__} has no column '{name:.40}': write @dataclass above the class"
    near = closest_word(name, columns)
    guess = "" if near is None else f" Did you mean '{near}'?"
    return f"{kind.__name__} has no column '{name:.40}'.{guess} It has {', '.join(columns) or 'none'}"
