"""Describe YAML syntax errors in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from rig.config.errors.lookalike_characters import line_problem

# All but the printable characters of the YAML 1.2 specification, section 5.1.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAB = re.compile(r" *\t")

MAX_DEPTH = 50
TOO_DEEP = f"nested more than {MAX_DEPTH} deep; a configuration is flatter"

_STRAY_COLON = "a ':' where none is expected; quote text that contains ': ', or check the indentation"
# Parts of the messages of PyYAML and of libyaml: either may be the parser, and some messages differ.
_WORDS = (
    ("exceeded maximum nesting depth", TOO_DEEP),  # libyaml's own limit, of 1,000, since PyYAML 6.0.4
    ("mapping values are not allowed", _STRAY_COLON),
    ("expected ',' or ']'", "a '[' is not closed; ',' or ']' is expected"),
    ("expected ',' or '}'", "a '{' is not closed; ',' or '}' is expected"),
    ("could not find expected ':'", "a key without its ':'; write key: value"),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found unexpected document indicator", "a quote is opened and never closed"),
    (
        "cannot start any token",
        "a value cannot begin with this character (a tab, @, ` or %); put it in quotes",
    ),
    ("unknown escape character", "an unknown escape after \\; use single quotes, or \\\\ for a backslash"),
    ("alphabetic or numeric character", "a value that begins with * or & must be in quotes"),
    ("<document start>", "this line does not belong to what is above it; check the indentation"),
    ("expected key", "a key is expected here; check the indentation"),
    ("expected <block end>", "a key is expected here; check the indentation"),
    ("expected '-' indicator", "a list entry beginning with '- ' is expected here; check the indentation"),
    ("undefined tag handle", "a value cannot begin with !; put it in quotes"),
    ("node content", "a value is expected here, before the bracket or comma"),
)


def forbidden_characters(text: str) -> list[tuple[int, str]]:
    """Return the lines with a character that YAML does not allow, each with a message about the first one."""
    characters = []
    # splitlines() would also split at form feeds and the like, which are looked for here.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        hit = _FORBIDDEN.search(line)
        if hit:
            characters.append((number, f"the character U+{ord(hit.group()):04X} is not allowed; remove it"))
    return characters


def syntax_problems(error: Exception, text: str) -> list[tuple[int, str]]:
    """Return what stopped the parser as (line, text); for a tab in an indentation, every such line."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return [(1, f"not YAML: {' '.join(str(error).split())}")]
    line = error.problem_mark.line + 1
    tabbed = [number for number, start in enumerate(text.splitlines(), start=1) if _TAB.match(start)]
    if line in tabbed:
        return [(number, f"line {number} is indented with a tab; use spaces") for number in tabbed]
    if slips := list(_slips(error, line, text)):
        return slips
    return [(line, _in_words(error.problem or "not YAML") + _began(error, line))]


def _slips(error: yaml.MarkedYAMLError, line: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with a mistake, up to the line at which the parser stopped."""
    first = 0 if error.context_mark is None else error.context_mark.line
    for number, written in enumerate(text.splitlines()[first:line], start=first + 1):
        if said := line_problem(written):
            yield number, said


def _in_words(problem: str) -> str:
    for part, words in _WORDS:
        if part in problem:
            return words
    return f"not YAML: {problem}"


def _began(error: yaml.MarkedYAMLError, line: int) -> str:
    mark = error.context_mark
    return f" (see line {mark.line + 1})" if mark is not None and mark.line + 1 < line else ""
