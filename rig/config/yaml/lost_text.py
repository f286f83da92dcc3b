"""Text that YAML takes for something else: a comment, an escape, an entry of its own, or a variable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from yaml import events

from rig.config.errors.thousands import number_advice

_VARIABLE = re.compile(r"(?:\$[A-Za-z_]\w*|\$\{\w+\}|%[A-Za-z_]\w*%)(?:[/\\].*)?", re.ASCII)
_NUMBER = re.compile(r"[-+]?\d+")
_DIGITS = re.compile(r"\d+")
# With a space behind the sign it is a comment that was meant.
_SWALLOWED = re.compile(r"\s*(#[\w-]+)\s*(?:[,}\]].*|#.*)?")
_NUMBERED = re.compile(r"\s+(#\d+)\s*")
# It begins with a drive or a dot, or ends as a file does: a text for participants, with a line break in it, does not.
_PATH = re.compile(r"(?:[A-Za-z]:|\.{1,2})(?:\\[\w.-]+)+|[\w.-]*(?:\\[\w.-]+)*\\[\w.-]*\.[A-Za-z]\w{1,4}")


def variable_problem(value: str) -> str:
    """Return a message if a value is an environment variable, or a path that begins with one; otherwise empty."""
    if not _VARIABLE.fullmatch(value):
        return ""
    return f"{value!r} stays as it is, because environment variables are not read here: write the value itself"


def lost_text(event: Any, lines: Sequence[str]) -> str:
    """Return what of the text of a value is lost, to a comment or to escapes, and what to write; otherwise empty."""
    start, end = event.start_mark, event.end_mark
    if start.line != end.line or end.line >= len(lines):
        return ""
    line = lines[end.line]
    if event.style == '"':
        return _lost_to_escapes(line[start.column + 1 : end.column - 1], event.value)
    return _lost_to_comment(event, line[end.column :]) if event.implicit[0] else ""


def _lost_to_escapes(written: str, value: str) -> str:
    if value.isprintable() or not _PATH.fullmatch(written):
        return ""
    meant = written.replace("\\", "/")
    return f"in double quotes a backslash begins an escape, such as \\n for a line break: write {meant}"


def _lost_to_comment(event: events.ScalarEvent, rest: str) -> str:
    if not event.value:
        match = _SWALLOWED.fullmatch(rest.removeprefix(":"))
        return "" if match is None else f"# begins a comment, so that nothing is left: write '{match[1]}' in quotes"
    match = _NUMBERED.fullmatch(rest)
    # Behind a number or a word such as true nothing else is meant than a comment.
    if match is None or not any(char.isalpha() for char in event.value) or event.value in ("true", "false", "null"):
        return ""
    whole = f"{event.value} {match[1]}"
    return f"# begins a comment, so that {event.value!r} is left: write '{whole}' in quotes"


def lost_comma(before: Any, key: Any, value: Any) -> str:
    """Return a message if a decimal comma, as in ``{p_high: 0,9}``, has made a key of the digits behind it."""
    scalars = (before, key, value)
    if not all(isinstance(event, events.ScalarEvent) and event.implicit[0] for event in scalars):
        return ""
    # A key that has a value, or a colon behind it, was meant.
    has_value = value.value or value.start_mark.index > key.end_mark.index
    if has_value or not (_NUMBER.fullmatch(before.value) and _DIGITS.fullmatch(key.value)):
        return ""
    written = f"{before.value},{key.value}"
    return f"the comma in {written} begins a new entry: {number_advice(written)}"
