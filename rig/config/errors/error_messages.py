"""Convert pydantic's errors into messages in terms of the YAML file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rig.config.errors.accepted_values import accepted_keys
from rig.config.errors.closest_names import did_you_mean, unknown_name
from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.errors.field_words import device_advice
from rig.config.errors.formatting import value_text
from rig.config.errors.misplaced_keys import misplaced
from rig.config.errors.thousands import WrittenNumber, number_advice
from rig.config.errors.value_suggestions import suggestion

KIND_TAG = "kind:"
"""Prefix of the tags of a union of kinds: no key of a document can be mistaken for one in a location."""

_NOWHERE: Mapping[str, str] = MappingProxyType({})

_REQUIREMENTS = {
    "greater_than": "must be > {gt}",
    "greater_than_equal": "must be >= {ge}",
    "less_than": "must be < {lt}",
    "less_than_equal": "must be <= {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of reasonable size",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_pattern_mismatch": "must match {pattern}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "set_type": "must be a list",
    "frozen_set_type": "must be a list",
    "dict_type": "must be a mapping (key: value)",
    "model_type": "must be a mapping (key: value)",
    "model_attributes_type": "must be a mapping (key: value)",
    "union_tag_not_found": "must be a mapping (key: value)",
    "none_required": "must be left empty",
    "date_type": "must be a date, YYYY-MM-DD",
    "date_parsing": "must be a date, YYYY-MM-DD",
    "date_from_datetime_parsing": "must be a date, YYYY-MM-DD",
    "date_from_datetime_inexact": "must be a date, YYYY-MM-DD",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}


class ValidationIssue(NamedTuple):
    """One mistake below the document's top; ``got`` is the value itself when it is at fault."""

    loc: Loc
    text: str
    got: str | None = None


def validation_issues(
    model: type[BaseModel], data: object, error: ValidationError, elsewhere: Mapping[str, str] = _NOWHERE
) -> list[ValidationIssue]:
    """Convert all errors of one validation into findings; what several members of a union want is one finding.

    ``elsewhere`` gives, for keys that are unknown here, the place to which they belong.
    """
    details = [detail for detail in error.errors(include_url=False) if not _is_consequence(detail)]
    issues = [item for detail in details for item in _issues_of(model, data, detail, elsewhere)]
    wants: dict[tuple[Loc, str | None], list[str]] = {}
    for loc, wrong, got in issues:
        wants.setdefault((loc, got), []).append(wrong)
    return [ValidationIssue(loc, text, got) for (loc, got), wrong in wants.items() for text in _either(wrong, got)]


def booleans_as_numbers(data: object, value: object, loc: Loc = ()) -> Iterator[ValidationIssue]:
    """Yield an issue for each ``true`` and ``false`` that pydantic took for 1 and 0."""
    if isinstance(data, bool):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield ValidationIssue(loc, "must be a number", value_text(data))
    else:
        for key, inner, partner in _pairs(data, value):
            yield from booleans_as_numbers(inner, partner, (*loc, key))


def ambiguous_numbers(data: object, value: object, loc: Loc = ()) -> Iterator[ValidationIssue]:
    """Yield an issue for each whole number that was written with a point, such as ``1.000``, which may mean 1000."""
    if isinstance(data, WrittenNumber):
        if type(value) is int:
            yield ValidationIssue(loc, "must be a whole number", f"{data.text}; {number_advice(data.text, whole=True)}")
    else:
        for key, inner, partner in _pairs(data, value):
            yield from ambiguous_numbers(inner, partner, (*loc, key))


def _pairs(data: object, value: object) -> Iterator[tuple[str | int, object, object]]:
    """Yield the keys of a mapping or a list, each with what was written and what a model made of it."""
    if isinstance(data, dict):
        for key, inner in data.items():
            yield key, inner, value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    elif isinstance(data, list) and isinstance(value, list | tuple):
        for index, (inner, partner) in enumerate(zip(data, value, strict=False)):
            yield index, inner, partner


def _either(wrong: Sequence[str], got: str | None) -> list[str]:
    """Return what the members of a union want in one text; mistakes that are not about a value stay apart."""
    distinct = list(dict.fromkeys(wrong))
    if got is None:
        return distinct
    return [" or ".join([distinct[0], *(text.removeprefix("must be ") for text in distinct[1:])])]


