"""Cells that a journal line cannot hold, as the texts that stand in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rig.core.journal.journal import check_fields

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_MAX_CHARS = 1_000


def text_of(value: object) -> str:
    """Return the text that stands for a value that is no JSON, the same in a replay."""
    try:
        text = repr(value)
    except (Exception, SystemExit) as error:  # the object's own mistake
        text = f"<{type(value).__name__}: {type(error).__name__}>"
    # The address of an object differs in every run.
    text = _ADDRESS.sub("", text[:_MAX_CHARS])
    return text.encode("utf-8", "backslashreplace").decode()


def unwritable_columns(values: Mapping[str, object]) -> Iterable[str]:
    """Return the columns whose cells no journal line can hold; the longest ones if only their sum is too long."""
    names = [name for name, value in values.items() if not _is_writable({name: value})]
    if names or _is_writable(values):
        return names
    return [name for name, value in values.items() if len(text_of(value)) >= _MAX_CHARS]


def _is_writable(values: Mapping[str, object]) -> bool:
    try:
        check_fields(values)
    except Exception:  # also the mistakes of an object that is asked for its text
        return False
    return True
