"""The values of rows, notes and parameters, which a protocol chooses: what a line can hold, and within which bounds."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rig.core.errors import TaskError
from rig.core.journal.cells import escape_surrogates
from rig.core.model.line import MAX_INT

Values = Mapping[str, object]

MAX_NESTING = 32
_ENDLESS = (str, bool, type(None))
"""Types whose values need no further check: the line's length bounds them."""


def check_values(value: Any, deep: int = MAX_NESTING) -> None:
    """Check that a line can hold a value as it is. Raises ``ValueError``.

    Every integer is within 64 bits, every float is finite, and nothing is nested deeper than ``MAX_NESTING``.
    """
    # Types are compared, because ``True`` is an ``int`` in Python, and numpy's floats are floats.
    kind = type(value)
    if kind is int:
        if not -MAX_INT <= value < MAX_INT:
            raise ValueError("an integer in it does not fit into 64 bits")
    elif kind is float:
        if not math.isfinite(value):
            raise ValueError(f"it holds {value}, which is no number of JSON")
    elif kind is dict or kind is list or kind is tuple:
        if not deep:
            raise ValueError(f"it is nested deeper than {MAX_NESTING}")
        if kind is dict and not all(type(name) is str for name in value):
            raise ValueError("a key in it is no text")
        for inner in value.values() if kind is dict else value:
            if type(inner) not in _ENDLESS:
                check_values(inner, deep - 1)
    elif kind not in _ENDLESS:
        raise ValueError(f"it holds {kind.__name__}, which JSON does not have")


def once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of a parsed object. Raises ``ValueError`` if it has a key twice."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        counts = Counter(name for name, _ in pairs)  # a line of unknown origin may have a million keys
        raise ValueError(f"it has '{next(name for name, count in counts.items() if count > 1):.40}' twice")
    return fields


def plain(values: Values) -> dict[str, object]:
    """Return values as JSON holds them: an enumeration's word as a text, a lone surrogate as its escape.

    Raises ``TaskError`` for values that it cannot hold.
    """
    try:
        text = json.dumps(values, allow_nan=False)
        made: dict[str, object] = escape_surrogates(json.loads(text, object_pairs_hook=once))
        check_values(made)
    except (TypeError, ValueError, RecursionError) as error:
        raise unwritable(values, error) from None
    return made


def unwritable(values: Values, error: Exception) -> TaskError:
    """Return the error of values that no line can hold."""
    return TaskError(f"{_brief(values)} cannot be written in the journal: {error}")


def _brief(values: Values) -> str:
    try:
        return f"{dict(values)}"[:200]
    except (Exception, SystemExit):  # too deep, or the mistake of an object that is asked for its text
        return f"a value in {', '.join(map(str, values))}"[:200]