def _issues_of(
    model: type[BaseModel], data: object, detail: ErrorDetails, elsewhere: Mapping[str, str]
) -> Iterator[ValidationIssue]:
    kind, loc = detail["type"], _place(detail["loc"], data)
    if kind == "missing":
        # `_place` drops what is not in the document, and so a missing key.
        yield _missing((*loc, detail["loc"][-1]))
    elif kind == "extra_forbidden" and (home := elsewhere.get(str(loc[-1]))) is not None:
        yield ValidationIssue(loc, f"is not allowed here; move it {home}")
    elif kind == "extra_forbidden" and (said := misplaced(model, detail["loc"], loc, detail["input"])):
        yield ValidationIssue(loc, said)
    elif kind == "extra_forbidden":
        yield ValidationIssue(loc, unknown_name("unknown key", str(loc[-1]), accepted_keys(model, detail["loc"][:-1])))
    elif kind in ("value_error", "assertion_error"):
        yield from _raised(loc, detail["ctx"]["error"])
    elif kind == "union_tag_invalid":
        yield _unknown_kind(loc, detail)
    else:
        yield ValidationIssue(loc, _wanted(detail), _got(detail))


def _is_consequence(detail: ErrorDetails) -> bool:
    """Whether a list is short only because pydantic has left out wrong entries, which have mistakes of their own."""
    return (
        detail["type"] == "too_short"
        and isinstance(detail["input"], list | dict)
        and len(detail["input"]) >= detail["ctx"]["min_length"]
    )


def _place(loc: Sequence[str | int], data: Any) -> Loc:
    """Return the part of pydantic's location that is in the document: no members of unions, no ``[key]``."""
    place: list[str | int] = []
    for part in loc:
        if _holds(data, part):
            place.append(part)
            data = data[part]
    return tuple(place)


def _holds(data: object, part: str | int) -> bool:
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list) and isinstance(part, int) and part < len(data)


def _missing(loc: Loc) -> ValidationIssue:
    if isinstance(loc[-1], int):
        return ValidationIssue(loc[:-1], f"entry {loc[-1] + 1} of the list is missing")
    return ValidationIssue(loc, "required key is missing")


def _raised(loc: Loc, error: Exception) -> Iterator[ValidationIssue]:
    if isinstance(error, ConfigIssuesError):
        for place, text in error.mistakes:
            yield ValidationIssue((*loc, *place), text)
    else:
        yield ValidationIssue(loc, " ".join(str(error).split()))


def _unknown_kind(loc: Loc, detail: ErrorDetails) -> ValidationIssue:
    """Return the issue of a discriminating key, which pydantic calls ``'kind'``, or ``kind()`` for a function."""
    key = detail["ctx"]["discriminator"].strip("'()")
    options = [tag.removeprefix(KIND_TAG) for tag in re.findall(r"'([^']*)'", detail["ctx"]["expected_tags"])]
    given = str(detail["ctx"]["tag"]).removeprefix(KIND_TAG)
    if not given:
        return ValidationIssue((*loc, key), f"required key is missing; accepted: {', '.join(options)}")
    if loc[:1] == ("devices",) and (advice := device_advice(given)):
        return ValidationIssue(
            (*loc, key), f"unknown {key} {given!r}: here it {advice}; accepted: {', '.join(options)}"
        )
    return ValidationIssue((*loc, key), unknown_name(f"unknown {key} {given!r}", given, options))


def _wanted(detail: ErrorDetails) -> str:
    if detail["type"] == "string_type":
        quotable = isinstance(detail["input"], int | float)
        return "must be text (put it in quotes)" if quotable else "must be text"
    template = _REQUIREMENTS.get(detail["type"])
    if template is None:  # a rarer pydantic error, in pydantic's words
        return detail["msg"][:1].lower() + detail["msg"][1:]
    return template.format_map({key: _bound(value) for key, value in detail.get("ctx", {}).items()})


def _bound(value: object) -> str:
    return value_text(value) if isinstance(value, int | float) else str(value)


def _suggestion(detail: ErrorDetails) -> str:
    names = [part for part in detail["loc"] if isinstance(part, str) and part.islower()]
    in_list = any(isinstance(part, int) for part in detail["loc"][-1:])
    return suggestion(
        detail["type"], detail["input"], detail.get("ctx", {}), names[-1] if names else "", in_list=in_list
    )


def _got(detail: ErrorDetails) -> str:
    """Write the value at fault, and after it the accepted word that was probably meant."""
    value, expected = detail["input"], detail.get("ctx", {}).get("expected", "")
    options = re.findall(r"'([^']*)'", expected) if isinstance(value, str) else []
    guess = did_you_mean(str(value), options) or _suggestion(detail)
    return f"{value_text(value)}; {guess.strip()}" if guess else value_text(value)
