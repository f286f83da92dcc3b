"""Views as the journal's header holds them: objects with the word of the view and its fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, fields
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin

from rig.core.model.views import VIEWS, View, bare_type, type_hints

MAX_VIEWS = 32
"""The most views of a protocol, and the most names in one field of a view."""
_WORD_OF = {kind: word for word, kind in VIEWS.items()}
_MAX_CHARS = 200
_MAX_NUMBER = 1e6


def header_of(view: View) -> dict[str, Any]:
    """Return a view as the header has it, without the fields that have their default."""
    values = asdict(view)
    defaults = {field.name: () if field.default is MISSING else field.default for field in fields(view)}
    kept = {name: value for name, value in values.items() if value != defaults[name] and value != {}}
    return {"view": _WORD_OF[type(view)], **{name: _plain(value) for name, value in kept.items()}}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def view_from(recorded: Any) -> View:
    """Return the view that an object of a header describes. Raises ``ValueError`` with what is wrong."""
    if type(recorded) is not dict or type(recorded.get("view")) is not str:
        raise ValueError("a view is no object with its word (view, a text)")
    kind: Any = VIEWS.get(recorded["view"])
    if kind is None:
        raise ValueError(f"there is no view '{recorded['view']:.40}'")
    values = {
        name: tuple(value) if type(value) is list else value for name, value in recorded.items() if name != "view"
    }
    known = {field.name: field for field in fields(kind)}
    unknown = next((name for name in values if name not in known), None)
    if unknown is not None:
        raise ValueError(f"a view '{recorded['view']}' has no '{unknown:.40}'")
    missing = next((name for name, field in known.items() if name not in values and _is_needed(field)), None)
    if missing is not None:
        raise ValueError(f"a view '{recorded['view']}' has no '{missing}'")
    view: View = kind(**values)
    if wrong := value_problem(view):
        raise ValueError(f"in a view '{recorded['view']}' {wrong}")
    return view


def _is_needed(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def value_problem(view: View) -> str:
    """Return which field of a view holds something else than its type says; empty where all is right."""
    kind: Any = type(view)
    for field in fields(view):
        text, accepts = _types(kind)[field.name]
        if not accepts(getattr(view, field.name)):
            return f"'{field.name}' is not {text}"
        if _is_needed(field) and not getattr(view, field.name):
            return f"'{field.name}' is empty"
    return ""


Test = Callable[[Any], bool]


@cache
def _types(kind: Any) -> Mapping[str, tuple[str, Test]]:
    """Return for each field of a view what it must hold, as a text and as a test."""
    return {name: _type_of(hint) for name, hint in type_hints(kind).items()}


def _type_of(hint: Any) -> tuple[str, Test]:
    bare = bare_type(hint)
    if bare is bool:
        return "true or false", lambda value: type(value) is bool
    if bare is int:
        return "a whole number from 0 to 10000", lambda value: type(value) is int and 0 <= value <= 10_000
    if bare is float:
        return f"a number from 0 to {_MAX_NUMBER:g}", _is_number
    if get_origin(bare) is UnionType:
        return f"a name, or up to {MAX_VIEWS} names", _is_names
    if get_origin(bare) is Mapping:
        kinds = (str, int) if get_args(bare)[1] is not str else (str,)
        return f"up to {MAX_VIEWS} names, each with a value", lambda value: _is_mapping(value, kinds)
    return f"a text of up to {_MAX_CHARS} characters", _is_text


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= _MAX_NUMBER


def _is_text(value: Any) -> bool:
    return type(value) is str and len(value) <= _MAX_CHARS


def _is_names(value: Any) -> bool:
    return _is_text(value) or (type(value) is tuple and len(value) <= MAX_VIEWS and all(map(_is_text, value)))


def _is_mapping(value: Any, kinds: tuple[type, ...]) -> bool:
    return (
        type(value) is dict
        and len(value) <= MAX_VIEWS
        and all(_is_text(name) and type(item) in kinds for name, item in value.items())
    )
