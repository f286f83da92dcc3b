"""Characters that look like others: what a word processor, another alphabet or a web page puts where ASCII is meant."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = dict(
    zip(
        "аеорсухіјѕһԁԛԝАВЕКМНОРСТХУІЅЈονρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡı",
        "aeopcyxijshdqwABEKMHOPCTXYISJovpuABEZHIKMNOPTYXgi",
        strict=True,
    )
)
_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63", "-"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
    **dict.fromkeys("\u2024\u066b\u3002", "."),
    **dict.fromkeys("\u2236\ua789", ":"),
}
_INVISIBLE = dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
_WIDE = 0xFEE0
"""So far from ASCII stand its full-width forms."""
_QUOTES = "\"'"

# A slash, a backslash or a colon after the colon belongs to a URL or a path, and misses no space.
_NO_SPACE = re.compile(r"(?:- +)*([A-Za-z_]\w*):([^\s/:\\][^#]*)")
_WORD = re.compile(r"\w+")


def ascii_equivalent(char: str) -> str | None:
    """Return what is typed instead of a character: nothing for an invisible one; None where it is no look-alike."""
    if char.isascii():
        return None
    for table in (_SIGNS, _LETTERS, _INVISIBLE):
        if char in table:
            return table[char]
    if char.isspace():
        return " "
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    return chr(ord(char) - _WIDE) if "\uff01" <= char <= "\uff5e" else None


def to_ascii(text: str) -> str:
    """Write a text with what is typed instead of its look-alikes."""
    return "".join(char if (instead := ascii_equivalent(char)) is None else instead for char in text)


def describe_lookalike(text: str) -> str:
    """Return a message that names the first look-alike character of a text, and what to type."""
    char = next(char for char in text if ascii_equivalent(char) is not None)
    sign = f"{unicodedata.name(char, 'no name').lower()} (U+{ord(char):04X})"
    instead = ascii_equivalent(char)
    if not instead:
        return f"holds what cannot be seen, a {sign}: take it out"
    if instead == " ":
        return f"holds a {sign}: type a space instead"
    return f"{char!r} is a {sign}: type {instead}"


def key_problem(key: str) -> str:
    """Return what is wrong with the characters of a key; nothing of one that is as it should be."""
    if any(ascii_equivalent(char) is not None for char in key):
        return f"{describe_lookalike(key)}, so that it reads {to_ascii(key).strip()}"
    match = _NO_SPACE.fullmatch(key)
    return "" if match is None else missing_space_text(match)


def word_problem(text: str) -> str:
    """Return the mistake of an unquoted value: two alphabets in a word, or quotes that YAML does not have; or empty."""
    plain = to_ascii(text)
    if len(text) > 1 and plain[:1] in _QUOTES and plain[-1:] == plain[:1]:
        return f"{describe_lookalike(text)}, or leave the quotes out"
    # A word in one alphabet is a word of another language; only a mixture is a slip.
    mixed = _WORD.fullmatch(text) and any(char.isascii() and char.isalpha() for char in text)
    if mixed and any(char in _LETTERS for char in text):
        return f"{describe_lookalike(text)}, so that it reads {plain}"
    return ""


def line_problem(line: str) -> str:
    """Return what is wrong with a line at which, or after which, a file is no YAML any more."""
    inner = line.lstrip(" ")
    if inner[:1].isspace() and ascii_equivalent(inner[0]) == " ":
        return f"the indentation {describe_lookalike(inner)}"
    key = re.match(r"(?:- +)*\w+\s*(\W)", inner)
    if key is not None and ascii_equivalent(key[1]) == ":":
        return describe_lookalike(key[1])
    match = re.match(r"(?:- +)*\w+:(\s)", inner)
    if match is not None and ascii_equivalent(match[1]) is not None:
        return f"what follows the colon {describe_lookalike(match[1])}"
    match = _NO_SPACE.match(inner)
    return "" if match is None else missing_space_text(match)


def missing_space(text: str) -> str:
    """Return a message if a value alone on a line is a key without the space after its colon; otherwise empty."""
    match = _NO_SPACE.match(text)
    return "" if match is None else missing_space_text(match)


def missing_space_text(match: re.Match[str]) -> str:
    """Return what to write."""
    return f"there is no space after the colon: write {match[1]}: {match[2].split()[0]}"
