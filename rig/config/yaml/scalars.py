"""The scalars of YAML 1.2's core schema, where ``no`` is a string and ``1e3`` a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rig.config.errors.lookalike_characters import describe_lookalike, to_ascii, word_problem
from rig.config.errors.thousands import written_number

Scalar: TypeAlias = str | int | float | bool | None
YamlValue: TypeAlias = "Scalar | list[YamlValue] | dict[str, YamlValue]"
"""What a YAML file can hold."""

_CORE = "tag:yaml.org,2002:"
_LONGEST_INT = 100  # Python refuses to print integers of thousands of digits; no configuration needs one


class _Form(NamedTuple):
    tag: str
    name: str
    pattern: re.Pattern[str]
    convert: Callable[[str], Scalar]


def _int(text: str) -> int:
    if len(text) > _LONGEST_INT:
        raise ValueError(f"a number of {len(text)} digits is too long")
    if text.startswith("0o"):
        return int(text[2:], 8)
    return int(text, 16) if text.startswith("0x") else int(text)


# Tried in this order: every whole number has the form of a float, too.
_FORMS = (
    _Form("null", "null", re.compile(r"(~|null|Null|NULL)?"), lambda text: None),
    _Form(
        "bool",
        "true or false",
        re.compile(r"true|True|TRUE|false|False|FALSE"),
        lambda text: text.lower() == "true",
    ),
    _Form("int", "a whole number", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), _int),
    _Form("float", "a number", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), written_number),
    _Form(
        "float",
        "a number",
        re.compile(r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN"),
        lambda text: float(text.replace(".", "")),
    ),
)


def scalar(text: str, tag: str | None, plain: bool) -> Scalar:
    """Convert the text of a scalar into its value; raise ValueError in words a person understands.

    ``plain`` says that it was written without quotes, so that its form decides what it is.
    """
    if tag is None and plain:
        return _resolved(text)
    if tag in (None, "!", _CORE + "str"):
        return text
    forms = [form for form in _FORMS if _CORE + form.tag == tag]
    if not forms:
        raise ValueError(unknown_tag(tag))
    for form in forms:
        if form.pattern.fullmatch(text):
            return form.convert(text)
    raise ValueError(f"{text!r} is not {forms[0].name}")


def scalar_problem(text: str) -> str:
    """Return which character of a value without quotes keeps it from being the number or the word that was meant."""
    meant = to_ascii(text).strip()
    if not text.isascii() and meant and meant[0] not in "\"'" and not isinstance(_resolved(meant), str):
        return f"{describe_lookalike(text)}, so that it reads {meant}"
    return word_problem(text)


def unknown_tag(tag: str | None) -> str:
    """Return a message that a tag is not understood."""
    written = (tag or "").replace(_CORE, "!!")
    return f"the tag {written} is not understood; write the value without it"


def collection_tag(tag: str | None, kind: str) -> bool:
    """Whether a tag fits a collection of this kind (``map`` or ``seq``)."""
    return tag in (None, "!", _CORE + kind)


def _resolved(text: str) -> Scalar:
    for form in _FORMS:
        if form.pattern.fullmatch(text):
            return form.convert(text)
    return text
