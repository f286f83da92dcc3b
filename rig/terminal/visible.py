"""Characters that a terminal obeys, hides or reorders by are shown as numbers: a name is to be read as it is."""

from __future__ import annotations

import re

CONTROL_CHARACTERS = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, fillers, Arabic and Mongolian marks
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line and paragraph separators, directions
    "\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)
"""Controls, and what is of no width by itself or moves what follows; not what makes a character red, or an emoji."""

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape_controls(text: str) -> str:
    """Show each of them as Python writes its number; a line stays one line."""
    return CONTROL_CHARACTERS.sub(lambda match: escaped(match[0]), text)


def escaped(character: str) -> str:
    """Write one character as its number."""
    code = ord(character)
    number = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return _NAMED.get(character, number)
